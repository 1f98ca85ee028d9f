/**
 * Sparse binary rows (CSR): row n holds the features `indices[offsets[n] … offsets[n + 1] − 1]`, each of value 1.
 */
export interface Rows {
  /** [N + 1] */
  readonly offsets: Uint32Array;
  /** [nnz] feature ids below `features`. */
  readonly indices: Uint32Array;
  /** Number of features D. */
  readonly features: number;
}

/** Training examples without any string. */
export interface Dataset {
  /** One row per token, sentences one after another, each in reading order. */
  readonly rows: Rows;
  /** [N] label ids. */
  readonly labels: Uint16Array;
  /** [S + 1] first row of each sentence. */
  readonly starts: Uint32Array;
}
