import { grown } from '../base/growable.js';
import type { CharacterKnowledge, DerivedKind, DerivedMatcher } from './derived-kind.js';
import type { FoldedCharacters } from './folded-characters.js';
import { TupleTable } from './tuple-table.js';

/** Longest word looked for; the few longer ones are numbers and names. */
const LONGEST_WORD = 6;

/** Parts that training data are cut into for jack-knifing, each of neighbouring sentences. */
const PARTS = 10;

/** A word that is visible to every sentence. */
const EVERYWHERE = 255;

/** Lengths of the longest training words around each character: of those that begin, end and go on there. */
export const LEXICON_COLUMNS: DerivedKind = {
  columns: ['begins', 'ends', 'inside'],
  cells: ['0', '1', '2', '3', '4', '5', '6'],
  create: (knowledge, characters) => new Lexicon(knowledge, characters),
};

/**
 * The words of training data as a trie of characters; those of one character, or more than six, are left out. While its
 * own training data are matched, a word that occurs in one part of them only is hidden from that part's sentences
 * (jack-knife): the data would otherwise teach that every word is known.
 */
export class Lexicon implements DerivedMatcher {
  private readonly characters: FoldedCharacters;
  /** (state, character) → state − 1; state 0 is the root. */
  private readonly edges = new TupleTable(2);
  /** [states] 0 where no word ends; EVERYWHERE; or 1 + the only part that the word occurs in. */
  private homes = new Uint8Array(1024);
  private readonly sentences: number;
  private readonly key = new Uint32Array(2);

  constructor({ words, sentences }: CharacterKnowledge, characters: FoldedCharacters) {
    this.characters = characters;
    this.sentences = sentences?.length ?? 0;
    if (sentences === undefined) {
      for (const word of words) this.add([...word], EVERYWHERE);
    } else {
      sentences.forEach((own, s) => {
        const home = 1 + this.partOf(s);
        for (const word of own) this.add([...word], home);
      });
    }
  }

  /** Writes [3 × T] lengths of words, 0 where there is none. */
  match(characters: Uint32Array, length: number, out: Uint8Array, sentence?: number): void {
    const { edges, homes } = this;
    const hidden = sentence === undefined ? 0 : 1 + this.partOf(sentence);
    out.fill(0, 0, 3 * length);
    for (let t = 0; t < length; t++) {
      let state = 0;
      const end = Math.min(length, t + LONGEST_WORD);
      for (let i = t; i < end; i++) {
        if (characters[i] === 0) break;
        state = edges.findPair(state, characters[i]) + 1;
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

  private add(word: readonly string[], home: number): void {
    if (word.length < 2 || word.length > LONGEST_WORD) return;
    const { edges, key, characters } = this;
    let state = 0;
    for (const character of word) {
      key[0] = state;
      key[1] = characters.add(character);
      state = edges.id(key, true) + 1;
    }
    this.homes = grown(this.homes, state + 1);
    const known = this.homes[state];
    this.homes[state] = known === 0 || known === home ? home : EVERYWHERE;
  }

  /** The part of the training data that a sentence belongs to. */
  private partOf(sentence: number): number {
    return Math.floor((sentence * PARTS) / this.sentences);
  }
}
