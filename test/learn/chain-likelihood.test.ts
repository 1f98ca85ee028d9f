import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import { ChainLikelihood } from '../../src/learn/chain-likelihood.js';
import type { SequenceProblem } from '../../src/learn/learner.js';
import { type Pieces, randomPieces, wholeSentences } from '../../src/learn/pieces.js';
import { RowProducts } from '../../src/learn/row-products.js';
import { randomWeights, scoreOf, sequenceProblem } from './problems.js';

/** What is before a piece that begins inside a sentence: no label, nor the start of one. */
const UNKNOWN = -1;

/** −log likelihood and [N × L] marginals by going through all label sequences of every piece. */
function enumerate(problem: SequenceProblem, { starts, isCut }: Pieces, weights: Float32Array) {
  const { labels, labelCount: L } = problem;
  let loss = 0;
  const marginals = new Float64Array(labels.length * L);
  for (let s = 0; s + 1 < starts.length; s++) {
    const length = starts[s + 1] - starts[s];
    const before = isCut[s] === 1 ? UNKNOWN : L;
    let total = 0;
    const counts = new Float64Array(length * L);
    for (let code = 0; code < L ** length; code++) {
      const sequence = Array.from({ length }, (_, t) => Math.floor(code / L ** t) % L);
      let score = 0;
      sequence.forEach((c, t) => {
        score += scoreOf(problem, weights, starts[s] + t, t === 0 ? before : sequence[t - 1], c);
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

function evaluate(problem: SequenceProblem, pieces: Pieces, weights: Float32Array) {
  const products = new RowProducts(problem.rows, laneCount(problem.labelCount), 'plain');
  const likelihood = new ChainLikelihood(problem, pieces);
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

const SENTENCES = [...PROBLEMS, ...WITHOUT_JOINED].map((problem) => ({
  ...problem,
  what: 'sentences',
  pieces: wholeSentences(problem.starts),
}));
const PIECES = SENTENCES.map((problem) => ({
  ...problem,
  what: 'pieces',
  pieces: randomPieces(problem.starts, 2, new Random(1)),
}));

describe.each([...SENTENCES, ...PIECES])('chain of $labelCount labels, $what', ({ pieces, ...problem }) => {
  const weights = randomWeights(problem, 7);
  const width = laneCount(problem.labelCount);

  it('has the likelihood and the marginals that all label sequences together have', () => {
    const expected = enumerate(problem, pieces, weights);
    const { loss, residuals } = evaluate(problem, pieces, weights);
    expect(loss).toBeCloseTo(expected.loss, 4);
    expected.marginals.forEach((probability, i) => {
      const n = Math.floor(i / problem.labelCount);
      const c = i % problem.labelCount;
      expect(residuals[n * width + c]).toBeCloseTo(probability - (problem.labels[n] === c ? 1 : 0), 5);
    });
  });

  it('has the gradient that finite differences have', () => {
    const { gradient } = evaluate(problem, pieces, weights);
    for (let i = 0; i < weights.length; i++) {
      if (i % width >= problem.labelCount) {
        expect(gradient[i]).toBe(0);
        continue;
      }
      const moved = [-1 / 64, 1 / 64].map((step) => {
        const shifted = weights.slice();
        shifted[i] += step;
        return { loss: enumerate(problem, pieces, shifted).loss, at: shifted[i] };
      });
      const slope = (moved[1].loss - moved[0].loss) / (moved[1].at - moved[0].at);
      expect(gradient[i]).toBeCloseTo(slope, 3);
    }
  });
});

it('neither underflows nor overflows on 10,000 tokens, whatever the size of the scores', () => {
  const problem = sequenceProblem(3, [10000], 5);
  const weights = randomWeights(problem, 1).map((weight) => 20 * weight);
  const { loss, gradient } = evaluate(problem, wholeSentences(problem.starts), weights);
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
