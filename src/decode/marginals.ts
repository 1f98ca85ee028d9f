import type { Legality } from './legality.js';
import { logSumExp } from './log-sum-exp.js';
import type { Scorer } from './scorer.js';

/**
 * The probability of each label along a path among all legal label sequences, exp(score of a sequence) normalised over
 * them: forward–backward in the log domain, for scores that read at most the label before.
 *
 * @param labels `[≥ length]`: the path, in reading order.
 * @param out `[≥ length]`: marginal probabilities, 0 … 1.
 * @param temperature what scores are divided by.
 * @param all `[≥ length × L]`, if given: marginal probabilities of every label.
 * @returns the logarithm of what is normalised by, log Σ exp(score / temperature).
 */
export function pathMarginals(
  scorer: Scorer,
  legality: Legality,
  labels: Uint16Array,
  length: number,
  out: Float32Array,
  temperature = 1,
  all?: Float32Array,
): number {
  const L = scorer.labels;
  const S = legality.states;
  /** [T × S] log sums over the paths that end in each state. */
  const forward = new Float64Array(length * S);
  /** [S × S] scores from state to state; at the first token its first row, from the start. */
  const scores = new Float64Array(S * S);
  const row = new Float64Array(L);
  const column = new Float64Array(S);
  const scoreAt = (t: number) => {
    scorer.moveTo(t);
    scores.fill(-Infinity);
    const remaining = length - 1 - t;
    for (let p = 0; p < (t === 0 ? 1 : S); p++) {
      const previous = t === 0 ? S : p;
      const legalAt = legality.mask(remaining, previous);
      scorer.scores(t === 0 ? L : p % L, L, legality.rows, legalAt, row);
      for (let c = 0; c < L; c++) {
        if (row[c] !== -Infinity)
          scores[p * S + legality.after(remaining, previous, c)] = row[c] / temperature;
      }
    }
  };
  for (let t = 0; t < length; t++) {
    scoreAt(t);
    for (let s = 0; s < S; s++) {
      if (t === 0) forward[s] = scores[s];
      else {
        for (let p = 0; p < S; p++) column[p] = forward[(t - 1) * S + p] + scores[p * S + s];
        forward[t * S + s] = logSumExp(column);
      }
    }
  }
  const backward = new Float64Array(S);
  const continued = new Float64Array(S);
  const total = length === 0 ? 0 : logSumExp(forward.subarray((length - 1) * S));
  for (let t = length - 1; t >= 0; t--) {
    let marginal = 0;
    for (let s = labels[t]; s < S; s += L) marginal += Math.exp(forward[t * S + s] + backward[s] - total);
    out[t] = Math.min(1, marginal);
    if (all) {
      all.fill(0, t * L, (t + 1) * L);
      for (let s = 0; s < S; s++) all[t * L + (s % L)] += Math.exp(forward[t * S + s] + backward[s] - total);
    }
    if (t === 0) break;
    scoreAt(t);
    for (let p = 0; p < S; p++) {
      for (let s = 0; s < S; s++) continued[s] = scores[p * S + s] + backward[s];
      column[p] = logSumExp(continued);
    }
    backward.set(column);
  }
  return total;
}
