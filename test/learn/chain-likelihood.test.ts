import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import { ChainLikelihood } from '../../src/learn/chain-likelihood.js';
import type { SequenceProblem } from '../../src/learn/learner.js';
import { RowProducts } from '../../src/learn/row-products.js';
import { sequenceProblem } from './problems.js';

/** [D × W] random weights, zeros in the padded lanes. */
function randomWeights({ rows, labelCount }: SequenceProblem, seed: number): Float32Array {
  const random = new Random(seed);
  const width = laneCount(labelCount);
  return Float32Array.from({ length: rows.features * width }, (_, at) =>
    at % width < labelCount ? (random.next() / 2 ** 32) * 4 - 2 : 0,
  );
}

/** What label `c` adds to the score of row n after label `p` (L: the start), by definition. */
function scoreOf(
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

/** −log likelihood and [N × L] marginals by going through all label sequences of every sentence. */
function enumerate(problem: SequenceProblem, weights: Float32Array) {
  const { starts, labels, labelCount: L } = problem;
  let loss = 0;
  const marginals = new Float64Array(labels.length * L);
  for (let s = 0; s + 1 < starts.length; s++) {
    const length = starts[s + 1] - starts[s];
    let total = 0;
    const counts = new Float64Array(length * L);
    for (let code = 0; code < L ** length; code++) {
      const sequence = Array.from({ length }, (_, t) => Math.floor(code / L ** t) % L);
      let score = 0;
      sequence.forEach((c, t) => {
        score += scoreOf(problem, weights, starts[s] + t, t === 0 ? L : sequence[t - 1], c);
      });
      total += Math.exp(score);
      sequence.forEach((c, t) => {
        counts[t * L + c] += Math.exp(score);
      });
      if (sequence.every((c, t) => c === labels[starts[s] + t])) loss -= score;
    }
    loss += Math.log(total);
    counts.forEach((count, i) => {
      marginals[starts[s] * L + i] = count / total;
    });
  }
  return { loss, marginals };
}

function evaluate(problem: SequenceProblem, weights: Float32Array) {
  const products = new RowProducts(problem.rows, laneCount(problem.labelCount), 'plain');
  const likelihood = new ChainLikelihood(problem);
  products.weights.set(weights);
  products.score();
  const loss = likelihood.residuals(products.weights, products.scores);
  const gradient = new Float64Array(weights.length);
  products.gradient(gradient);
  likelihood.addGradient(gradient);
  return { loss, gradient, residuals: products.scores };
}

const PROBLEMS = [1, 2, 3, 4].map((labels) => sequenceProblem(labels, [3, 1, 5, 0, 4], labels));
const WITHOUT_JOINED = PROBLEMS.map((problem) => {
  const { joined } = problem.history;
  const none = { ...joined, offsets: new Uint32Array(joined.offsets.length), indices: new Uint32Array(0) };
  return { ...problem, history: { ...problem.history, joined: none } };
});

describe.each([...PROBLEMS, ...WITHOUT_JOINED])('chain of $labelCount labels', (problem) => {
  const weights = randomWeights(problem, 7);
  const width = laneCount(problem.labelCount);

  it('has the likelihood and the marginals that all label sequences together have', () => {
    const expected = enumerate(problem, weights);
    const { loss, residuals } = evaluate(problem, weights);
    expect(loss).toBeCloseTo(expected.loss, 4);
    expected.marginals.forEach((probability, i) => {
      const n = Math.floor(i / problem.labelCount);
      const c = i % problem.labelCount;
      expect(residuals[n * width + c]).toBeCloseTo(probability - (problem.labels[n] === c ? 1 : 0), 5);
    });
  });

  it('has the gradient that finite differences have', () => {
    const { gradient } = evaluate(problem, weights);
    for (let i = 0; i < weights.length; i++) {
      if (i % width >= problem.labelCount) {
        expect(gradient[i]).toBe(0);
        continue;
      }
      const moved = [-1 / 64, 1 / 64].map((step) => {
        const shifted = weights.slice();
        shifted[i] += step;
        return { loss: enumerate(problem, shifted).loss, at: shifted[i] };
      });
      const slope = (moved[1].loss - moved[0].loss) / (moved[1].at - moved[0].at);
      expect(gradient[i]).toBeCloseTo(slope, 3);
    }
  });
});

it('neither underflows nor overflows on 10,000 tokens, whatever the size of the scores', () => {
  const problem = sequenceProblem(3, [10000], 5);
  const weights = randomWeights(problem, 1).map((weight) => 20 * weight);
  const { loss, gradient } = evaluate(problem, weights);
  // log Z in the log domain
  let forward = [0];
  let gold = 0;
  for (let n = 0; n < 10000; n++) {
    const before = n === 0 ? [3] : [0, 1, 2];
    gold += scoreOf(problem, weights, n, n === 0 ? 3 : problem.labels[n - 1], problem.labels[n]);
    forward = [0, 1, 2].map((c) => {
      const sums = before.map((p, i) => forward[i] + scoreOf(problem, weights, n, p, c));
      const highest = Math.max(...sums);
      return highest + Math.log(sums.reduce((sum, value) => sum + Math.exp(value - highest), 0));
    });
  }
  const highest = Math.max(...forward);
  const logZ = highest + Math.log(forward.reduce((sum, value) => sum + Math.exp(value - highest), 0));
  expect(loss / (logZ - gold)).toBeCloseTo(1, 6);
  expect(gradient.every(Number.isFinite)).toBe(true);
});
