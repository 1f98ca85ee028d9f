/** Positions of a stretch, which is scored at a time: tokens of sentences, and what is around these. */
export const POSITIONS = 1024;

/** Sentences of some text. */
export interface SentenceCells {
  /** UTF-8 text that the cells are in, line after line. */
  readonly bytes: Uint8Array;
  /** [tokens × input columns × 2] start and end of each cell in `bytes`, in text order, of one sentence after another. */
  readonly cells: Uint32Array;
  /** [sentences + 1] where each sentence starts, in tokens. */
  readonly starts: Uint32Array;
  /**
   * [derived columns of words] numbers of the cells of all tokens, or where a column's cells are words of the document, [tokens × 2]
   * start and end of each in `bytes`.
   */
  readonly derived?: readonly Uint32Array[] | undefined;
}

/** No sentences. */
export const NO_SENTENCES: SentenceCells = {
  bytes: new Uint8Array(0),
  cells: new Uint32Array(0),
  starts: new Uint32Array(1),
};
