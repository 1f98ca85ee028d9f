import type { Legality } from './legality.js';
import type { Scorer } from './scorer.js';

/**
 * How sure the model is of each label along a path: its probability, exp(score), divided by the sum over the labels
 * that are legal after the label before it (with a legal end still reachable). Scores read the path's own labels at
 * −1 and −2, as far as the model has tables for them.
 *
 * @param labels `[≥ length]`: the path, in reading order.
 * @param out `[≥ length]`: confidences, 0 … 1; 0 for a label that is not legal there.
 * @param temperature where given, confidences are the softmax, over the same labels, of margins divided by it: log σ tells
 *   large margins apart too little to be calibrated.
 * @param all `[≥ length × L]`, if given: the same of every label.
 */
export function tokenConfidences(
  scorer: Scorer,
  legality: Legality,
  labels: Uint16Array,
  length: number,
  out: Float32Array,
  temperature?: number,
  all?: Float32Array,
): void {
  const count = scorer.labels;
  const scores = new Float64Array(count);
  let previous = count;
  let beforePrevious = count;
  let state = legality.states;
  const divisor = temperature ?? 1;
  for (let t = 0; t < length; t++) {
    const label = labels[t];
    scorer.moveTo(t);
    const legalAt = legality.mask(length - 1 - t, state);
    if (temperature === undefined) scorer.scores(previous, beforePrevious, legality.rows, legalAt, scores);
    else scorer.marginsOf(previous, beforePrevious, legality.rows, legalAt, scores);
    // Relative to the label's own score: the quotient cannot become 0 / 0 however low all scores are.
    let sum = 0;
    for (let c = 0; c < count; c++) sum += Math.exp((scores[c] - scores[label]) / divisor);
    out[t] = scores[label] === -Infinity ? 0 : 1 / sum;
    for (let c = 0; all && c < count; c++) {
      all[t * count + c] = out[t] * Math.exp((scores[c] - scores[label]) / divisor);
    }
    state = legality.after(length - 1 - t, state, label);
    beforePrevious = previous;
    previous = label;
  }
}
