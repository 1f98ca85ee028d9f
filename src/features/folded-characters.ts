import { Alphabet } from '../data/alphabet.js';
import { foldWidth } from './views.js';

/** Characters ↔ numbers 1, 2, 3 …, full-width forms as ASCII has them; 0 is for those that were never added. */
export class FoldedCharacters {
  private readonly forms = new Alphabet();
  /** [forms] number of the character that each is a form of. */
  private readonly numbers: number[] = [];

  /** Number of a character, which is a new one if it has none. */
  add(character: string): number {
    const known = this.find(character);
    if (known > 0) return known;
    const folded = foldWidth(character);
    const code = folded.charCodeAt(0);
    const isAscii = code > 32 && code < 127;
    const number = this.forms.size + 1;
    for (const form of isAscii ? [folded, String.fromCharCode(code + 0xfee0)] : [folded]) {
      this.numbers[this.forms.add(form)] = number;
    }
    return number;
  }

  /** Number of a character. */
  find(character: string): number {
    const id = this.forms.find(character);
    return id < 0 ? 0 : this.numbers[id];
  }

  /** As {@link find} for UTF-8 bytes. */
  findBytes(bytes: Uint8Array, start: number, end: number): number {
    const id = this.forms.findBytes(bytes, start, end);
    return id < 0 ? 0 : this.numbers[id];
  }
}
