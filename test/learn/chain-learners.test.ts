import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import { Chain } from '../../src/learn/chain.js';
import { ChainLikelihood } from '../../src/learn/chain-likelihood.js';
import { crf } from '../../src/learn/crf.js';
import { crfAdf } from '../../src/learn/crf-adf.js';
import type { SequenceProblem } from '../../src/learn/learner.js';
import { maxent } from '../../src/learn/maxent.js';
import { perceptron } from '../../src/learn/perceptron.js';
import { RowProducts } from '../../src/learn/row-products.js';
import { structuredSvm } from '../../src/learn/structured-svm.js';
import {
  allSequences,
  chainScore,
  goldOf,
  randomWeights,
  rowsOf,
  scoreOf,
  sequenceProblem,
} from './problems.js';

const LABELS = 3;
const WIDTH = laneCount(LABELS);
const problem = sequenceProblem(LABELS, [4, 1, 3, 0, 5, 2], 9);
const sentences = problem.starts.length - 1;

const sumOfSquares = (weights: Float32Array) => weights.reduce((sum, weight) => sum + weight * weight, 0);

/** l2/2 ‖w‖² − log likelihood, over all label sequences. */
function crfObjective(weights: Float32Array, l2: number): number {
  let objective = (l2 / 2) * sumOfSquares(weights);
  for (let s = 0; s < sentences; s++) {
    const gold = goldOf(problem, s);
    const scores = allSequences(LABELS, gold.length).map((y) => chainScore(problem, weights, s, y));
    objective += Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
    objective -= chainScore(problem, weights, s, gold);
  }
  return objective;
}

/** ½ ‖w‖² + C Σ ξ², ξ over all label sequences. */
function marginObjective(weights: Float32Array, cost: number): number {
  let objective = sumOfSquares(weights) / 2;
  for (let s = 0; s < sentences; s++) {
    const gold = goldOf(problem, s);
    const goldScore = chainScore(problem, weights, s, gold);
    const slack = Math.max(
      ...allSequences(LABELS, gold.length).map(
        (y) => y.filter((c, t) => c !== gold[t]).length + chainScore(problem, weights, s, y) - goldScore,
      ),
    );
    objective += cost * slack ** 2;
  }
  return objective;
}

/** Expects no random step, small or large, to lower an objective. */
function expectLeast(weights: Float32Array, objective: (weights: Float32Array) => number): void {
  const least = objective(weights);
  const random = new Random(1);
  for (let trial = 0; trial < 200; trial++) {
    const size = 10 ** -(trial % 4);
    const moved = weights.map((weight, at) =>
      at % WIDTH < LABELS ? weight + size * (random.next() / 2 ** 31 - 1) : weight,
    );
    expect(objective(moved)).toBeGreaterThan(least * (1 - 1e-5));
  }
}

describe('chain', () => {
  it('decodes to the best of all label sequences', () => {
    const chain = new Chain(problem);
    const weights = randomWeights(problem, 2);
    chain.weights.set(weights);
    const out = new Uint16Array(8);
    for (let s = 0; s < sentences; s++) {
      const length = chain.score(problem.starts[s], problem.starts[s + 1]);
      const score = chain.decode(out);
      const scores = allSequences(LABELS, length).map((y) => chainScore(problem, weights, s, y));
      expect(score).toBeCloseTo(Math.max(...scores), 4);
      expect(chainScore(problem, weights, s, [...out.subarray(0, length)])).toBeCloseTo(score, 4);
    }
  });

  it('lists the features in which label sequences differ: their weights add up to the difference of scores', () => {
    const chain = new Chain(problem);
    const weights = randomWeights(problem, 3);
    for (let s = 0; s < sentences; s++) {
      const gold = goldOf(problem, s);
      for (const y of allSequences(LABELS, gold.length)) {
        const count = chain.differences(problem.starts[s], Uint16Array.from(gold), Uint16Array.from(y));
        let sum = 0;
        for (let j = 0; j < count; j++) sum += chain.signs[j] * weights[chain.places[j]];
        expect(sum).toBeCloseTo(
          chainScore(problem, weights, s, gold) - chainScore(problem, weights, s, y),
          4,
        );
      }
    }
  });
});

describe('what is kept small', () => {
  it.each([0, 2])('is the way from the weights to start from, after %i stochastic passes', async (passes) => {
    const initial = randomWeights(problem, 5);
    const options = { l1: 0, l2: 1e6, iterations: 50, tolerance: 0, 'warm-up': passes, 'piece-length': 0 };
    for (const learner of [crf, maxent]) {
      const weights = await learner.train({ ...problem, initial }, options);
      // The likelihood pulls with less than one per token and feature.
      weights.forEach((weight, at) => {
        expect(Math.abs(weight - initial[at])).toBeLessThan(1e-4);
      });
    }
  });
});

describe('crf', () => {
  const train = async (options: object) =>
    crf.train(problem, {
      l1: 0,
      l2: 0.5,
      iterations: 300,
      tolerance: 0,
      'warm-up': 0,
      'piece-length': 0,
      ...options,
    });

  it('minimises the regularised negative log-likelihood, with and without stochastic passes before', async () => {
    const cold = await train({});
    const warm = await train({ 'warm-up': 3 });
    expectLeast(cold, (weights) => crfObjective(weights, 0.5));
    expect(crfObjective(warm, 0.5)).toBeCloseTo(crfObjective(cold, 0.5), 3);
  });

  it('with l1 leaves weights out, and minimises that objective', async () => {
    const sparse = await train({ l1: 0.4 });
    const zeros = (weights: Float32Array) => weights.filter((weight) => weight === 0).length;
    expect(zeros(sparse)).toBeGreaterThan(zeros(await train({})) + 10);
    expectLeast(sparse, (weights) =>
      weights.reduce((sum, weight) => sum + 0.4 * Math.abs(weight), crfObjective(weights, 0.5)),
    );
  });

  it('comes more than halfway to its optimum by ADF, even where no feature is rare and labels are noise', async () => {
    const larger = sequenceProblem(
      LABELS,
      Array.from({ length: 400 }, (_, s) => 1 + (s % 5)),
      4,
    );
    const objective = (weights: Float32Array) => {
      const products = new RowProducts(larger.rows, WIDTH, 'plain');
      products.weights.set(weights);
      products.score();
      const loss = new ChainLikelihood(larger).residuals(products.weights, products.scores);
      return loss + sumOfSquares(weights) / 2;
    };
    const options = { l1: 0, l2: 1, iterations: 300, tolerance: 0, 'warm-up': 0, 'piece-length': 0 };
    const best = objective(await crf.train(larger, options));
    const stochastic = objective(await crfAdf.train(larger, { l2: 1, epochs: 15 }));
    const none = objective(new Float32Array(larger.rows.features * WIDTH));
    expect((stochastic - best) / (none - best)).toBeLessThan(0.5);
  });
});

describe('crf-adf', () => {
  it('lowers a feature’s rate the faster the more of a window’s sentences have it', async () => {
    // Feature 0 is in every sentence, feature 1 in every other one, and feature 2 in none.
    const count = 40;
    const own: SequenceProblem = {
      rows: rowsOf(
        Array.from({ length: count }, (_, s) => (s % 2 === 0 ? [0, 1] : [0])),
        3,
      ),
      labels: Uint16Array.from({ length: count }, (_, s) => s % LABELS),
      labelCount: LABELS,
      seed: 1,
      starts: Uint32Array.from({ length: count + 1 }, (_, s) => s),
      history: {
        alone: new Uint32Array(LABELS + 1).fill(3),
        previous: new Uint16Array(3),
        joined: rowsOf(new Array(count).fill([]), 3),
      },
    };
    let rates: ArrayLike<number> = [];
    await crfAdf.train(
      {
        ...own,
        checkpoint: {
          kept: undefined,
          keep: (state) => {
            rates = structuredClone(state.rates);
          },
        },
      },
      { l2: 1, epochs: 1, 'piece-length': 0 },
    );
    // Ten windows: each multiplies the rate of what it does not have by 0.995, of what all of it has by 0.6.
    expect(rates[0]).toBeCloseTo(0.1 * 0.6 ** 10, 12);
    expect(rates[2]).toBeCloseTo(0.1 * 0.995 ** 10, 12);
    expect(rates[1]).toBeGreaterThan(rates[0]);
    expect(rates[1]).toBeLessThan(rates[2]);
  });
});

describe('maxent', () => {
  it('minimises the regularised negative log-likelihood of single tokens', async () => {
    const { rows, labels } = problem;
    const options = { l1: 0, l2: 0.5, iterations: 300, tolerance: 0, 'warm-up': 2, 'piece-length': 0 };
    const weights = await maxent.train({ rows, labels, labelCount: LABELS, seed: 1 }, options);
    const alone = {
      ...problem,
      history: { ...problem.history, alone: new Uint32Array(LABELS + 1).fill(rows.features) },
    };
    const none = {
      ...alone,
      history: {
        ...alone.history,
        joined: rowsOf(
          [...labels].map(() => []),
          rows.features,
        ),
      },
    };
    expectLeast(weights, (at) => {
      let objective = 0.25 * sumOfSquares(at);
      labels.forEach((label, n) => {
        const scores = Array.from({ length: LABELS }, (_, c) => scoreOf(none, at, n, LABELS, c));
        objective += Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0)) - scores[label];
      });
      return objective;
    });
  });
});

describe('structured SVM', () => {
  it('minimises ½ ‖w‖² + C Σ ξ², ξ being the worst violation among all label sequences', async () => {
    const options = { C: 0.3, epochs: 300, sweeps: 5, epsilon: 1e-5 };
    const weights = await structuredSvm.train(problem, options);
    expectLeast(weights, (at) => marginObjective(at, 0.3));
  });
});

describe('perceptron', () => {
  it('is the mean of the weights after every sentence', async () => {
    const epochs = 3;
    const ours = await perceptron.train(problem, { epochs });
    const weights = new Float32Array(ours.length);
    const sum = new Float64Array(ours.length);
    const order = Uint32Array.from({ length: sentences }, (_, s) => s);
    const random = new Random(problem.seed);
    const count = (s: number, y: readonly number[], sign: number) => {
      // Whatever a weight adds to the score is how often its feature occurs.
      for (let place = 0; place < weights.length; place++) {
        const one = new Float32Array(weights.length);
        one[place] = 1;
        weights[place] += sign * chainScore(problem as SequenceProblem, one, s, y);
      }
    };
    const chain = new Chain(problem);
    const out = new Uint16Array(8);
    for (let epoch = 0; epoch < epochs; epoch++) {
      random.shuffle(order);
      for (const s of order) {
        chain.weights.set(weights);
        const length = chain.score(problem.starts[s], problem.starts[s + 1]);
        chain.decode(out);
        count(s, goldOf(problem, s), 1);
        count(s, [...out.subarray(0, length)], -1);
        for (let i = 0; i < sum.length; i++) sum[i] += weights[i];
      }
    }
    ours.forEach((weight, i) => {
      expect(weight).toBeCloseTo(sum[i] / (epochs * sentences), 5);
    });
  });
});
