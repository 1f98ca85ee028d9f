import { InputError, type InputPlace, quote } from '../../base/errors.js';
import { type OffsetUnit, offsetsIn } from '../../text/code-points.js';
import type { TextSentence } from '../../text/text-sentence.js';
import type { Span } from '../span.js';
import type { CharacterSpan } from './spans-jsonl.js';

/** A sentence and the spans in it, by its tokens. */
export interface AlignedSentence {
  /** The sentence. */
  readonly sentence: TextSentence;
  /** Its spans in text order. */
  readonly spans: readonly Span[];
}

/**
 * Finds the tokens that spans over characters cover. What stands between tokens, as white space does, does not count.
 * Sentences that a span goes across are joined.
 *
 * @param text the document.
 * @param sentences its sentences, in text order.
 * @param spans in text order, without overlaps.
 * @param place names file and line in messages.
 * @param unit what offsets in messages count.
 * @throws InputError for spans that start or end inside a token: which, where, and how many more there are.
 */
export function alignSpans(
  text: string,
  sentences: readonly TextSentence[],
  spans: readonly CharacterSpan[],
  place: InputPlace,
  unit: OffsetUnit = 'utf16',
): AlignedSentence[] {
  const problems: string[] = [];
  const inUnit = offsetsIn(text, unit);
  const describe = (start: number, end: number) => [
    quote(text.slice(start, end)),
    `${inUnit(start)}–${inUnit(end)}`,
  ];
  const aligned: AlignedSentence[] = [];
  let s = 0;
  for (let first = 0, next = 1; first < sentences.length; first = next++) {
    const firstSpan = s;
    for (; s < spans.length && spans[s].start < endOf(sentences[next - 1]); s++) {
      while (next < sentences.length && spans[s].end > sentences[next].start) next++;
    }
    const sentence = joinSentences(text, sentences.slice(first, next));
    const found = spans.slice(firstSpan, s).map((span) => tokensOf(sentence, span, describe, problems));
    aligned.push({ sentence, spans: found.filter((span) => span !== undefined) });
  }
  for (; s < spans.length; s++) problems.push(`${named(spans[s], describe)} covers no token`);
  if (problems.length > 0) {
    const more = problems.length - 1;
    const others = more > 0 ? `; ${more} more ${more > 1 ? 'spans' : 'span'} of this line` : '';
    throw new InputError(place, `expected spans that start and end where tokens do: ${problems[0]}${others}`);
  }
  return aligned;
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

/** The tokens that a span covers, or nothing and a problem more. */
function tokensOf(
  { tokens, start: base }: TextSentence,
  span: CharacterSpan,
  describe: Describe,
  problems: string[],
): Span | undefined {
  const start = span.start - base;
  const end = span.end - base;
  const first = tokensBefore(tokens, 1, start + 1);
  const last = tokensBefore(tokens, 0, end) - 1;
  if (first > last) {
    problems.push(`${named(span, describe)} covers no token`);
    return undefined;
  }
  const isCut = tokens[2 * first] < start;
  if (isCut || tokens[2 * last + 1] > end) {
    const [from, to] = tokens.subarray(2 * (isCut ? first : last));
    const [token, offsets] = describe(base + from, base + to);
    problems.push(
      `${named(span, describe)} ${isCut ? 'starts' : 'ends'} inside the token ${token} at ${offsets}`,
    );
    return undefined;
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
