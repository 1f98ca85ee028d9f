import { listNames, OptionError, quote } from '../base/errors.js';
import type { Span } from '../data/span.js';
import type { NumberedConstraints, NumberedSpan } from '../decode/chunk-candidates.js';
import type { ChunkRoles } from '../tags/chunk-roles.js';

/** What is known of a sentence's spans before it is labelled. */
export interface SpanConstraints {
  /** Spans that there must be, without overlaps. */
  readonly required?: readonly Span[] | undefined;
  /** Spans that there must not be: with this start, end and type. */
  readonly forbidden?: readonly Span[] | undefined;
}

/**
 * Constraints with types by number.
 *
 * @throws OptionError naming a span of an unknown type or outside the sentence, and two that contradict each other.
 */
export function numberConstraints(
  { required = [], forbidden = [] }: SpanConstraints,
  roles: ChunkRoles,
  length: number,
): NumberedConstraints {
  const numbered = {
    required: numberSpans(required, roles, length),
    forbidden: numberSpans(forbidden, roles, length),
  };
  const ordered = [...numbered.required].sort((a, b) => a.start - b.start);
  ordered.forEach((span, i) => {
    const next = ordered[i + 1];
    if (next && next.start < span.end) {
      refuse(
        `expected required spans that do not overlap, found ${show(span, roles)} and ${show(next, roles)}`,
      );
    }
    const banned = numbered.forbidden.find(
      ({ start, end, type }) => start === span.start && end === span.end && type === span.type,
    );
    if (banned) refuse(`expected a span to be required or forbidden, found ${show(span, roles)} to be both`);
  });
  return numbered;
}

function numberSpans(spans: readonly Span[], roles: ChunkRoles, length: number): NumberedSpan[] {
  const types = roles.names.filter((_, type) => !roles.isOutside(type));
  return spans.map((span) => {
    const { start, end, type } = span;
    const place = `${start}-${end} ${type}`;
    if (!types.includes(type))
      refuse(`span ${place}: expected the type ${listNames(types)}, found ${quote(type)}`);
    if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= length)) {
      refuse(`span ${place}: expected tokens from 0 to ${length}`);
    }
    return { start, end, type: roles.names.indexOf(type) };
  });
}

function show({ start, end, type }: NumberedSpan, roles: ChunkRoles): string {
  return `${start}-${end} ${roles.names[type]}`;
}

function refuse(problem: string): never {
  throw new OptionError('constraints', problem);
}
