import { type LabelDecoder, orderOption, readOrder } from './decoder.js';

const ORDER = orderOption(2);

/** Takes the best legal label of each token in turn, and never goes back. Equal scores: the lower label id. */
export const greedy: LabelDecoder = {
  unit: 'label',
  name: 'greedy',
  help: 'best legal label of each token in turn; the fastest',
  accepts: ['margins', 'decisions'],
  options: [ORDER],
  order: (options) => readOrder(ORDER, options),
  create(options, labels) {
    const order = readOrder(ORDER, options);
    return (scorer, legality, length, out) => {
      legality.requirePath(length);
      const found = scorer.trellis.greedyPath(legality, length, order, out);
      if (found !== undefined) return found;
      const { rows } = legality;
      let total = 0;
      let previous = labels;
      let beforePrevious = labels;
      for (let t = 0; t < length; t++) {
        scorer.moveTo(t);
        const legalAt = legality.mask(length - 1 - t, previous);
        const label = scorer.argmax(
          order > 0 ? previous : labels,
          order > 1 ? beforePrevious : labels,
          rows,
          legalAt,
        );
        total += scorer.lastScore(label);
        out[t] = label;
        beforePrevious = previous;
        previous = label;
      }
      return total;
    };
  },
  search: (options) => ({ reads: readOrder(ORDER, options), width: 1 }),
};
