import type { CharacterSpan } from '../../src/data/span.js';
import { isSame, overlap, type SentenceState } from '../../src/project/annotation-state.js';
import type { OpenDocument } from '../../src/project/document.js';

/** A span as it is shown: decided, or suggested. */
export interface ShownSpan extends CharacterSpan {
  /** Whether somebody decided on it. */
  readonly isDecided: boolean;
}

/** A stretch of characters. */
export interface Stretch {
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
}

/** Spans to show of a sentence: those decided, and suggestions that do not contradict them. */
export function shownSpans(
  { status, spans, removed }: SentenceState,
  suggested: readonly CharacterSpan[],
): ShownSpan[] {
  const decided = spans.map((span) => ({ ...span, isDecided: true }));
  if (status !== 'open') return decided;
  const free = suggested.filter(
    (span) => !spans.some((other) => overlap(other, span)) && !removed.some((other) => isSame(other, span)),
  );
  return [...decided, ...free.map((span) => ({ ...span, isDecided: false }))].sort(
    (a, b) => a.start - b.start,
  );
}

/** The span that a stretch is in, if there is one. */
export function spanAt(spans: readonly ShownSpan[], stretch: Stretch): ShownSpan | undefined {
  return spans.find((span) => overlap({ ...span }, { ...stretch, type: '' }));
}

/** The token before or after a stretch; the same at the ends of a sentence. */
export function neighbour(
  document: OpenDocument,
  sentence: number,
  stretch: Stretch,
  direction: -1 | 1,
): Stretch {
  const tokens = document.tokens(sentence);
  if (direction > 0) {
    for (let t = 0; t < tokens.length; t += 2) {
      if (tokens[t] >= stretch.end) return { start: tokens[t], end: tokens[t + 1] };
    }
    return { start: tokens[tokens.length - 2], end: tokens[tokens.length - 1] };
  }
  for (let t = tokens.length - 2; t >= 0; t -= 2) {
    if (tokens[t + 1] <= stretch.start) return { start: tokens[t], end: tokens[t + 1] };
  }
  return { start: tokens[0], end: tokens[1] };
}

/** The first token of a sentence. */
export function firstToken(document: OpenDocument, sentence: number): Stretch {
  const tokens = document.tokens(sentence);
  return { start: tokens[0] ?? 0, end: tokens[1] ?? 0 };
}

/** How a bound moves. */
export interface Move {
  /** Which bound. */
  readonly bound: 'start' | 'end';
  /** Where to. */
  readonly direction: -1 | 1;
  /** By what. */
  readonly by: 'token' | 'character';
}

/** A stretch with a bound moved; the same where it would be empty or leave its sentence. */
export function moved(
  document: OpenDocument,
  sentence: number,
  stretch: Stretch,
  { bound, direction, by }: Move,
): Stretch {
  const offset = stretch[bound];
  const to =
    by === 'token'
      ? tokenBound(document, sentence, offset, bound, direction)
      : characterBound(document, offset, direction);
  const isWithin = to >= document.startOf(sentence) && to <= document.endOf(sentence);
  const next = { ...stretch, [bound]: to };
  return isWithin && next.start < next.end ? next : stretch;
}

function tokenBound(
  document: OpenDocument,
  sentence: number,
  offset: number,
  bound: Move['bound'],
  direction: -1 | 1,
): number {
  const tokens = document.tokens(sentence);
  const bounds: number[] = [];
  for (let t = bound === 'start' ? 0 : 1; t < tokens.length; t += 2) bounds.push(tokens[t]);
  const found = direction > 0 ? bounds.find((own) => own > offset) : bounds.findLast((own) => own < offset);
  return found ?? offset;
}

/** A character on or back: whole ones, as a reader sees them. */
function characterBound(document: OpenDocument, offset: number, direction: -1 | 1): number {
  const { text } = document.stored;
  const from = Math.max(0, offset - 40);
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const bounds = [...segmenter.segment(text.slice(from, offset + 40))].map(({ index }) => index + from);
  bounds.push(Math.min(text.length, offset + 40));
  return (
    (direction > 0 ? bounds.find((own) => own > offset) : bounds.findLast((own) => own < offset)) ?? offset
  );
}

/** Places in a document where the same string stands between bounds of tokens. */
export function sameStrings(document: OpenDocument, span: Stretch): (Stretch & { sentence: number })[] {
  const { text } = document.stored;
  const wanted = text.slice(span.start, span.end);
  const found: (Stretch & { sentence: number })[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const sentence = document.sentenceAt(at);
    const end = at + wanted.length;
    const tokens = document.tokens(sentence);
    let starts = false;
    let ends = false;
    for (let t = 0; t < tokens.length; t += 2) {
      starts ||= tokens[t] === at;
      ends ||= tokens[t + 1] === end;
    }
    if (starts && ends && at !== span.start) found.push({ sentence, start: at, end });
  }
  return found;
}
