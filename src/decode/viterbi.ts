import { type LabelDecoder, orderOption, readOrder } from './decoder.js';
import { labelTrellis } from './label-trellis.js';
import { pairTrellis } from './pair-trellis.js';

const ORDER = orderOption(1);

/** Finds the legal path of highest score, exactly, for scores that read no, one or two earlier labels. */
export const viterbi: LabelDecoder = {
  unit: 'label',
  name: 'viterbi',
  help: 'exact best path; time per token grows with the number of labels to the power of order + 1',
  accepts: ['margins', 'first-order'],
  options: [ORDER],
  order: (options) => readOrder(ORDER, options),
  create(options, labels) {
    const order = readOrder(ORDER, options);
    return order === 2 ? pairTrellis(labels) : labelTrellis(labels, order);
  },
  search(options) {
    const reads = readOrder(ORDER, options);
    return { reads, merges: reads === 2 ? 2 : 1, width: Infinity };
  },
};
