import type { RatedSpan } from '../span.js';

/**
 * A sentence on one line with its chunks in brackets: `[NP The dog] [VP barks] .`; brackets and backslashes inside
 * tokens get a backslash. With confidences: `[NP|0.98 The dog]`.
 *
 * @param spans in text order, without overlaps.
 */
export function bracketLine(tokens: readonly string[], spans: readonly RatedSpan[]): string {
  const parts: string[] = [];
  let next = 0;
  for (const { start, end, type, confidence } of spans) {
    while (next < start) parts.push(escapeToken(tokens[next++]));
    const rating = confidence === undefined ? '' : `|${confidence.toFixed(2)}`;
    parts.push(`[${type}${rating} ${tokens.slice(start, end).map(escapeToken).join(' ')}]`);
    next = end;
  }
  while (next < tokens.length) parts.push(escapeToken(tokens[next++]));
  return parts.join(' ');
}

/** A token with backslashes before brackets and backslashes. */
export function escapeToken(token: string): string {
  return /[[\]\\]/.test(token) ? token.replace(/[[\]\\]/g, '\\$&') : token;
}
