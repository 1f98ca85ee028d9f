import { problemSizes } from './lane-blocks.js';
import type { CodeMatrix } from './reduction.js';

/**
 * What training costs by paper 001's count: how many examples all problems see together, as a multiple of the number
 * of examples.
 *
 * @param counts [L] how often each label occurs.
 */
export function trainingCost(code: CodeMatrix, counts: ArrayLike<number>): number {
  const all = Array.from(counts).reduce((sum, count) => sum + count, 0);
  return problemSizes(code, counts).reduce((sum, size) => sum + size, 0) / all;
}
