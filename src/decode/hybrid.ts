import type { LabelDecoder } from './decoder.js';
import { labelTrellis } from './label-trellis.js';

/**
 * The decoder of Wu et al. (2010a), their order "~2": ∏ P(sᵢ | ŝᵢ₋₂, sᵢ₋₁, oᵢ), every sᵢ₋₁ tried, each with its own best
 * predecessor as ŝᵢ₋₂. Second-order history at the cost of first-order Viterbi; not exact.
 */
export const hybrid: LabelDecoder = {
  unit: 'label',
  name: 'hybrid',
  help: 'second-order history at the cost of first-order Viterbi, each label with its own best predecessor',
  accepts: ['margins'],
  options: [],
  order: () => 2,
  create: (_options, labels) => labelTrellis(labels, 2),
  search: () => ({ reads: 2, merges: 1, width: Infinity }),
};
