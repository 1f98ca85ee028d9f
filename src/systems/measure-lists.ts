import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import type { ResourceFile } from '../features/resource.js';
import { LIST_PREFIX, makeGazetteer } from '../features/words/lists.js';
import { withWordColumns } from '../features/words/word-columns.js';
import { GoldTags } from '../tags/gold-tags.js';

/** What a list of names is worth on labelled data. */
export interface ListReport {
  /** Name of the list. */
  readonly name: string;
  /** Number of its entries. */
  readonly entries: number;
  /** How often an entry matches. */
  readonly matches: number;
  /** How many matches are names of the data, to the word. */
  readonly names: number;
  /** Type that these most often have; empty where none is a name. */
  readonly type: string;
  /** How many of the data's names of that type are matches. */
  readonly covered: number;
  /** How many names of that type the data have. */
  readonly all: number;
  /** Number of entries that match nowhere. */
  readonly unused: number;
}

/** Compares lists with labelled data, each by itself; words that the data mostly have in small letters match as well. */
export function measureLists(corpus: Corpus, files: readonly ResourceFile[]): ListReport[] {
  const gold = new GoldTags(corpus);
  const word = columnIndex(corpus, 'word');
  const spansOf = Array.from({ length: corpus.starts.length - 1 }, (_, s) => gold.spans(s));
  return files.map((file) => {
    const entries = new Set(
      file.text.split(/\r?\n/).flatMap((line) => line.split('\t', 1)[0].trim().toLowerCase() || []),
    );
    const gazetteer = makeGazetteer([file], () => false);
    const column = LIST_PREFIX + file.name;
    const derived = withWordColumns(corpus, [column], 1000, undefined, gazetteer);
    const found = new Map<string, number>();
    const used = new Set<string>();
    let matches = 0;
    spansOf.forEach((spans, s) => {
      const cells = columnStrings(derived, derived.columns.indexOf(column), s);
      const words = columnStrings(corpus, word, s);
      cells.forEach((cell, t) => {
        if (cell !== 'U' && cell !== 'B') return;
        const end = cell === 'U' ? t + 1 : cells.indexOf('L', t) + 1;
        matches++;
        used.add(words.slice(t, end).join(' ').toLowerCase());
        const same = spans.find((span) => span.start === t && span.end === end);
        if (same) found.set(same.type, (found.get(same.type) ?? 0) + 1);
      });
    });
    const [type, covered] = [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0] ?? ['', 0];
    const names = [...found.values()].reduce((sum, count) => sum + count, 0);
    const all = spansOf.flat().filter((span) => span.type === type).length;
    const unused = [...entries].filter((entry) => !used.has(entry)).length;
    return { name: file.name, entries: entries.size, matches, names, type, covered, all, unused };
  });
}
