import { grown } from '../base/growable.js';
import type { Decode } from './decoder.js';

/**
 * Viterbi at order 0: a label's score depends on the token alone, and only legality ties tokens together; exact.
 * A decision rule therefore sees all labels as legal. If the path of every token's best label is legal it is the
 * answer, and no dynamic programming is done. Equally good predecessors or last labels: the lowest id wins.
 */
export function independent(labels: number): Decode {
  const everyLabel = new Uint8Array(labels).fill(1);
  const buffers = [new Float64Array(labels), new Float64Array(labels)];
  const scores = new Float64Array(labels);
  /** `[T × L]`: best predecessor of each label; L at the first token. */
  let backPointers = new Uint16Array(0);
  return (scorer, legality, length, out) => {
    legality.requirePath(length);
    const { rows } = legality;
    let total = 0;
    let t = 0;
    for (let previous = labels; t < length; t++) {
      scorer.moveTo(t);
      const label = scorer.argmax(labels, labels, everyLabel, 0);
      if (rows[legality.mask(length - 1 - t, previous) + label] === 0) break;
      total += scorer.lastScore(label);
      out[t] = label;
      previous = label;
    }
    if (t === length) return total;

    backPointers = grown(backPointers, length * labels);
    const backs = backPointers;
    let [paths, next] = buffers;
    for (t = 0; t < length; t++) {
      scorer.moveTo(t);
      scorer.scores(labels, labels, everyLabel, 0, scores);
      next.fill(-Infinity);
      const firstPrevious = t === 0 ? labels : 0;
      const lastPrevious = t === 0 ? labels : labels - 1;
      for (let previous = firstPrevious; previous <= lastPrevious; previous++) {
        const pathScore = t === 0 ? 0 : paths[previous];
        if (pathScore === -Infinity) continue;
        const legalAt = legality.mask(length - 1 - t, previous);
        for (let c = 0; c < labels; c++) {
          if (rows[legalAt + c] !== 0 && pathScore > next[c]) {
            next[c] = pathScore;
            backs[t * labels + c] = previous;
          }
        }
      }
      for (let c = 0; c < labels; c++) next[c] += scores[c];
      const swapped = paths;
      paths = next;
      next = swapped;
    }
    let label = 0;
    for (let c = 1; c < labels; c++) if (paths[c] > paths[label]) label = c;
    total = paths[label];
    for (t = length - 1; t >= 0; t--) {
      out[t] = label;
      label = backs[t * labels + label];
    }
    return total;
  };
}
