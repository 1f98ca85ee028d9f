import { Random } from '../../src/base/random.js';
import type { Rows } from '../../src/data/dataset.js';
import type { LaneProblem, SequenceProblem } from '../../src/learn/learner.js';
import { oneVersusAll } from '../../src/reduce/ova.js';

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
  const { signs, problems } = oneVersusAll(labelCount);
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

/** A random problem for sequence learners: a few features of tokens, label₋₁ alone, and label₋₁ joined with tokens. */
export function sequenceProblem(
  labelCount: number,
  lengths: readonly number[],
  seed: number,
): SequenceProblem {
  const random = new Random(seed);
  const tokens = lengths.reduce((sum, length) => sum + length, 0);
  const fixed = 6;
  const joinedFirst = fixed + labelCount;
  // Label 1 alone has no feature; joined features come in threes, one label₋₁ after another, the start included.
  const features = joinedFirst + 3 * (labelCount + 1);
  const alone = Uint32Array.from({ length: labelCount + 1 }, (_, p) =>
    p === 1 ? features : fixed + (p === labelCount ? 1 : p),
  );
  const previous = new Uint16Array(features);
  for (let f = joinedFirst; f < features; f++) previous[f] = Math.floor((f - joinedFirst) / 3);
  const draw = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => from + i).filter(() => random.below(3) === 0);
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, s) => {
    starts[s + 1] = starts[s] + length;
  });
  const lists = (from: number, to: number) => Array.from({ length: tokens }, () => draw(from, to));
  return {
    rows: rowsOf(lists(0, fixed), features),
    labels: Uint16Array.from({ length: tokens }, () => random.below(labelCount)),
    labelCount,
    seed,
    starts,
    history: { alone, previous, joined: rowsOf(lists(joinedFirst, features), features) },
  };
}
