import { grown } from '../base/growable.js';
import { Alphabet } from '../data/alphabet.js';
import { TupleTable } from './tuple-table.js';
import { foldWidth } from './views.js';

/** Longest word looked for; the few longer ones are numbers and names. */
const LONGEST_WORD = 6;

/** Parts that training data are cut into for jack-knifing, each of neighbouring sentences. */
const PARTS = 10;

/** A word that is visible to every sentence. */
const EVERYWHERE = 255;

/**
 * The words of training data as a trie of characters, full-width ones as ASCII has them. While its own training data are
 * matched, a word that occurs in one part of them only is hidden from that part's sentences (jack-knife): the data would
 * otherwise teach that every word is known.
 */
export class Lexicon {
  private readonly characters = new Alphabet();
  /** [characters] the folded form's number, from 1. */
  private readonly classes: number[] = [];
  /** (state, class) → state − 1; state 0 is the root. */
  private readonly edges = new TupleTable(2);
  /** [states] 0 where no word ends; EVERYWHERE; or 1 + the only part that the word occurs in. */
  private homes = new Uint8Array(1024);
  private readonly key = new Uint32Array(2);

  /**
   * The lexicon of a model: every word is visible everywhere.
   *
   * @param words of any length; those of one character, or more than six, are left out.
   */
  static of(words: Iterable<string>): Lexicon {
    const lexicon = new Lexicon();
    for (const word of words) lexicon.add([...word], EVERYWHERE);
    return lexicon;
  }

  /** The lexicon of training data, for matching these. @param sentences [S] the words of each sentence. */
  static jackknifed(sentences: readonly (readonly string[])[]): Lexicon {
    const lexicon = new Lexicon();
    sentences.forEach((words, s) => {
      const home = 1 + partOf(s, sentences.length);
      for (const word of words) lexicon.add([...word], home);
    });
    return lexicon;
  }

  /** Number of a character, 0 where no word has it. */
  find(character: string): number {
    const id = this.characters.find(character);
    return id < 0 ? 0 : this.classes[id];
  }

  /** As {@link find} for UTF-8 bytes. */
  findBytes(bytes: Uint8Array, start: number, end: number): number {
    const id = this.characters.findBytes(bytes, start, end);
    return id < 0 ? 0 : this.classes[id];
  }

  /**
   * The longest words around each character.
   *
   * @param characters [T] numbers that {@link find} gave.
   * @param out [3 × T] length of the longest word that begins at each character, of the longest that ends there, and of the
   *   longest in whose inside it stands; 0 where there is none.
   * @param part the part of the training data that the characters are from, if they are.
   */
  match(characters: Uint32Array, length: number, out: Uint8Array, part = -1): void {
    const { edges, homes, key } = this;
    const hidden = part + 1;
    out.fill(0, 0, 3 * length);
    for (let t = 0; t < length; t++) {
      let state = 0;
      const end = Math.min(length, t + LONGEST_WORD);
      for (let i = t; i < end; i++) {
        if (characters[i] === 0) break;
        key[0] = state;
        key[1] = characters[i];
        state = edges.id(key, false) + 1;
        if (state === 0) break;
        if (homes[state] === 0 || homes[state] === hidden) continue;
        const size = i + 1 - t;
        out[t] = size;
        if (size > out[length + i]) out[length + i] = size;
        for (let inner = t + 1; inner < i; inner++) {
          if (size > out[2 * length + inner]) out[2 * length + inner] = size;
        }
      }
    }
  }

  private add(characters: readonly string[], home: number): void {
    if (characters.length < 2 || characters.length > LONGEST_WORD) return;
    const { edges, key } = this;
    let state = 0;
    for (const character of characters) {
      key[0] = state;
      key[1] = this.classOf(character);
      state = edges.id(key, true) + 1;
    }
    this.homes = grown(this.homes, state + 1);
    const known = this.homes[state];
    this.homes[state] = known === 0 || known === home ? home : EVERYWHERE;
  }

  private classOf(character: string): number {
    const known = this.characters.find(character);
    if (known >= 0) return this.classes[known];
    const folded = foldWidth(character);
    const code = folded.charCodeAt(0);
    const isAscii = code > 32 && code < 127;
    const number = this.characters.size + 1;
    for (const form of isAscii ? [folded, String.fromCharCode(code + 0xfee0)] : [folded]) {
      this.classes[this.characters.add(form)] = number;
    }
    return number;
  }
}

/** The part of the training data that a sentence belongs to. */
export function partOf(sentence: number, sentences: number): number {
  return Math.floor((sentence * PARTS) / sentences);
}
