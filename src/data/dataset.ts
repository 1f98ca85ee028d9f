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

/** Features that read the label before a token (label₋₁), for learners that try every one. */
export interface LabelHistory {
  /** [L + 1] the feature of label₋₁ alone, L being the start of the sentence; D where there is none. */
  readonly alone: Uint32Array;
  /** One row per token: the features that join label₋₁ with the token, whatever label₋₁. */
  readonly joined: Rows;
  /** [D] the label₋₁ that a feature reads. */
  readonly previous: Uint16Array;
}

/** Training examples without any string. */
export interface Dataset {
  /** One row per token, sentences one after another, each in reading order. */
  readonly rows: Rows;
  /** [N] label ids. */
  readonly labels: Uint16Array;
  /** [S + 1] first row of each sentence. */
  readonly starts: Uint32Array;
  /** Features that read earlier labels, where they are not in the rows as those of the gold labels. */
  readonly history?: LabelHistory | undefined;
}
