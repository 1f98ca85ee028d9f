import { OptionError, quote } from '../../base/errors.js';
import { grown } from '../../base/growable.js';
import { Alphabet } from '../../data/alphabet.js';
import { splitText } from '../../text/text-scanner.js';
import type { ResourceFile } from '../resource.js';
import { TupleTable } from '../tuple-table.js';
import { CAPITALISED, SMALL, type WordForms } from './word-forms.js';
import type { WordColumn, WordDocument, WordMatcher } from './word-kind.js';

/** Most lists of a model: a state's lists are bits of a number. */
export const MOST_LISTS = 16;

/** Before the name of a list in the name of its column. */
export const LIST_PREFIX = 'list-';

/** Column that stands for those of all lists in template sets. */
export const ANY_LIST = `${LIST_PREFIX}*`;

/** @throws OptionError for names of lists that templates could not name, several alike, and too many. */
export function checkLists(names: readonly string[]): void {
  const bad = names.find((name, i) => !/^[\p{L}\p{N}_-]+$/u.test(name) || names.indexOf(name) !== i);
  if (bad === undefined && names.length <= MOST_LISTS) return;
  const found = bad === undefined ? `${names.length} lists` : quote(bad);
  throw new OptionError(
    'gazetteer',
    `--gazetteer: expected at most ${MOST_LISTS} lists, with names of letters and digits, each once, found ${found}`,
  );
}

/** Cells: outside, begin, inside, last and only token of an entry, first or last token of some entry, both. */
const CELLS = ['-', 'B', 'I', 'L', 'U', 'first', 'last', 'both'];
const BEGIN = 1;
const INSIDE = 2;
const LAST = 3;
const UNIT = 4;

/** Lists of names as a trie of lower-case words. */
export interface Gazetteer {
  /** Names of the lists. */
  readonly lists: readonly string[];
  /** Lower-case words. */
  readonly words: Alphabet;
  /** [states] how many words lead on from each state; states are numbered breadth first, 0 is the root. */
  readonly children: Uint32Array;
  /** [states − 1] word that leads to each state but the root. */
  readonly last: Uint32Array;
  /** [states] lists that have an entry which ends there, as bits; those whose entry is in small letters are the upper 16. */
  readonly ends: Uint32Array;
  /** [words] lists that have the word as an entry's first one, as bits; as its last one the upper 16. */
  readonly edges: Uint32Array;
}

/** The words of an entry, as the tokenizer parts them. */
function wordsOf(entry: string): string[] {
  if (/^[\p{L}\p{M}\p{Nd} -]+$/u.test(entry)) return entry.split(' ').filter((word) => word !== '');
  return [...splitText(entry)].flatMap(({ words }) => words);
}

/**
 * Makes a trie of lists: an entry a line; what stands after a tab is not read.
 *
 * @param isCommon whether a capitalised single word is left out, since texts mostly have it in small letters.
 */
export function makeGazetteer(
  files: readonly ResourceFile[],
  isCommon: (lower: string) => boolean,
): Gazetteer {
  const words = new Alphabet();
  const table = new TupleTable(2);
  const key = new Uint32Array(2);
  let ends = new Uint32Array(1 << 16);
  let edges = new Uint32Array(1 << 16);
  files.forEach(({ text }, list) => {
    for (const line of text.split(/\r?\n/)) {
      const entry = line.split('\t', 1)[0].trim();
      if (entry === '') continue;
      const lower = entry.toLowerCase();
      const own = wordsOf(lower);
      if (own.length === 1 && lower !== entry && isCommon(lower)) continue;
      let state = 0;
      for (const word of own) {
        key[0] = state;
        key[1] = words.add(word);
        state = table.id(key, true) + 1;
      }
      const isSmall = lower === entry && /\p{L}/u.test(entry);
      ends = grown(ends, state + 1);
      ends[state] |= (1 << list) | (isSmall ? 1 << (16 + list) : 0);
      if (own.length < 2) continue;
      edges = grown(edges, words.size);
      edges[words.find(own[0])] |= 1 << list;
      edges[words.find(own[own.length - 1])] |= 1 << (16 + list);
    }
  });
  edges = grown(edges, words.size);
  return {
    lists: files.map(({ name }) => name),
    words,
    ...breadthFirst(table, ends),
    edges: edges.slice(0, words.size),
  };
}

/** A trie's states in breadth-first order. */
function breadthFirst(table: TupleTable, ends: Uint32Array): Pick<Gazetteer, 'children' | 'last' | 'ends'> {
  const states = table.size + 1;
  const keys = table.pack();
  const counts = new Uint32Array(states + 1);
  for (let edge = 0; edge < table.size; edge++) counts[keys[2 * edge] + 1]++;
  const firsts = counts.map((count) => count);
  for (let state = 0; state < states; state++) firsts[state + 1] += firsts[state];
  const places = firsts.slice();
  const byState = new Uint32Array(table.size);
  for (let edge = 0; edge < table.size; edge++) byState[places[keys[2 * edge]]++] = edge;
  const children = new Uint32Array(states);
  const last = new Uint32Array(states - 1);
  const newEnds = new Uint32Array(states);
  const queue = new Uint32Array(states);
  let filled = 1;
  for (let at = 0; at < states; at++) {
    const state = queue[at];
    children[at] = firsts[state + 1] - firsts[state];
    newEnds[at] = state < ends.length ? ends[state] : 0;
    for (let i = firsts[state]; i < firsts[state + 1]; i++) {
      last[filled - 1] = keys[2 * byState[i] + 1];
      queue[filled++] = byState[i] + 1;
    }
  }
  return { children, last, ends: newEnds };
}

/** Columns that say where entries of lists are: the longest match from each place on, list by list. */
export class Lists implements WordMatcher {
  readonly columns: readonly WordColumn[];
  private readonly gazetteer: Gazetteer;
  /** (state, word) → state − 1, states numbered as the gazetteer has them. */
  private readonly table = new TupleTable(2);
  /** [forms] 1 + number of the lower-case form among the gazetteer's words, 0 for none, and of which forms that is known. */
  private wordOf = new Uint32Array(0);
  private forms: WordForms | undefined;
  private known = 0;
  /** [lists] where the last match of each list ends. */
  private readonly until: Uint32Array;

  constructor(gazetteer: Gazetteer) {
    const { lists, children, last } = gazetteer;
    this.gazetteer = gazetteer;
    this.columns = lists.map((name) => ({ name: LIST_PREFIX + name, strings: CELLS }));
    this.until = new Uint32Array(lists.length);
    const key = new Uint32Array(2);
    let next = 0;
    for (let state = 0; state < children.length; state++) {
      for (let i = 0; i < children[state]; i++) {
        key[0] = state;
        key[1] = last[next++];
        this.table.id(key, true);
      }
    }
  }

  match(document: WordDocument, out: readonly Uint32Array[]): void {
    const { starts, sentences } = document;
    for (const cells of out) cells.fill(0, 0, starts[sentences]);
    this.findWords(document);
    for (let s = 0; s < sentences; s++) {
      this.until.fill(starts[s]);
      for (let t = starts[s]; t < starts[s + 1]; t++) this.matchFrom(document, t, starts[s + 1], out);
    }
    this.matchEdges(document, out);
  }

  /** Finds the numbers of forms that are new. */
  private findWords({ forms }: WordDocument): void {
    if (this.forms !== forms) {
      this.forms = forms;
      this.known = 0;
    }
    this.wordOf = grown(this.wordOf, forms.size);
    for (; this.known < forms.size; this.known++) {
      const lower = forms.alphabet.string(forms.lower[this.known]);
      this.wordOf[this.known] = 1 + this.gazetteer.words.find(lower);
    }
  }

  /** Marks the longest entry of each list that begins at a token, where no longer match of the list covers that. */
  private matchFrom(
    { forms, words }: WordDocument,
    from: number,
    end: number,
    out: readonly Uint32Array[],
  ): void {
    const { table, wordOf, until } = this;
    const { ends } = this.gazetteer;
    let state = 0;
    let isCapital = false;
    for (let t = from; t < end; t++) {
      const word = wordOf[words[t]];
      if (word === 0) return;
      state = table.findPair(state, word - 1) + 1;
      if (state === 0) return;
      isCapital ||= (forms.flags[words[t]] & SMALL) === 0;
      const bits = isCapital ? ends[state] & 0xffff : ends[state] >>> 16;
      if (bits === 0) continue;
      for (let list = 0; list < out.length; list++) {
        if (
          (bits & (1 << list)) === 0 ||
          (until[list] > from && out[list][from] !== BEGIN && out[list][from] !== UNIT)
        )
          continue;
        const cells = out[list];
        cells[from] = t === from ? UNIT : BEGIN;
        for (let i = from + 1; i < t; i++) cells[i] = INSIDE;
        if (t > from) cells[t] = LAST;
        until[list] = t + 1;
      }
    }
  }

  /** Marks capitalised tokens outside of matches that begin or end an entry. */
  private matchEdges({ forms, words, starts, sentences }: WordDocument, out: readonly Uint32Array[]): void {
    const { edges } = this.gazetteer;
    for (let t = 0; t < starts[sentences]; t++) {
      const word = this.wordOf[words[t]];
      if (word === 0 || edges[word - 1] === 0 || (forms.flags[words[t]] & CAPITALISED) === 0) continue;
      for (let list = 0; list < out.length; list++) {
        if (out[list][t] !== 0) continue;
        const isFirst = (edges[word - 1] >>> list) & 1;
        const isLast = (edges[word - 1] >>> (16 + list)) & 1;
        if (isFirst + isLast > 0) out[list][t] = UNIT + isFirst + 2 * isLast;
      }
    }
  }
}
