import type { ComponentChildren } from 'preact';
import type { FoundSpan } from '../engine/protocol.js';
import { colourClass, percent } from './colours.js';

/** Confidence below which a span says how sure it is. */
const SURE = 0.9;

/** How spans are shown. */
export interface SpannedProps {
  /** Characters from `from` to `to` are shown. */
  readonly text: string;
  /** First UTF-16 unit that is shown. */
  readonly from: number;
  /** UTF-16 unit after the last one that is shown. */
  readonly to: number;
  /** Spans in text order, without overlaps. */
  readonly spans: readonly FoundSpan[];
  /** All types, for colours. */
  readonly types: readonly string[];
  /** The span that is chosen, if any. */
  readonly chosen?: FoundSpan | undefined;
  /** Told of a span that is clicked. */
  readonly onChoose?: ((span: FoundSpan) => void) | undefined;
}

/** A part of a text with its spans marked. */
export function Spanned({ text, from, to, spans, types, chosen, onChoose }: SpannedProps) {
  const parts: ComponentChildren[] = [];
  let next = from;
  for (const span of spans) {
    if (span.start > next) parts.push(text.slice(next, span.start));
    parts.push(
      <Mark
        key={`${span.start}-${span.end}`}
        span={span}
        text={text.slice(span.start, span.end)}
        className={colourClass(types, span.type)}
        isChosen={chosen?.start === span.start && chosen.end === span.end}
        onChoose={onChoose}
      />,
    );
    next = span.end;
  }
  parts.push(text.slice(next, to));
  return <>{parts}</>;
}

interface MarkProps {
  readonly span: FoundSpan;
  readonly text: string;
  readonly className: string;
  readonly isChosen: boolean;
  readonly onChoose?: ((span: FoundSpan) => void) | undefined;
}

function Mark({ span, text, className, isChosen, onChoose }: MarkProps) {
  const { type, confidence } = span;
  const isUnsure = confidence !== undefined && confidence < SURE;
  const choose = onChoose && (() => onChoose(span));
  const mark = (
    <mark
      class={`span ${className}${isUnsure ? ' unsure' : ''}${isChosen ? ' chosen' : ''}`}
      data-type={type}
      {...(choose && {
        role: 'button',
        tabIndex: 0,
        'aria-pressed': isChosen,
        onClick: choose,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          choose();
        },
      })}
    >
      <span class="covered">{text}</span>
      {type !== '' && (
        <span class="chip">
          {' '}
          {type}
          {isUnsure && <span class="rating"> {percent(confidence)}</span>}
        </span>
      )}
    </mark>
  );
  return mark;
}

/** The types with their colours. */
export function Legend({
  types,
  counts,
}: {
  readonly types: readonly string[];
  readonly counts?: ReadonlyMap<string, number>;
}) {
  const shown = counts === undefined ? types : types.filter((type) => counts.has(type));
  return (
    <ul class="legend" aria-label="Types">
      {shown.map((type) => (
        <li key={type} class={`key ${colourClass(types, type)}`}>
          {type || 'word'}
          {counts && <span class="count"> {counts.get(type)}</span>}
        </li>
      ))}
    </ul>
  );
}
