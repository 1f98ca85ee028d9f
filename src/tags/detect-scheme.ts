import type { Span } from '../data/span.js';
import {
  CHUNK_SCHEMES,
  type ChunkSchemeName,
  decodeParsedTags,
  type ParsedTag,
  parseTags,
  SCHEMES,
  type TagScheme,
  visitTags,
} from './scheme.js';

/** Result of {@link detectScheme}. */
export interface SchemeDetection {
  /** The scheme. */
  readonly scheme: ChunkSchemeName;
  /** Number of tags that the scheme would write otherwise. */
  readonly irregular: number;
  /** Number of all tags, `O` included. */
  readonly tags: number;
}

/**
 * The scheme of chunks that the fewest tags contradict; among equals, the first one in {@link SCHEMES}.
 *
 * @param sequences tags of each sentence, in text order.
 * @throws SpanwrightError (`bad-tag`) as `decodeTags`.
 */
export function detectScheme(sequences: Iterable<readonly string[]>): SchemeDetection {
  const sentences = Array.from(sequences, (sequence) => parseTags(sequence));
  return detectParsedScheme(sentences.map((tags) => ({ tags, spans: decodeParsedTags(tags) })));
}

/**
 * {@link detectScheme} for sentences already taken apart.
 *
 * @param sentences tags of each, in text order, and the spans that they stand for.
 * @param expected the scheme to take among equals.
 */
export function detectParsedScheme(
  sentences: Iterable<{ readonly tags: readonly ParsedTag[]; readonly spans: readonly Span[] }>,
  expected?: ChunkSchemeName,
): SchemeDetection {
  const names = Object.keys(CHUNK_SCHEMES) as ChunkSchemeName[];
  const irregular = names.map(() => 0);
  let count = 0;
  for (const { tags, spans } of sentences) {
    for (let k = 0; k < names.length; k++) irregular[k] += countIrregular(SCHEMES[names[k]], tags, spans);
    count += tags.length;
  }
  const least = Math.min(...irregular);
  const wanted = expected === undefined ? -1 : names.indexOf(expected);
  const best = irregular[wanted] === least ? wanted : irregular.indexOf(least);
  return { scheme: names[best], irregular: irregular[best], tags: count };
}

/** Number of tags that a scheme would write otherwise; decoding keeps every token's type, so leading tags decide. */
function countIrregular(scheme: TagScheme, tags: readonly ParsedTag[], spans: readonly Span[]): number {
  let count = 0;
  visitTags(scheme, spans, (i, leading) => {
    if (leading !== tags[i].leading) count++;
  });
  return count;
}
