import type { WordForms } from './word-forms.js';

/** Sentences of one document, as numbers of word forms. */
export interface WordDocument {
  /** The forms. */
  readonly forms: WordForms;
  /** [T] number of each token's form; may be longer. */
  readonly words: Uint32Array;
  /** [S + 1] first token of each sentence, from 0; the last is T. May be longer. */
  readonly starts: Uint32Array;
  /** Number of sentences S. */
  readonly sentences: number;
  /** [spans × 3] first token, token after the last and type of each span that the stage before found, in text order; absent where there is none. */
  readonly spans?: ArrayLike<number> | undefined;
  /** Number of its first sentence among the training data, where it is one of these. */
  readonly firstSentence?: number | undefined;
}

/** Cells of a derived column of words. */
export interface WordColumn {
  /** Name by which templates read it. */
  readonly name: string;
  /** The cell for each number, at most 65,536. Absent where cells are words of the document: then a number is 1 + a token, 0 for none. */
  readonly strings?: readonly string[] | undefined;
}

/** Makes derived columns of one document after another. */
export interface WordMatcher {
  /** The columns C. */
  readonly columns: readonly WordColumn[];
  /**
   * Makes a document's cells.
   *
   * @param out [C][T] numbers of the cells, one array for each column.
   */
  match(document: WordDocument, out: readonly Uint32Array[]): void;
}
