import { grown } from '../base/growable.js';
import type { OptionDeclaration } from '../base/options.js';
import { BestCandidates } from './best-candidates.js';
import { type LabelDecoder, orderOption, readInteger, readOrder } from './decoder.js';

const ORDER = orderOption(2);

const BEAM: OptionDeclaration = {
  name: 'beam',
  kind: 'integer',
  default: 50,
  min: 1,
  max: 10000,
  help: 'beam width: hypotheses kept at each token',
};

/**
 * Beam search over whole hypotheses: each keeps its own history, and two that end alike are not merged. Of equal
 * scores the one whose parent ranks higher is kept, then the one of lower label id.
 */
export const beam: LabelDecoder = {
  unit: 'label',
  name: 'beam',
  help: 'beam search: a fixed number of hypotheses, each with its own history',
  accepts: ['margins'],
  options: [BEAM, ORDER],
  order: (options) => readOrder(ORDER, options),
  create(options, labels) {
    const order = readOrder(ORDER, options);
    const width = readInteger(BEAM, options);
    const candidates = new BestCandidates(width);
    // Hypotheses, the best first: score, and index of its last entry in the history below.
    const paths = new Float64Array(width);
    const floor = new Float64Array(labels);
    const extended = new Float64Array(labels);
    // History: every hypothesis ever kept, tokens one after another; entry 0 is the start of the sentence.
    let lastLabels = new Uint16Array(1024);
    let parents = new Uint32Array(1024);
    return (scorer, legality, length, out) => {
      legality.requirePath(length);
      const { rows } = legality;
      lastLabels[0] = labels;
      parents[0] = 0;
      paths[0] = 0;
      let hypothesesAt = 0;
      let count = 1;
      for (let t = 0; t < length; t++) {
        scorer.moveTo(t);
        for (let h = 0; h < count; h++) {
          const pathScore = paths[h];
          const least = candidates.floor();
          // Hypotheses fall in score, so none of the others can be kept either.
          if (scorer.nonPositive && pathScore <= least) break;
          const entry = hypothesesAt + h;
          const last = lastLabels[entry];
          const previous = order > 0 ? last : labels;
          const beforePrevious = order > 1 ? lastLabels[parents[entry]] : labels;
          const legalAt = legality.mask(length - 1 - t, last);
          floor.fill(least);
          if (!scorer.extend(previous, beforePrevious, rows, legalAt, pathScore, floor, extended)) continue;
          for (let c = 0; c < labels; c++) {
            if (extended[c] !== -Infinity) candidates.offer(extended[c], h * labels + c);
          }
        }
        const kept = candidates.sort();
        const keptAt = hypothesesAt + count;
        lastLabels = grown(lastLabels, keptAt + kept);
        parents = grown(parents, keptAt + kept);
        for (let h = 0; h < kept; h++) {
          const label = candidates.keys[h] % labels;
          paths[h] = candidates.scores[h];
          lastLabels[keptAt + h] = label;
          parents[keptAt + h] = hypothesesAt + (candidates.keys[h] - label) / labels;
        }
        hypothesesAt = keptAt;
        count = kept;
      }
      let entry = hypothesesAt;
      for (let t = length - 1; t >= 0; t--) {
        out[t] = lastLabels[entry];
        entry = parents[entry];
      }
      return paths[0];
    };
  },
  search: (options) => ({ reads: readOrder(ORDER, options), width: readInteger(BEAM, options) }),
};
