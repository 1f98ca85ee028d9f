import type { FoldedCharacters } from './folded-characters.js';
import type { NgramVariety } from './ngram-variety.js';

/** Knowledge that derived columns are made of, besides a sentence's characters. */
export interface CharacterKnowledge {
  /** The words of the training data. */
  readonly words: Iterable<string>;
  /** [S] the words of each of their sentences, where it is these that are read. */
  readonly sentences?: readonly (readonly string[])[] | undefined;
  /** Accessor variety of n-grams. */
  readonly variety?: NgramVariety | undefined;
}

/** Derived columns of a sentence's characters. */
export interface DerivedMatcher {
  /**
   * Makes a sentence's cells.
   *
   * @param characters [T] numbers of its characters.
   * @param out [C × T] numbers of the cells, column by column.
   * @param sentence its number, where it is one of {@link CharacterKnowledge.sentences}.
   */
  match(characters: Uint32Array, length: number, out: Uint8Array, sentence?: number): void;
}

/** Columns that templates can read although no input has them: they are made of a sentence's characters. */
export interface DerivedKind {
  /** Names of its columns [C]. */
  readonly columns: readonly string[];
  /** The cell for each number that a matcher writes, at most 256. */
  readonly cells: readonly string[];
  /** Makes a matcher, which adds the characters it knows to `characters`; it is given their numbers. */
  create(knowledge: CharacterKnowledge, characters: FoldedCharacters): DerivedMatcher;
}
