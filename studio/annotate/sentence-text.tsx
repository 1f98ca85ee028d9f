import type { ComponentChildren } from 'preact';
import type { OpenDocument } from '../../src/project/document.js';
import { colourClass, percent } from '../ui/colours.js';
import type { ShownSpan } from './selection.js';

/** A sentence as it is drawn. */
export interface SentenceTextProps {
  /** Its document. */
  readonly document: OpenDocument;
  /** Its number. */
  readonly sentence: number;
  /** Spans in text order. */
  readonly spans: readonly ShownSpan[];
  /** All labels, for colours. */
  readonly types: readonly string[];
  /** The stretch that keys work on; absent in sentences that are not the current one. */
  readonly cursor?: { readonly start: number; readonly end: number } | undefined;
}

/** The text of a sentence with its spans; in the current one each token is an element of its own. */
export function SentenceText({ document, sentence, spans, types, cursor }: SentenceTextProps) {
  const { text } = document.stored;
  const parts: ComponentChildren[] = [];
  let next = document.startOf(sentence);
  const end = document.endOf(sentence);
  const stretch = (from: number, to: number) =>
    cursor === undefined ? (
      text.slice(from, to)
    ) : (
      <Tokens key={`t${from}`} {...{ document, sentence, from, to, cursor }} />
    );
  for (const span of spans) {
    if (span.start > next) parts.push(stretch(next, span.start));
    const { confidence } = span;
    const isUnsure = confidence !== undefined && confidence < 0.9;
    const classes = ['span', colourClass(types, span.type)];
    if (!span.isDecided) classes.push('suggested');
    if (isUnsure) classes.push('unsure');
    if (cursor && cursor.start < span.end && span.start < cursor.end) classes.push('chosen');
    parts.push(
      <mark
        key={`${span.start}-${span.end}`}
        class={classes.join(' ')}
        data-start={span.start}
        data-type={span.type}
      >
        <span class="covered">{stretch(span.start, span.end)}</span>
        <span class="chip">
          {' '}
          {span.type}
          {isUnsure && <span class="rating"> {percent(confidence)}</span>}
        </span>
      </mark>,
    );
    next = Math.max(next, span.end);
  }
  if (next < end) parts.push(stretch(next, end));
  return (
    <p class="words" dir="auto">
      {parts}
    </p>
  );
}

interface TokensProps {
  readonly document: OpenDocument;
  readonly sentence: number;
  readonly from: number;
  readonly to: number;
  readonly cursor: { readonly start: number; readonly end: number };
}

function Tokens({ document, sentence, from, to, cursor }: TokensProps) {
  const { text } = document.stored;
  const tokens = document.tokens(sentence);
  const parts: ComponentChildren[] = [];
  let next = from;
  for (let t = 0; t < tokens.length; t += 2) {
    const start = Math.max(from, tokens[t]);
    const end = Math.min(to, tokens[t + 1]);
    if (start >= end) continue;
    if (start > next) parts.push(text.slice(next, start));
    const isIn = cursor.start < end && start < cursor.end;
    parts.push(
      <span key={start} class={isIn ? 'token in' : 'token'} data-start={start} data-end={end}>
        {text.slice(start, end)}
      </span>,
    );
    next = end;
  }
  if (next < to) parts.push(text.slice(next, to));
  return <>{parts}</>;
}
