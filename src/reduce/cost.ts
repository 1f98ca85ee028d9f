import type { OptionValues } from '../base/options.js';
import type { TagSet } from '../tags/tag-set.js';
import { problemSizes } from './lane-blocks.js';
import type { CodeMatrix, Reduction } from './reduction.js';

/**
 * Cost of training by the count of Wu et al. (2008): how many examples all problems see together, as a multiple of the number
 * of examples.
 *
 * @param counts [L] how often each label occurs.
 */
export function trainingCost(code: CodeMatrix, counts: ArrayLike<number>): number {
  const all = Array.from(counts).reduce((sum, count) => sum + count, 0);
  return problemSizes(code, counts).reduce((sum, size) => sum + size, 0) / all;
}

/**
 * Cost of labelling by the count of Wu et al. (2008, Eq. 6): Σ P(label) · evaluations that lead to it, where every problem answers
 * rightly and every label may stand. Of constrained strategies, whose definition asks which labels may stand, the most that
 * may do so after any label.
 *
 * @param counts [L] how often each label occurs in the data that labels are drawn from.
 */
export function expectedEvaluations(
  { decide, constrained }: Reduction,
  code: CodeMatrix,
  { allowed }: Pick<TagSet, 'allowed'>,
  options: OptionValues,
  counts: ArrayLike<number>,
): number {
  const { labels, problems, signs } = code;
  if (!decide) return problems;
  const rule = decide(code, options);
  const legal = constrained ? fullestRow(allowed, labels) : new Uint8Array(labels).fill(1);
  const values = new Float64Array(labels);
  let looked = 0;
  let all = 0;
  for (let label = 0; label < labels; label++) {
    const margins = Float32Array.from(signs.subarray(label * problems, (label + 1) * problems));
    looked += counts[label] * rule(margins, legal, 0, values);
    all += counts[label];
  }
  return looked / all;
}

/** [L] the labels that may follow the label with most followers. */
function fullestRow(allowed: Uint8Array, labels: number): Uint8Array {
  const rows = Array.from({ length: labels }, (_, previous) =>
    allowed.subarray(previous * (labels + 1), previous * (labels + 1) + labels),
  );
  const size = (row: Uint8Array) => row.reduce((sum, one) => sum + (one !== 0 ? 1 : 0), 0);
  return rows.reduce((fullest, row) => (size(row) > size(fullest) ? row : fullest));
}
