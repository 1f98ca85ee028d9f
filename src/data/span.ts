/** A typed stretch of tokens: the common currency between formats, tag schemes, scoring and output. */
export interface Span {
  /** First token, from 0. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Chunk type, for example `NP`; empty for untyped schemes. */
  readonly type: string;
}

/** Text that tells a span from all others of its sentence. */
export function spanKey({ start, end, type }: Span): string {
  return `${start}-${end}-${type}`;
}

/** A chunk, and how sure a model is of it where that is known. */
export interface RatedSpan extends Span {
  /** That of its least sure token, 0 … 1. */
  readonly confidence?: number | undefined;
}

/** A gold chunk that no stretch of tokens is, so that no labelling can find it. */
export interface MissedChunk {
  /** Chunk type. */
  readonly type: string;
  /** Which span it is and why no tokens are, for messages. */
  readonly reason: string;
}

/** A span over characters. */
export interface CharacterSpan {
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
  /** Type. */
  readonly type: string;
  /** How sure a model is of it, 0 … 1, where known. */
  readonly confidence?: number | undefined;
}

/** A token over characters. */
export interface CharacterToken {
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
  /** Further fields: `pos` and the like, blanks as `_`, since no cell of a column can hold them. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The words that spans of characters are. @param characters [T] the characters. */
export function wordsOfSpans(characters: readonly string[], spans: readonly Span[]): string[] {
  return spans.map(({ start, end }) => characters.slice(start, end).join(''));
}
