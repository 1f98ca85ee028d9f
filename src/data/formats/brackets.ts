import type { RatedSpan } from '../span.js';

/**
 * A sentence on one line with its chunks in brackets: `[NP The dog] [VP barks] .`; brackets, backslashes and blanks inside
 * tokens and types get a backslash, a line end is `\n`. With confidences: `[NP|0.98 The dog]`.
 *
 * @param spans in text order, without overlaps.
 */
export function bracketLine(tokens: readonly string[], spans: readonly RatedSpan[]): string {
  const parts: string[] = [];
  let next = 0;
  for (const { start, end, type, confidence } of spans) {
    while (next < start) parts.push(escapeToken(tokens[next++]));
    const rating = confidence === undefined ? '' : `|${confidence.toFixed(2)}`;
    parts.push(`[${escapeLabel(type)}${rating} ${tokens.slice(start, end).map(escapeToken).join(' ')}]`);
    next = end;
  }
  while (next < tokens.length) parts.push(escapeToken(tokens[next++]));
  return parts.join(' ');
}

/** A token with backslashes before what would end it. */
export function escapeToken(token: string): string {
  return /[[\]\\\s]/.test(token) ? token.replace(/[[\]\\\s]/g, escaped) : token;
}

/** A type or tag: as a token, with a backslash before what parts it from a token and a confidence too. */
export function escapeLabel(label: string): string {
  return escapeToken(label).replace(/[|/]/g, '\\$&');
}

function escaped(character: string): string {
  const name = { '\n': 'n', '\r': 'r' }[character];
  return `\\${name ?? character}`;
}
