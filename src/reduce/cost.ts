import type { CodeMatrix } from './reduction.js';

/**
 * What training costs by paper 001's count: how many examples all problems see together, as a multiple of the number
 * of examples.
 *
 * @param counts [L] how often each label occurs.
 */
export function trainingCost({ labels, problems, signs }: CodeMatrix, counts: ArrayLike<number>): number {
  let seen = 0;
  let all = 0;
  for (let label = 0; label < labels; label++) {
    all += counts[label];
    for (let k = 0; k < problems; k++) if (signs[label * problems + k] !== 0) seen += counts[label];
  }
  return seen / all;
}
