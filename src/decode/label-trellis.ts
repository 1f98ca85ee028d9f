import { grown } from '../base/growable.js';
import type { Decode } from './decoder.js';
import { FallingPaths } from './falling-paths.js';

/**
 * Dynamic programming with one state per label, L² extensions per token before pruning. The label at −2 is either
 * never told (first-order Viterbi, exact), or it is the best predecessor already chosen for the label at −1, its
 * back-pointer (`hybrid`, paper 000).
 *
 * Of equally good predecessors the one of higher path score wins, then the lower id; of last labels the lowest id.
 */
export function labelTrellis(labels: number, hybrid: boolean): Decode {
  const paths = new FallingPaths(labels);
  /** `[L]`: best score of a path that ends in each label. */
  const best = new Float64Array(labels);
  const from = new Uint16Array(labels);
  /** `[T × L]`: best predecessor of each label; L at the first token. */
  let backPointers = new Uint16Array(64 * labels);
  return (scorer, legality, length, out) => {
    if (length === 0) return 0;
    legality.requirePath(length);
    const { rows } = legality;
    backPointers = grown(backPointers, length * labels);
    const backs = backPointers;
    scorer.moveTo(0);
    scorer.scores(labels, labels, rows, legality.mask(length - 1, labels), best);
    backs.fill(labels, 0, labels);
    for (let t = 1; t < length; t++) {
      const backsAt = t * labels;
      paths.count = 0;
      for (let c = 0; c < labels; c++) paths.add(best[c], c, hybrid ? backs[backsAt - labels + c] : labels);
      scorer.moveTo(t);
      scorer.extendBest(paths, rows, legality.mask(length - 1 - t, 0), best, from);
      for (let c = 0; c < labels; c++) backs[backsAt + c] = paths.previous[from[c]];
    }
    let label = 0;
    for (let c = 1; c < labels; c++) if (best[c] > best[label]) label = c;
    const total = best[label];
    for (let t = length - 1; t >= 0; t--) {
      out[t] = label;
      label = backs[t * labels + label];
    }
    return total;
  };
}
