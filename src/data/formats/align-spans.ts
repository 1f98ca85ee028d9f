import { InputError, type InputPlace, quote } from '../../base/errors.js';
import { type OffsetUnit, offsetsIn } from '../../text/code-points.js';
import type { TextSentence } from '../../text/text-sentence.js';
import type { CharacterSpan, MissedChunk, Span } from '../span.js';

/** A sentence and the spans in it, by its tokens. */
export interface AlignedSentence {
  /** The sentence. */
  readonly sentence: TextSentence;
  /** Its spans in text order. */
  readonly spans: readonly Span[];
  /** Spans that start in it, or after the sentence before, which no stretch of its tokens is. */
  readonly missed: readonly MissedChunk[];
}

/** How {@link alignSpans} works. */
export interface AlignOptions {
  /** Whether sentences that a span goes across are joined, as in training; else the span is a missed one. */
  readonly joins: boolean;
  /** Unit of offsets in messages; default UTF-16 units. */
  readonly unit?: OffsetUnit | undefined;
}

/**
 * Finds the tokens that spans over characters cover. What stands between tokens, as white space does, does not count.
 *
 * @param text the document.
 * @param sentences its sentences, in text order; one or more where there are spans, or the spans are in none.
 * @param spans in text order, without overlaps.
 */
export function alignSpans(
  text: string,
  sentences: readonly TextSentence[],
  spans: readonly CharacterSpan[],
  { joins, unit = 'utf16' }: AlignOptions,
): AlignedSentence[] {
  const inUnit = offsetsIn(text, unit);
  const describe = (start: number, end: number) => [
    quote(text.slice(start, end)),
    `${inUnit(start)}–${inUnit(end)}`,
  ];
  const aligned: AlignedSentence[] = [];
  let s = 0;
  for (let first = 0, next = 1; first < sentences.length; first = next++) {
    const firstSpan = s;
    const isLast = () => next === sentences.length;
    for (; s < spans.length && (spans[s].start < endOf(sentences[next - 1]) || isLast()); s++) {
      while (joins && !isLast() && spans[s].end > sentences[next].start) next++;
    }
    const sentence = joinSentences(text, sentences.slice(first, next));
    const limit = isLast() ? text.length : sentences[next].start;
    const missed: MissedChunk[] = [];
    const found = spans.slice(firstSpan, s).map((span) => tokensOf(sentence, span, limit, describe, missed));
    aligned.push({ sentence, spans: found.filter((span) => span !== undefined), missed });
  }
  return aligned;
}

/**
 * Refuses spans that no tokens are.
 *
 * @param place names file and line in messages.
 * @param hint says what helps; asked where some are refused.
 * @throws InputError saying which, where, and how many more there are.
 */
export function refuseMissed(
  aligned: readonly AlignedSentence[],
  place: InputPlace,
  hint: () => string = () => '',
): void {
  const [first, ...others] = aligned.flatMap(({ missed }) => missed);
  if (first === undefined) return;
  const more = others.length;
  const rest = more > 0 ? `; ${more} more ${more > 1 ? 'spans' : 'span'} of this line` : '';
  throw new InputError(
    place,
    `expected spans that start and end where tokens do: ${first.reason}${rest}${hint()}`,
  );
}

/**
 * Successive sentences of a text as one.
 *
 * @param sentences one or more.
 */
export function joinSentences(text: string, sentences: readonly TextSentence[]): TextSentence {
  const [first] = sentences;
  if (sentences.length === 1) return first;
  const words = sentences.flatMap((sentence) => sentence.words);
  const tokens = new Uint32Array(2 * words.length);
  let filled = 0;
  for (const sentence of sentences) {
    const shift = sentence.start - first.start;
    for (const offset of sentence.tokens) tokens[filled++] = offset + shift;
  }
  const end = endOf(sentences[sentences.length - 1]);
  return { ...first, text: text.slice(first.start, end), tokens, words };
}

function endOf({ start, text }: TextSentence): number {
  return start + text.length;
}

/**
 * The tokens that a span covers, or nothing and one more that is missed.
 *
 * @param limit where the next sentence starts.
 */
function tokensOf(
  { tokens, start: base }: TextSentence,
  span: CharacterSpan,
  limit: number,
  describe: Describe,
  missed: MissedChunk[],
): Span | undefined {
  const miss = (problem: string) => {
    missed.push({ type: span.type, reason: `${named(span, describe)} ${problem}` });
    return undefined;
  };
  const start = span.start - base;
  const end = span.end - base;
  if (span.end > limit) return miss('goes across the end of a sentence');
  const first = tokensBefore(tokens, 1, start + 1);
  const last = tokensBefore(tokens, 0, end) - 1;
  if (first > last) return miss('covers no token');
  const isCut = tokens[2 * first] < start;
  if (isCut || tokens[2 * last + 1] > end) {
    const [from, to] = tokens.subarray(2 * (isCut ? first : last));
    const [token, offsets] = describe(base + from, base + to);
    return miss(`${isCut ? 'starts' : 'ends'} inside the token ${token} at ${offsets}`);
  }
  return { start: first, end: last + 1, type: span.type };
}

/** How many tokens have their start (side 0) or end (side 1) before `offset`. */
function tokensBefore(tokens: Uint32Array, side: 0 | 1, offset: number): number {
  let low = 0;
  let high = tokens.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[2 * middle + side] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Describes the text at a place, with its offsets. */
type Describe = (start: number, end: number) => string[];

function named({ start, end, type }: CharacterSpan, describe: Describe): string {
  const [characters, offsets] = describe(start, end);
  return `span ${offsets} ${characters} (${type})`;
}
