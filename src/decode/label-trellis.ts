import { grown } from '../base/growable.js';
import { bestLabel } from '../kernels/extend-stretch.js';
import type { Decode, HistoryOrder } from './decoder.js';
import { independent } from './independent.js';

/**
 * Dynamic programming with one state per label, L² extensions per token before pruning. The label at −2 is either
 * never told (first-order Viterbi, exact), or it is the best predecessor already chosen for the label at −1, its
 * back-pointer (order 2: `hybrid`, Wu et al. 2010a). At order 0 scores read no earlier label at all; where the kernel cannot do
 * that, {@link independent} does.
 *
 * Of equally good predecessors the one of higher path score wins, then the lower id; of last labels the lowest id.
 */
export function labelTrellis(labels: number, order: HistoryOrder): Decode {
  const alone = order === 0 ? independent(labels) : undefined;
  const hybrid = order === 2;
  /** `[T × L]`: best predecessor of each label; L at the first token. */
  let backPointers = new Uint16Array(64 * labels);
  return (scorer, legality, length, out) => {
    if (length === 0) return 0;
    legality.requirePath(length);
    const byKernel = scorer.trellis.canLabelStretches(legality, length, order === 1 ? 2 : order);
    if (alone) {
      if (!byKernel) return alone(scorer, legality, length, out);
      // Where the path of every token's best label is legal it is the answer.
      const total = scorer.trellis.greedyPath(undefined, length, 0, out);
      if (total !== undefined && legality.allows(out, length)) return total;
    }
    if (byKernel) return scorer.trellis.bestPath(length, hybrid, out);
    const { rows } = legality;
    backPointers = grown(backPointers, length * labels);
    const backs = backPointers;
    scorer.moveTo(0);
    // Path k is the best one that ends in label k.
    const { scores, previous, beforePrevious, best, from } = scorer.trellis.paths;
    scorer.scores(labels, labels, rows, legality.mask(length - 1, labels), best);
    backs.fill(labels, 0, labels);
    for (let t = 1; t < length; t++) {
      const backsAt = t * labels;
      for (let c = 0; c < labels; c++) {
        scores[c] = best[c];
        previous[c] = c;
        beforePrevious[c] = hybrid ? backs[backsAt - labels + c] : labels;
      }
      scorer.moveTo(t);
      scorer.trellis.extendPaths(labels, rows, legality.mask(length - 1 - t, 0));
      for (let c = 0; c < labels; c++) backs[backsAt + c] = from[c];
    }
    let label = bestLabel(best);
    const total = best[label];
    for (let t = length - 1; t >= 0; t--) {
      out[t] = label;
      label = backs[t * labels + label];
    }
    return total;
  };
}
