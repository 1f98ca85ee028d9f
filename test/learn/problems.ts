import { Random } from '../../src/base/random.js';
import type { Rows } from '../../src/data/dataset.js';
import { laneCount } from '../../src/kernels/lane-count.js';
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

/** [D × W] random weights, zeros in the padded lanes. */
export function randomWeights({ rows, labelCount }: SequenceProblem, seed: number): Float32Array {
  const random = new Random(seed);
  const width = laneCount(labelCount);
  return Float32Array.from({ length: rows.features * width }, (_, at) =>
    at % width < labelCount ? (random.next() / 2 ** 32) * 4 - 2 : 0,
  );
}

/** What label `c` adds to the score of row n after label `p` (L: the start), by definition. */
export function scoreOf(
  { rows, history, labelCount }: SequenceProblem,
  weights: Float32Array,
  n: number,
  p: number,
  c: number,
) {
  const width = laneCount(labelCount);
  let score = 0;
  for (let j = rows.offsets[n]; j < rows.offsets[n + 1]; j++) score += weights[rows.indices[j] * width + c];
  if (history.alone[p] < rows.features) score += weights[history.alone[p] * width + c];
  const { offsets, indices } = history.joined;
  for (let j = offsets[n]; j < offsets[n + 1]; j++) {
    if (history.previous[indices[j]] === p) score += weights[indices[j] * width + c];
  }
  return score;
}

/** Score of a label sequence of sentence s, by definition. */
export function chainScore(
  problem: SequenceProblem,
  weights: Float32Array,
  s: number,
  sequence: readonly number[],
): number {
  return sequence.reduce(
    (sum, c, t) =>
      sum +
      scoreOf(problem, weights, problem.starts[s] + t, t === 0 ? problem.labelCount : sequence[t - 1], c),
    0,
  );
}

/** All label sequences of a length. */
export function allSequences(labelCount: number, length: number): number[][] {
  return Array.from({ length: labelCount ** length }, (_, code) =>
    Array.from({ length }, (_, t) => Math.floor(code / labelCount ** t) % labelCount),
  );
}

/** The gold labels of a sentence. */
export function goldOf({ labels, starts }: SequenceProblem, s: number): number[] {
  return [...labels.subarray(starts[s], starts[s + 1])];
}
