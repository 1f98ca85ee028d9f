/**
 * Columns that templates can read although no input has them: they are made of a sentence's characters and the words of
 * the training data.
 */
import { Uint32List } from '../base/growable.js';
import { Alphabet } from '../data/alphabet.js';
import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import type { TokenUnit } from '../data/formats/unit-readers.js';
import { Lexicon, partOf } from './lexicon.js';
import type { TemplateSet } from './template.js';
import { parseView } from './views.js';

/** Names of derived columns, in the order of the parts of what {@link Lexicon.match} writes. */
export const DERIVED_COLUMNS: readonly string[] = ['begins', 'ends', 'inside'];

/** The cell for each length of a word. */
export const LENGTH_CELLS: readonly string[] = ['0', '1', '2', '3', '4', '5', '6'];

/** The columns that templates can read: those of the input, and where tokens are characters the derived ones. */
export function readableColumns(inputs: readonly string[], tokens: TokenUnit): readonly string[] {
  return tokens === 'characters' ? [...inputs, ...DERIVED_COLUMNS] : inputs;
}

/** The derived columns that templates read. */
export function derivedColumnsOf({ templates }: TemplateSet, columns: readonly string[]): string[] {
  const nodes = templates.flatMap(({ nodes }) => nodes);
  const read = new Set(nodes.flatMap((node) => (node.kind === 'token' ? [parseView(node.view).column] : [])));
  return DERIVED_COLUMNS.filter((name) => read.has(name) && !columns.includes(name));
}

/**
 * Training data with derived columns, jack-knifed, before the label column.
 *
 * @param words [S] the words of each sentence.
 */
export function withDerivedColumns(
  corpus: Corpus,
  names: readonly string[],
  words: readonly (readonly string[])[],
): Corpus {
  if (names.length === 0) return corpus;
  const lexicon = Lexicon.jackknifed(words);
  const column = columnIndex(corpus, 'word');
  const numberOf = Uint32Array.from(corpus.alphabets[column].toArray(), (text) => lexicon.find(text));
  const cells = names.map(() => new Uint32List(corpus.lines.length));
  const longest = corpus.starts.reduce(
    (most, start, s) => Math.max(most, start - (corpus.starts[s - 1] ?? 0)),
    0,
  );
  const lengths = new Uint8Array(3 * longest);
  words.forEach((_, s) => {
    const characters = corpus.cells[column]
      .subarray(corpus.starts[s], corpus.starts[s + 1])
      .map((id) => numberOf[id]);
    lexicon.match(characters, characters.length, lengths, partOf(s, words.length));
    names.forEach((name, c) => {
      const from = DERIVED_COLUMNS.indexOf(name) * characters.length;
      for (let t = 0; t < characters.length; t++) cells[c].push(lengths[from + t]);
    });
  });
  const alphabet = new Alphabet();
  for (const cell of LENGTH_CELLS) alphabet.add(cell);
  const last = corpus.columns.length - 1;
  const insert = <T>(list: readonly T[], added: readonly T[]) => [
    ...list.slice(0, last),
    ...added,
    list[last],
  ];
  return {
    ...corpus,
    columns: insert(corpus.columns, names),
    alphabets: insert(
      corpus.alphabets,
      names.map(() => alphabet),
    ),
    cells: insert(
      corpus.cells,
      cells.map((list) => list.toArray()),
    ),
  };
}

/** Words that spans of a sentence's characters are. */
export function wordsOfSpans(
  corpus: Corpus,
  sentences: readonly { readonly spans: readonly { readonly start: number; readonly end: number }[] }[],
): string[][] {
  const column = columnIndex(corpus, 'word');
  return sentences.map(({ spans }, s) => {
    const characters = columnStrings(corpus, column, s);
    return spans.map(({ start, end }) => characters.slice(start, end).join(''));
  });
}
