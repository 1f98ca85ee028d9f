import { InputError, type InputPlace, quote } from '../../base/errors.js';
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
 * Finds the tokens that spans over characters cover. White space at a span's edges does not count. Sentences that a
 * span goes across are joined.
 *
 * @param text the document.
 * @param sentences its sentences, in text order.
 * @param spans in text order, without overlaps.
 * @param place names file and line in messages.
 * @throws InputError for spans that start or end inside a token: which, where, and how many more there are.
 */
export function alignSpans(
  text: string,
  sentences: readonly TextSentence[],
  spans: readonly CharacterSpan[],
  place: InputPlace,
): AlignedSentence[] {
  const problems: string[] = [];
  const aligned: { sentence: TextSentence; spans: Span[] }[] = [];
  let s = 0;
  for (const current of sentences) {
    let sentence = current;
    const previous = aligned.at(-1);
    // The span that was cut at the end of the sentence before goes on in this one.
    const crossing = previous && s < spans.length && trimmed(text, spans[s]).start < endOf(previous.sentence);
    if (crossing) sentence = joinSentences(text, aligned.pop()?.sentence as TextSentence, current);
    const found: Span[] = crossing ? previous.spans : [];
    while (s < spans.length) {
      const span = trimmed(text, spans[s]);
      if (span.start >= endOf(sentence) || (span.end > endOf(sentence) && current !== sentences.at(-1)))
        break;
      const tokens = tokensOf(sentence, span, problems);
      if (tokens) found.push(tokens);
      s++;
    }
    aligned.push({ sentence, spans: found });
  }
  for (; s < spans.length; s++) problems.push(`${describe(spans[s], text)} covers no token`);
  if (problems.length > 0) {
    const more = problems.length - 1;
    const others = more > 0 ? `; ${more} more ${more > 1 ? 'spans' : 'span'} of this line` : '';
    throw new InputError(place, `expected spans that start and end where tokens do: ${problems[0]}${others}`);
  }
  return aligned;
}

/** Two successive sentences of a text as one. */
export function joinSentences(text: string, left: TextSentence, right: TextSentence): TextSentence {
  const shift = right.start - left.start;
  const tokens = new Uint32Array(left.tokens.length + right.tokens.length);
  tokens.set(left.tokens);
  right.tokens.forEach((offset, i) => {
    tokens[left.tokens.length + i] = offset + shift;
  });
  return {
    ...left,
    text: text.slice(left.start, endOf(right)),
    tokens,
    words: [...left.words, ...right.words],
  };
}

function endOf({ start, text }: TextSentence): number {
  return start + text.length;
}

/** The span without white space at its edges; one of white space alone becomes empty. */
function trimmed(text: string, span: CharacterSpan): CharacterSpan {
  const covered = text.slice(span.start, span.end);
  const start = span.end - covered.trimStart().length;
  return { ...span, start, end: Math.max(start, span.start + covered.trimEnd().length) };
}

function tokensOf(sentence: TextSentence, span: CharacterSpan, problems: string[]): Span | undefined {
  const { tokens, words, text, start: base } = sentence;
  const start = span.start - base;
  const end = span.end - base;
  const first = firstTokenEndingAt(tokens, start + 1);
  const last = firstTokenEndingAt(tokens, end);
  const covers = describe({ ...span, start, end }, text, base);
  if (start >= end || first === words.length || tokens[2 * first] >= end) {
    problems.push(`${covers} covers no token`);
    return undefined;
  }
  for (const [edge, token, verb] of [
    [start, first, 'starts'],
    [end, last, 'ends'],
  ] as const) {
    const [from, to] = [tokens[2 * token], tokens[2 * token + 1]];
    if (token < words.length && edge > from && edge < to) {
      const inside = quote(text.slice(from, to));
      problems.push(`${covers} ${verb} inside the token ${inside} at ${base + from}–${base + to}`);
      return undefined;
    }
  }
  return { start: first, end: last + 1, type: span.type };
}

/** The first token that ends at `offset` or later. */
function firstTokenEndingAt(tokens: Uint32Array, offset: number): number {
  let low = 0;
  let high = tokens.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[2 * middle + 1] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function describe({ start, end, type }: CharacterSpan, text: string, base = 0): string {
  return `span ${base + start}–${base + end} ${quote(text.slice(start, end))} (${type})`;
}
