import { grown } from '../base/growable.js';
import type { Decode } from './decoder.js';

/**
 * Second-order Viterbi: dynamic programming with one state per pair (label at −1, label), L³ extensions per token
 * before pruning; exact. Of equally good labels at −2 the one of higher path score wins, then the lower id; of last
 * pairs the lowest label at −1, then the lowest label.
 */
export function pairTrellis(labels: number): Decode {
  /** `[(L+1) × L]`: best score of a path by its last two labels; row L: there is only one. */
  let states = new Float64Array((labels + 1) * labels);
  let nextStates = new Float64Array((labels + 1) * labels);
  /** `[T × L × L]`: best label at −2 of each pair; unused at the first token. */
  let backPointers = new Uint16Array(16 * labels * labels);
  return (scorer, legality, length, out) => {
    if (length === 0) return 0;
    legality.requirePath(length);
    const { rows } = legality;
    const pairs = labels * labels;
    backPointers = grown(backPointers, length * pairs);
    const backs = backPointers;
    scorer.moveTo(0);
    // Path k has label k at −2.
    const { scores, previous: lastLabels, beforePrevious, best, from } = scorer.trellis.paths;
    scorer.scores(labels, labels, rows, legality.mask(length - 1, labels), best);
    states.fill(-Infinity);
    states.set(best, pairs);
    for (let t = 1; t < length; t++) {
      const legalAt = legality.mask(length - 1 - t, 0);
      scorer.moveTo(t);
      nextStates.fill(-Infinity);
      for (let previous = 0; previous < labels; previous++) {
        let any = false;
        for (let before = 0; before <= labels; before++) {
          scores[before] = states[before * labels + previous];
          lastLabels[before] = previous;
          beforePrevious[before] = before;
          any ||= scores[before] > -Infinity;
        }
        if (!any) continue;
        scorer.trellis.extendPaths(labels + 1, rows, legalAt);
        nextStates.set(best, previous * labels);
        const backsAt = t * pairs + previous * labels;
        for (let c = 0; c < labels; c++) backs[backsAt + c] = from[c];
      }
      const swapped = states;
      states = nextStates;
      nextStates = swapped;
    }
    let state = 0;
    for (let i = 1; i < states.length; i++) if (states[i] > states[state]) state = i;
    const total = states[state];
    let label = state % labels;
    let previous = (state - label) / labels;
    for (let t = length - 1; t >= 0; t--) {
      out[t] = label;
      const before = t > 0 ? backs[t * pairs + previous * labels + label] : labels;
      label = previous;
      previous = before;
    }
    return total;
  };
}
