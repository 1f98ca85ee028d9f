import type { FeatureIndex } from '../features/feature-index.js';
import { PADDING, slotOf } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';

/**
 * Finds the features that fire at a position of a sentence, in reading order.
 *
 * @param tuples the sentence's, with its values.
 * @param previous label at −1, and `beforePrevious` at −2; L before the start.
 */
export function firedFeatures(
  features: FeatureIndex,
  tuples: SentenceTuples,
  t: number,
  previous: number,
  beforePrevious: number,
): number[] {
  tuples.compute([...features.layout.conjunctions.keys()], features.tables, false);
  const fired: number[] = [];
  features.layout.conjunctions.forEach((conjunction, c) => {
    for (const placement of conjunction.placements) {
      const tuple = tuples.tuples[c * tuples.stride + PADDING + t + placement.offset];
      if (tuple < 0) continue;
      const feature = features.find(c, tuple, slotOf(placement, previous, beforePrevious));
      if (feature >= 0) fired.push(feature);
    }
  });
  return fired;
}
