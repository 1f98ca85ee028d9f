/** A typed stretch of tokens: the common currency between tag schemes, scoring and output. */
export interface Span {
  /** First token, from 0. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Chunk type, for example `NP`; empty for untyped schemes. */
  readonly type: string;
}

/** Reading direction: left to right, or right to left. */
export type Direction = 'forward' | 'backward';
