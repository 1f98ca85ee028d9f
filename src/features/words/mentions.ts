import { grown } from '../../base/growable.js';
import { FIRST_WORD, IN_CAPITALS, isAllCapitals, Places } from './places.js';
import { CAPITALISED, SMALL } from './word-forms.js';
import type { WordColumn, WordDocument, WordMatcher } from './word-kind.js';

/** Longer runs count as of this length. */
const LONGEST = 4;
const PLACES = ['U', 'B', 'I', 'E'];
const CELLS = ['-', ...PLACES.flatMap((place) => ['1', '2', '3', '4'].map((length) => place + length))];
/** Most words of a run whose initials are looked for. */
const MOST_INITIALS = 8;

/**
 * Where else a document mentions a capitalised word: `mention` (its place in the longest other run of capitalised words that
 * has it, and how long that is), `mention-first` and `mention-last` (the run's ends), `before-mention` and `after-mention` (the
 * words around its nearest other occurrence) and `acronym` (whether it is the initials of a run).
 */
export class Mentions implements WordMatcher {
  readonly columns: readonly WordColumn[] = [
    { name: 'mention', strings: CELLS },
    { name: 'mention-first' },
    { name: 'mention-last' },
    { name: 'before-mention' },
    { name: 'after-mention' },
    { name: 'acronym', strings: ['no', 'yes'] },
  ];
  private readonly places = new Places();
  /** [T] 1 + number of the token's run, 0 for none. */
  private runs = new Uint32Array(0);
  /** [runs + 1] first token of each run, and where it ends. */
  private firsts = new Uint32Array(64);
  private ends = new Uint32Array(64);
  private count = 0;
  /** [forms] by lower-case form: 1 + token in its longest run, and in the longest of the others. */
  private best = new Uint32Array(0);
  private second = new Uint32Array(0);
  /** [forms] whether a form in small letters occurs. */
  private small = new Uint8Array(0);
  /** [forms] by lower-case form 1 + its last capitalised token. */
  private last = new Uint32Array(0);
  /** [T] 1 + the capitalised occurrence before, in tokens. */
  private before = new Uint32Array(0);
  /** [T + 1] whether a token begins a sentence, or ends the document. */
  private begins = new Uint8Array(0);

  match(document: WordDocument, out: readonly Uint32Array[]): void {
    const { forms, words, starts, sentences } = document;
    this.findRuns(document, this.places.find(document));
    this.rankRuns(document);
    this.matchRuns(document, out);
    this.matchNearest(document, out);
    this.matchAcronyms(document, out[5]);
    for (let t = 0; t < starts[sentences]; t++) {
      const lower = forms.lower[words[t]];
      this.best[lower] = this.second[lower] = this.small[lower] = this.last[lower] = 0;
    }
  }

  /** Finds runs of capitalised words, outside of sentences in capitals; a first word that occurs in small letters begins none. */
  private findRuns({ forms, words, starts, sentences }: WordDocument, marks: Uint8Array): void {
    const length = starts[sentences];
    this.small = grown(this.small, forms.size);
    this.runs = grown(this.runs, length);
    const { small, runs } = this;
    for (let t = 0; t < length; t++) if ((forms.flags[words[t]] & SMALL) !== 0) small[words[t]] = 1;
    this.count = 0;
    for (let s = 0; s < sentences; s++) {
      let isInside = false;
      for (let t = starts[s]; t < starts[s + 1]; t++) {
        const isCapital = (forms.flags[words[t]] & CAPITALISED) !== 0 && (marks[t] & IN_CAPITALS) === 0;
        const isPart = isCapital && !((marks[t] & FIRST_WORD) !== 0 && small[forms.lower[words[t]]] === 1);
        if (isPart && !isInside) {
          this.firsts = grown(this.firsts, this.count + 1);
          this.ends = grown(this.ends, this.count + 1);
          this.firsts[this.count++] = t;
        }
        isInside = isPart;
        runs[t] = isPart ? this.count : 0;
        if (isPart) this.ends[this.count - 1] = t + 1;
      }
    }
  }

  /** Finds for each word the longest run that has it, and the longest of the others; of equals the first. */
  private rankRuns({ forms, words, starts, sentences }: WordDocument): void {
    this.best = grown(this.best, forms.size);
    this.second = grown(this.second, forms.size);
    const { best, second, runs } = this;
    for (let t = 0; t < starts[sentences]; t++) {
      if (runs[t] === 0) continue;
      const lower = forms.lower[words[t]];
      if (best[lower] > 0 && runs[best[lower] - 1] === runs[t]) continue;
      if (best[lower] === 0 || this.lengthAt(t) > this.lengthAt(best[lower] - 1)) {
        second[lower] = best[lower];
        best[lower] = t + 1;
      } else if (second[lower] === 0 || this.lengthAt(t) > this.lengthAt(second[lower] - 1)) {
        second[lower] = t + 1;
      }
    }
  }

  /** Length of the run that a token is in. */
  private lengthAt(token: number): number {
    const run = this.runs[token] - 1;
    return this.ends[run] - this.firsts[run];
  }

  private matchRuns(
    { forms, words, starts, sentences }: WordDocument,
    [mention, first, last]: readonly Uint32Array[],
  ): void {
    const { best, second, runs } = this;
    for (let t = 0; t < starts[sentences]; t++) {
      mention[t] = first[t] = last[t] = 0;
      if ((forms.flags[words[t]] & CAPITALISED) === 0) continue;
      const lower = forms.lower[words[t]];
      const isOwn = best[lower] > 0 && runs[t] > 0 && runs[best[lower] - 1] === runs[t];
      const found = isOwn ? second[lower] : best[lower];
      if (found === 0) continue;
      const run = runs[found - 1] - 1;
      const from = this.firsts[run];
      const end = this.ends[run];
      const place = end - from === 1 ? 0 : found - 1 === from ? 1 : found === end ? 3 : 2;
      mention[t] = 1 + LONGEST * place + Math.min(LONGEST, end - from) - 1;
      first[t] = from + 1;
      last[t] = end;
    }
  }

  /** Finds the words around the nearest other capitalised occurrence; of two equally near the earlier one. */
  private matchNearest(
    { forms, words, starts, sentences }: WordDocument,
    [, , , beforeMention, afterMention]: readonly Uint32Array[],
  ): void {
    const length = starts[sentences];
    this.last = grown(this.last, forms.size);
    this.before = grown(this.before, length);
    this.begins = grown(this.begins, length + 1);
    const { last, before, begins } = this;
    begins.fill(0, 0, length);
    for (let s = 0; s <= sentences; s++) begins[starts[s]] = 1;
    for (let t = 0; t < length; t++) {
      before[t] = 0;
      if ((forms.flags[words[t]] & CAPITALISED) === 0) continue;
      const lower = forms.lower[words[t]];
      before[t] = last[lower];
      last[lower] = t + 1;
    }
    for (let t = 0; t < length; t++) last[forms.lower[words[t]]] = 0;
    for (let t = length - 1; t >= 0; t--) {
      beforeMention[t] = afterMention[t] = 0;
      if ((forms.flags[words[t]] & CAPITALISED) === 0) continue;
      const lower = forms.lower[words[t]];
      const after = last[lower];
      last[lower] = t + 1;
      const isAfter = after > 0 && (before[t] === 0 || after - 1 - t < t + 1 - before[t]);
      const found = (isAfter ? after : before[t]) - 1;
      if (found < 0) continue;
      beforeMention[t] = begins[found] === 1 ? 0 : found;
      afterMention[t] = begins[found + 1] === 1 ? 0 : found + 2;
    }
  }

  /** Notes the words in capitals that are the initials of a run. */
  private matchAcronyms({ forms, words, starts, sentences }: WordDocument, acronym: Uint32Array): void {
    const initials = new Set<number>();
    for (let run = 0; run < this.count; run++) {
      const from = this.firsts[run];
      const end = this.ends[run];
      if (end - from < 2 || end - from > MOST_INITIALS) continue;
      let text = '';
      for (let t = from; t < end; t++) text += [...forms.alphabet.string(words[t])][0];
      const id = forms.alphabet.find(text);
      if (id >= 0) initials.add(id);
    }
    for (let t = 0; t < starts[sentences]; t++) {
      acronym[t] = isAllCapitals(forms.flags[words[t]]) && initials.has(words[t]) ? 1 : 0;
    }
  }
}
