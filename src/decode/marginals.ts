import type { Legality } from './legality.js';
import { logSumExp } from './log-sum-exp.js';
import type { Scorer } from './scorer.js';

/**
 * The probability of each label along a path among all legal label sequences, exp(score of a sequence) normalised over
 * them: forward–backward in the log domain, for scores that read at most the label before.
 *
 * @param labels `[≥ length]`: the path, in reading order.
 * @param out `[≥ length]`: marginal probabilities, 0 … 1.
 */
export function pathMarginals(
  scorer: Scorer,
  legality: Legality,
  labels: Uint16Array,
  length: number,
  out: Float32Array,
): void {
  const L = scorer.labels;
  /** [T × L] log sums over the paths that end in each label. */
  const forward = new Float64Array(length * L);
  /** [L × L] scores after each label; at the first token its first row, after the start. */
  const scores = new Float64Array(L * L);
  const row = new Float64Array(L);
  const column = new Float64Array(L);
  const scoreAt = (t: number) => {
    scorer.moveTo(t);
    for (let p = 0; p < (t === 0 ? 1 : L); p++) {
      const previous = t === 0 ? L : p;
      const legalAt = legality.mask(length - 1 - t, previous);
      scorer.scores(previous, L, legality.rows, legalAt, row);
      scores.set(row, p * L);
    }
  };
  for (let t = 0; t < length; t++) {
    scoreAt(t);
    for (let c = 0; c < L; c++) {
      if (t === 0) forward[c] = scores[c];
      else {
        for (let p = 0; p < L; p++) column[p] = forward[(t - 1) * L + p] + scores[p * L + c];
        forward[t * L + c] = logSumExp(column);
      }
    }
  }
  const backward = new Float64Array(L);
  const total = length === 0 ? 0 : logSumExp(forward.subarray((length - 1) * L));
  for (let t = length - 1; t >= 0; t--) {
    out[t] = Math.min(1, Math.exp(forward[t * L + labels[t]] + backward[labels[t]] - total));
    if (t === 0) break;
    scoreAt(t);
    for (let p = 0; p < L; p++) {
      for (let c = 0; c < L; c++) row[c] = scores[p * L + c] + backward[c];
      column[p] = logSumExp(row);
    }
    backward.set(column);
  }
}
