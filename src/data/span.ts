/** A typed stretch of tokens: the common currency between formats, tag schemes, scoring and output. */
export interface Span {
  /** First token, from 0. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Chunk type, for example `NP`; empty for untyped schemes. */
  readonly type: string;
}

/** A chunk, and how sure a model is of it where that is known. */
export interface RatedSpan extends Span {
  /** That of its least sure token, 0 … 1. */
  readonly confidence?: number | undefined;
}

/** The words that spans of characters are. @param characters [T] the characters. */
export function wordsOfSpans(characters: readonly string[], spans: readonly Span[]): string[] {
  return spans.map(({ start, end }) => characters.slice(start, end).join(''));
}
