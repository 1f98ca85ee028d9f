import { listNames, OptionError, quote } from '../base/errors.js';
import type { Span } from '../data/span.js';
import {
  type ClosedStart,
  isSameSpan,
  type NumberedConstraints,
  type NumberedSpan,
} from '../decode/chunk-candidates.js';

/** Constraints on a sentence's spans. */
export interface SpanConstraints {
  /** Spans that there must be, without overlaps. */
  readonly required?: readonly Span[] | undefined;
  /** Spans that there must not be: with this start, end and type. */
  readonly forbidden?: readonly Span[] | undefined;
  /** Tokens at which no span may begin, of one type or, where none is given, of any. */
  readonly notBeginning?: readonly SpanStart[] | undefined;
}

/** Where a span would begin. */
export interface SpanStart {
  /** Its first token. */
  readonly token: number;
  /** Its type; absent: any. */
  readonly type?: string | undefined;
}

/**
 * Constraints with types by number.
 *
 * @param types names of the types by number.
 * @throws OptionError naming a span of an unknown type or outside the sentence, and two that contradict each other.
 */
export function numberConstraints(
  { required = [], forbidden = [], notBeginning = [] }: SpanConstraints,
  types: readonly string[],
  length: number,
): NumberedConstraints {
  const numbered = {
    required: numberSpans(required, types, length),
    forbidden: numberSpans(forbidden, types, length),
    closed: notBeginning.flatMap((start) => numberStarts(start, types, length)),
  };
  const ordered = [...numbered.required].sort((a, b) => a.start - b.start);
  ordered.forEach((span, i) => {
    const next = ordered[i + 1];
    if (next && next.start < span.end) {
      refuse(
        `expected required spans that do not overlap, found ${show(span, types)} and ${show(next, types)}`,
      );
    }
    const banned = numbered.forbidden.some((other) => isSameSpan(other, span));
    if (banned) refuse(`expected a span to be required or forbidden, found ${show(span, types)} to be both`);
    const closed = numbered.closed.some(({ token, type }) => token === span.start && type === span.type);
    if (closed) refuse(`expected ${show(span, types)}, which is required, to begin where it may begin`);
  });
  return numbered;
}

function numberSpans(spans: readonly Span[], types: readonly string[], length: number): NumberedSpan[] {
  return spans.map(({ start, end, type }) => {
    const place = `span ${start}-${end} ${type}`;
    const number = numberOf(type, types, place);
    if (!isWithin({ start, end }, length)) refuse(`${place}: expected tokens from 0 to ${length}`);
    return { start, end, type: number };
  });
}

/** Whether a span has a token, and only tokens of a sentence. */
export function isWithin({ start, end }: Pick<Span, 'start' | 'end'>, length: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= length;
}

function numberStarts({ token, type }: SpanStart, types: readonly string[], length: number): ClosedStart[] {
  const place = `no span at ${token}`;
  if (!(Number.isInteger(token) && token >= 0 && token < length)) {
    refuse(`${place}: expected a token from 0 to ${length - 1}`);
  }
  const numbers = type === undefined ? types.keys() : [numberOf(type, types, place)];
  return Array.from(numbers, (number) => ({ token, type: number }));
}

function numberOf(type: string, types: readonly string[], place: string): number {
  const number = types.indexOf(type);
  if (number < 0) refuse(`${place}: expected the type ${listNames(types)}, found ${quote(type)}`);
  return number;
}

function show({ start, end, type }: NumberedSpan, types: readonly string[]): string {
  return `${start}-${end} ${types[type]}`;
}

function refuse(problem: string): never {
  throw new OptionError('constraints', problem);
}
