import { grown } from '../../base/growable.js';
import { ALL_CAPITALS, CAPITALISED, OPENING } from './word-forms.js';
import type { WordDocument } from './word-kind.js';

/** Share of capitals among a sentence's letters from which on it counts as written in capitals. */
const CAPITAL_SHARE = 0.7;

/** {@link Places.marks}: in a sentence of two words or more that is written in capitals. */
export const IN_CAPITALS = 1;
/** {@link Places.marks}: first word of a sentence. */
export const FIRST_WORD = 2;

/** What the place of a token says about its casing. */
export class Places {
  /** [T] {@link IN_CAPITALS} and {@link FIRST_WORD}. */
  marks = new Uint8Array(1024);

  /** Looks at a document. */
  find({ forms, words, starts, sentences }: WordDocument): Uint8Array {
    this.marks = grown(this.marks, starts[sentences]);
    const { marks } = this;
    for (let s = 0; s < sentences; s++) {
      const first = starts[s];
      const end = starts[s + 1];
      let capitals = 0;
      let smalls = 0;
      for (let t = first; t < end; t++) {
        capitals += forms.capitals[words[t]];
        smalls += forms.smalls[words[t]];
      }
      const isCapital = end - first > 1 && capitals > 0 && capitals >= CAPITAL_SHARE * (capitals + smalls);
      marks.fill(isCapital ? IN_CAPITALS : 0, first, end);
      let opening = first;
      while (opening < end - 1 && (forms.flags[words[opening]] & OPENING) !== 0) opening++;
      if (end > first) marks[opening] |= FIRST_WORD;
    }
    return marks;
  }
}

/** Whether casing says something about a token: its form is capitalised, and neither place nor sentence asks for that. */
export function isTrulyCapitalised(flags: number, mark: number): boolean {
  return (flags & CAPITALISED) !== 0 && mark === 0;
}

/** Whether a form has capitals alone. */
export function isAllCapitals(flags: number): boolean {
  return (flags & ALL_CAPITALS) !== 0;
}
