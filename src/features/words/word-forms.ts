import { grown } from '../../base/growable.js';
import { Alphabet } from '../../data/alphabet.js';

/** {@link WordForms.flags}: has a letter. */
export const LETTER = 1;
/** {@link WordForms.flags}: begins with a capital. */
export const CAPITALISED = 2;
/** {@link WordForms.flags}: has letters, none of which is a capital. */
export const SMALL = 4;
/** {@link WordForms.flags}: has capitals and no small letters. */
export const ALL_CAPITALS = 8;
/** {@link WordForms.flags}: quotes, brackets and dashes only, which may stand before the first word of a sentence. */
export const OPENING = 16;

/** Numbers of word forms, and what derived columns ask of a form again and again. */
export class WordForms {
  /** The forms; a form's number is its id here. */
  readonly alphabet = new Alphabet();
  /** [forms] number of the form in lower case. */
  lower = new Uint32Array(1024);
  /** [forms] {@link LETTER} and so on. */
  flags = new Uint8Array(1024);
  /** [forms] number of capitals. */
  capitals = new Uint8Array(1024);
  /** [forms] number of small letters. */
  smalls = new Uint8Array(1024);
  private described = 0;

  /** Number of forms. */
  get size(): number {
    return this.alphabet.size;
  }

  /** Number of a form, which is a new one if it has none. */
  add(text: string): number {
    const id = this.alphabet.add(text);
    if (id >= this.described) this.describe();
    return id;
  }

  /** As {@link add} for UTF-8 bytes. */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const id = this.alphabet.addBytes(bytes, start, end);
    if (id >= this.described) this.describe();
    return id;
  }

  /** Describes the forms that are new; their lower-case forms are added. */
  private describe(): void {
    const { alphabet } = this;
    for (; this.described < alphabet.size; this.described++) {
      const id = this.described;
      const text = alphabet.string(id);
      const lower = text.toLowerCase();
      const lowerId = lower === text ? id : alphabet.add(lower);
      this.lower = grown(this.lower, id + 1);
      this.flags = grown(this.flags, id + 1);
      this.capitals = grown(this.capitals, id + 1);
      this.smalls = grown(this.smalls, id + 1);
      const capitals = count(text, /\p{Lu}/gu);
      const smalls = count(text, /\p{Ll}/gu);
      this.lower[id] = lowerId;
      this.capitals[id] = Math.min(255, capitals);
      this.smalls[id] = Math.min(255, smalls);
      const hasLetter = capitals + smalls > 0 || /\p{L}/u.test(text);
      this.flags[id] =
        (hasLetter ? LETTER : 0) |
        (/^\p{Lu}/u.test(text) ? CAPITALISED : 0) |
        (hasLetter && lower === text ? SMALL : 0) |
        (capitals > 0 && smalls === 0 ? ALL_CAPITALS : 0) |
        (/^["'`“”‘’«»([{–—-]+$/u.test(text) ? OPENING : 0);
    }
  }
}

function count(text: string, members: RegExp): number {
  return text.match(members)?.length ?? 0;
}
