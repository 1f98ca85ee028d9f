import { grown } from '../../base/growable.js';
import { FIRST_WORD, IN_CAPITALS, isTrulyCapitalised, Places } from './places.js';
import { CAPITALISED, LETTER, SMALL } from './word-forms.js';
import type { WordColumn, WordDocument, WordMatcher } from './word-kind.js';

/** How the other occurrences of a word in its document are written, the word itself being the first of its sentence or not. */
const CASINGS = ['-', 'alone', 'small', 'capitalised', 'mixed', 'unsure'];
const CELLS = [...CASINGS, ...CASINGS.map((casing) => `${casing}-first`)];

/**
 * What a document says about the casing of its words: `capitals` (whether the sentence is written in capitals), `casing` (how
 * the word's other occurrences are written) and `truecase` (the form that it most often has where casing is free, for words
 * that begin a sentence or stand in one of capitals).
 */
export class Casing implements WordMatcher {
  readonly columns: readonly WordColumn[] = [
    { name: 'capitals', strings: ['no', 'yes'] },
    { name: 'casing', strings: CELLS },
    { name: 'truecase' },
  ];
  private readonly places = new Places();
  /** [forms] counts by lower-case form: occurrences, those in small letters, those capitalised where casing is free. */
  private all = new Uint32Array(0);
  private small = new Uint32Array(0);
  private capitalised = new Uint32Array(0);
  /** [forms] occurrences of a form where casing is free. */
  private free = new Uint32Array(0);
  /** [forms] by lower-case form 1 + the first token of the form most frequent where casing is free, 0 for none. */
  private best = new Uint32Array(0);

  match(document: WordDocument, [capitals, casing, truecase]: readonly Uint32Array[]): void {
    const { forms, words, starts, sentences } = document;
    const length = starts[sentences];
    const marks = this.places.find(document);
    this.count(document, marks);
    const { all, small, capitalised, free, best } = this;
    for (let t = 0; t < length; t++) {
      const form = words[t];
      const lower = forms.lower[form];
      const flags = forms.flags[form];
      capitals[t] = marks[t] & IN_CAPITALS;
      const isFirst = (marks[t] & FIRST_WORD) !== 0;
      let kind = 0;
      if ((flags & LETTER) !== 0) {
        const others = all[lower] - 1;
        const smalls = small[lower] - ((flags & SMALL) !== 0 ? 1 : 0);
        const capital = capitalised[lower] - (isTrulyCapitalised(flags, marks[t]) ? 1 : 0);
        if (others === 0) kind = 1;
        else if (smalls > 0 && capital > 0) kind = 4;
        else if (smalls > 0) kind = 2;
        else kind = capital > 0 ? 3 : 5;
      }
      casing[t] = kind + (isFirst ? CASINGS.length : 0);
      truecase[t] = marks[t] !== 0 && (flags & CAPITALISED) !== 0 && best[lower] > 0 ? best[lower] : t + 1;
    }
    for (let t = 0; t < length; t++) {
      const lower = forms.lower[words[t]];
      all[lower] = small[lower] = capitalised[lower] = free[words[t]] = best[lower] = 0;
    }
  }

  private count({ forms, words, starts, sentences }: WordDocument, marks: Uint8Array): void {
    this.all = grown(this.all, forms.size);
    this.small = grown(this.small, forms.size);
    this.capitalised = grown(this.capitalised, forms.size);
    this.free = grown(this.free, forms.size);
    this.best = grown(this.best, forms.size);
    const { all, small, capitalised, free, best } = this;
    const length = starts[sentences];
    for (let t = 0; t < length; t++) {
      const form = words[t];
      const lower = forms.lower[form];
      const flags = forms.flags[form];
      all[lower]++;
      if ((flags & SMALL) !== 0) small[lower]++;
      if (isTrulyCapitalised(flags, marks[t])) capitalised[lower]++;
      if (marks[t] === 0) free[form]++;
    }
    for (let t = 0; t < length; t++) {
      if (marks[t] !== 0) continue;
      const lower = forms.lower[words[t]];
      const known = best[lower];
      if (known === 0 || free[words[t]] > free[words[known - 1]]) best[lower] = t + 1;
    }
  }
}
