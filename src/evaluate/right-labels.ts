import type { Span } from '../data/span.js';
import type { Tagger } from '../tag/tagger.js';

/**
 * Which labels of the sentence that a tagger labelled last are right, in the model's own scheme.
 *
 * @param gold the sentence's spans, in text order.
 * @returns [T] in text order.
 */
export function rightLabels(tagger: Tagger, gold: readonly Span[]): boolean[] {
  const { path, length, model } = tagger;
  const { tagSet } = model;
  const expected = new Uint16Array(length);
  tagSet.encode(gold, length, expected);
  const right = Array.from(expected, (label, t) => label === path[t]);
  return tagSet.direction === 'backward' ? right.reverse() : right;
}
