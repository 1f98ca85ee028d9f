import { Random } from '../../src/base/random.js';
import type { Rows } from '../../src/data/dataset.js';
import type { LaneProblem } from '../../src/learn/learner.js';
import { ova } from '../../src/reduce/ova.js';

/** CSR rows of examples given as lists of features. */
export function rowsOf(examples: readonly (readonly number[])[], features: number): Rows {
  const offsets = new Uint32Array(examples.length + 1);
  examples.forEach((example, n) => {
    offsets[n + 1] = offsets[n] + example.length;
  });
  return { offsets, indices: Uint32Array.from(examples.flat()), features };
}

/** All one-vs-all problems of some examples in one block. */
export function ovaProblem(rows: Rows, labels: Uint16Array, labelCount: number): LaneProblem {
  const { signs, problems } = ova.code(labelCount, {});
  return { rows, labels, labelCount, signs, problems, block: 0, seed: 1 };
}

/** The block of only some of a block's problems. */
export function selectProblems(problem: LaneProblem, selected: readonly number[]): LaneProblem {
  const { signs, problems, labelCount } = problem;
  const own = Array.from({ length: labelCount }, (_, label) =>
    selected.map((k) => signs[label * problems + k]),
  );
  return { ...problem, signs: Int8Array.from(own.flat()), problems: selected.length };
}

/** Examples of `labelCount` classes that a linear model can tell apart: each has a feature that gives it away. */
export function separable(labelCount: number, examples: number, seed: number): LaneProblem {
  const random = new Random(seed);
  const noise = 10;
  const labels = Uint16Array.from({ length: examples }, (_, n) => n % labelCount);
  const rows = Array.from(labels, (label) => {
    const row = [0, 1 + label];
    for (let f = 0; f < noise; f++) if (random.below(3) === 0) row.push(1 + labelCount + f);
    return row;
  });
  return ovaProblem(rowsOf(rows, 1 + labelCount + noise), labels, labelCount);
}

/** w·x of one problem for one example, in 64-bit floats. */
export function margin(rows: Rows, weights: Float32Array, width: number, n: number, k: number): number {
  let sum = 0;
  for (let j = rows.offsets[n]; j < rows.offsets[n + 1]; j++) sum += weights[rows.indices[j] * width + k];
  return sum;
}
