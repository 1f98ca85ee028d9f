/**
 * Accessor variety (Feng, Chen, Deng and Zheng 2004): AV(s) = min(distinct characters left of s, distinct ones right of s)
 * over all places where s stands in a text; an end of the text or a punctuation mark counts as another one every time. What
 * is often free on both sides is likely to be a word.
 */
import { Uint32List } from '../base/growable.js';
import { Alphabet } from '../data/alphabet.js';
import type { DerivedKind, DerivedMatcher } from './derived-kind.js';
import type { FoldedCharacters } from './folded-characters.js';
import type { NgramVariety } from './ngram-variety.js';
import { TupleTable } from './tuple-table.js';
import { foldWidth } from './views.js';

const SHORTEST = 2;
const LONGEST = 6;

/** Values are capped here: no variety of a character is larger than 2^15. */
const LARGEST_VALUE = 15;

/** Where in an n-gram a character stands. */
const POSITIONS = ['b', 'i', 'e'];

/** For n from 2 to 6 the largest ⌊log₂ AV⌋ of the n-grams that a character is in, and where in that n-gram it stands. */
export const ACCESSOR_VARIETY_COLUMNS: DerivedKind = {
  columns: Array.from({ length: LONGEST - SHORTEST + 1 }, (_, i) => `av${SHORTEST + i}`),
  cells: [
    '0',
    ...Array.from({ length: LARGEST_VALUE }, (_, i) => POSITIONS.map((at) => `${i + 1}${at}`)).flat(),
  ],
  create({ variety }, characters) {
    if (variety === undefined) throw new Error('expected the accessor variety of n-grams, found none');
    return new VarietyMatcher(variety, characters);
  },
};

class VarietyMatcher implements DerivedMatcher {
  /** (state, character) → state − 1; state 0 is the root. */
  private readonly edges = new TupleTable(2);
  /** [N] */
  private readonly values: Uint8Array;
  private readonly key = new Uint32Array(2);

  constructor({ characters, children, last, values }: NgramVariety, numbers: FoldedCharacters) {
    this.values = values;
    const numberOf = characters.map((character) => numbers.add(character));
    let child = 0;
    for (let state = 0; state < children.length; state++) {
      this.key[0] = state;
      for (const end = child + children[state]; child < end; child++) {
        this.key[1] = numberOf[last[child]];
        this.edges.id(this.key, true);
      }
    }
  }

  /** Writes [5 × T] cells. */
  match(characters: Uint32Array, length: number, out: Uint8Array): void {
    const { edges, values, key } = this;
    out.fill(0, 0, (LONGEST - SHORTEST + 1) * length);
    for (let t = 0; t < length; t++) {
      let state = 0;
      const limit = Math.min(length, t + LONGEST);
      for (let i = t; i < limit; i++) {
        key[0] = state;
        key[1] = characters[i];
        const id = edges.id(key, false);
        if (id < 0) break;
        state = id + 1;
        const value = values[id];
        if (value === 0) continue;
        const row = (i + 1 - t - SHORTEST) * length;
        const least = POSITIONS.length * (value - 1) + 1;
        for (let inside = t; inside <= i; inside++) {
          // Of equal values that of the first n-gram stays.
          if (out[row + inside] >= least) continue;
          out[row + inside] = least + (inside === t ? 0 : inside === i ? 2 : 1);
        }
      }
    }
  }
}

/** The n-grams of one length that a text has. */
interface Level {
  /** [n-grams] the n-gram that each begins with, of the level before. */
  readonly parents: Uint32Array;
  /** [n-grams] last characters. */
  readonly last: Uint32Array;
  /** [n-grams] ⌊log₂ AV⌋. */
  readonly values: Uint8Array;
  /** [n-grams] 1 for those that some n-gram of a value above 0 is, or begins with. */
  readonly kept: Uint8Array;
}

/** Collects text, and measures the variety of its n-grams; in time linear in the text. */
export class VarietyCounter {
  private readonly alphabet = new Alphabet();
  /** Numbers of characters from 1; 0 between stretches, where it counts as another neighbour every time. */
  private readonly text = new Uint32List(1024);

  constructor() {
    this.text.push(0);
  }

  /** Adds a sentence or a line. */
  add(characters: Iterable<string>): void {
    for (const character of characters) {
      const isEnd = /^[\p{P}\s]/u.test(character);
      this.text.push(isEnd ? 0 : 1 + this.alphabet.add(foldWidth(character)));
    }
    this.text.push(0);
  }

  /** The variety of all n-grams of the text added. */
  measure(): NgramVariety {
    const levels = this.measureLevels();
    for (let n = levels.length - 1; n >= 0; n--) {
      const { parents, values, kept } = levels[n];
      for (let id = 0; id < values.length; id++) {
        if (values[id] > 0) kept[id] = 1;
        if (kept[id] > 0 && n > 0) levels[n - 1].kept[parents[id]] = 1;
      }
    }
    const size = levels.reduce((sum, { kept }) => sum + kept.reduce((own, one) => own + one, 0), 0);
    const children = new Uint32Array(size + 1);
    const last = new Uint32Array(size);
    const values = new Uint8Array(size);
    /** [states] the next child's state, for those of the level before: from … to − 1. */
    const next = new Uint32Array(size + 1);
    let [from, to] = [0, 1];
    /** [n-grams of the level before] their states. */
    let states = new Uint32Array(1);
    for (const level of levels) {
      const { parents, kept } = level;
      for (let id = 0; id < kept.length; id++) children[states[parents[id]]] += kept[id];
      let end = to;
      for (let state = from; state < to; state++) {
        next[state] = end;
        end += children[state];
      }
      const own = new Uint32Array(kept.length);
      for (let id = 0; id < kept.length; id++) {
        if (kept[id] === 0) continue;
        own[id] = next[states[parents[id]]]++;
        last[own[id] - 1] = level.last[id];
        values[own[id] - 1] = level.values[id];
      }
      states = own;
      [from, to] = [to, end];
    }
    return { characters: this.alphabet.toArray(), children, last, values };
  }

  private measureLevels(): Level[] {
    const text = this.text.toArray();
    const size = this.alphabet.size;
    /** [text] 1 + the n-gram that begins there, 0 for one that occurs once: its variety is 1, and so is that of all longer ones. */
    const ids = text.slice();
    let counts = countIds(ids, size);
    const levels: Level[] = [
      {
        parents: new Uint32Array(size),
        last: Uint32Array.from({ length: size }, (_, id) => id),
        values: new Uint8Array(size),
        kept: new Uint8Array(size),
      },
    ];
    const key = new Uint32Array(2);
    for (let n = SHORTEST; n <= LONGEST; n++) {
      const table = new TupleTable(2);
      for (let t = 0; t < text.length; t++) {
        if (ids[t] === 0) continue;
        const end = text[t + n - 1];
        key[0] = ids[t] - 1;
        key[1] = end - 1;
        ids[t] = end === 0 || counts[key[0]] === 1 ? 0 : 1 + table.id(key, true);
      }
      counts = countIds(ids, table.size);
      const keys = table.pack();
      const column = (at: number) => Uint32Array.from({ length: table.size }, (_, id) => keys[2 * id + at]);
      levels.push({
        parents: column(0),
        last: column(1),
        values: varieties(text, ids, counts, n, size),
        kept: new Uint8Array(table.size),
      });
    }
    return levels;
  }
}

/** [n-grams] how often each occurs. */
function countIds(ids: Uint32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let t = 0; t < ids.length; t++) if (ids[t] > 0) counts[ids[t] - 1]++;
  return counts;
}

/**
 * [n-grams] ⌊log₂ AV⌋. The places of each n-gram are put side by side, so that a mark per character tells whether a
 * neighbour is new.
 */
function varieties(
  text: Uint32Array,
  ids: Uint32Array,
  counts: Uint32Array,
  n: number,
  characters: number,
): Uint8Array {
  const ends = new Uint32Array(counts.length);
  for (let id = 1; id < ends.length; id++) ends[id] = ends[id - 1] + counts[id - 1];
  const places = new Uint32Array(text.length);
  for (let t = 0; t < ids.length; t++) if (ids[t] > 0) places[ends[ids[t] - 1]++] = t;
  const leftOf = new Uint32Array(characters + 1);
  const rightOf = new Uint32Array(characters + 1);
  const values = new Uint8Array(counts.length);
  for (let id = 0, p = 0; id < counts.length; id++) {
    let lefts = 0;
    let rights = 0;
    for (; p < ends[id]; p++) {
      const left = text[places[p] - 1];
      const right = text[places[p] + n];
      if (left === 0 || leftOf[left] !== id + 1) lefts++;
      if (right === 0 || rightOf[right] !== id + 1) rights++;
      leftOf[left] = id + 1;
      rightOf[right] = id + 1;
    }
    values[id] = Math.min(LARGEST_VALUE, Math.floor(Math.log2(Math.min(lefts, rights))));
  }
  return values;
}
