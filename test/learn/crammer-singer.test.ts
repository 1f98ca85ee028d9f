import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import { crammerSinger } from '../../src/learn/crammer-singer.js';
import { svm } from '../../src/learn/svm.js';
import { margin, rowsOf } from './problems.js';

/** Noisy examples: the first feature is that of the label, most times. */
function noisy(labelCount: number, examples: number, seed: number) {
  const random = new Random(seed);
  const labels = Uint16Array.from({ length: examples }, () => random.below(labelCount));
  const rows = rowsOf(
    Array.from(labels, (label) => [
      random.below(5) === 0 ? random.below(labelCount) : label,
      labelCount + random.below(4),
      labelCount + 4 + random.below(3),
    ]),
    labelCount + 7,
  );
  return { rows, labels, labelCount, seed: 1 };
}

const CONVERGED = { C: 0.3, epochs: 3000, epsilon: 1e-5 };

describe('crammerSinger', () => {
  it('with two labels is the binary SVM of hinge loss at twice the cost: w₁ − w₀ = v', async () => {
    const problem = noisy(2, 40, 3);
    const joint = await crammerSinger.train(problem, CONVERGED);
    const binary = svm.trainBlock(
      { ...problem, signs: Int8Array.of(-1, 1), problems: 1, block: 0 },
      { ...CONVERGED, C: 0.6, loss: 'l1' },
    );
    for (let f = 0; f < problem.rows.features; f++) {
      expect(joint[4 * f + 1] - joint[4 * f]).toBeCloseTo(binary[4 * f], 3);
    }
  });

  it('finds a minimum: no small step in any direction lowers the objective', async () => {
    const problem = noisy(4, 60, 5);
    const { rows, labels, labelCount } = problem;
    const width = laneCount(labelCount);
    const objective = (weights: Float32Array) => {
      let value = 0;
      for (const weight of weights) value += (weight * weight) / 2;
      labels.forEach((gold, n) => {
        const margins = [...Array(labelCount).keys()].map((m) => margin(rows, weights, width, n, m));
        value +=
          CONVERGED.C * Math.max(...margins.map((own, m) => own + (m === gold ? 0 : 1) - margins[gold]));
      });
      return value;
    };
    const weights = await crammerSinger.train(problem, CONVERGED);
    const least = objective(weights);
    const random = new Random(1);
    for (let trial = 0; trial < 300; trial++) {
      const size = 10 ** -(1 + (trial % 3));
      const moved = weights.map((weight) => weight + size * (random.below(1001) / 500 - 1));
      expect(objective(moved)).toBeGreaterThan(least - 1e-4);
    }
    // The constant part of all labels together is of no use, and costs.
    for (let f = 0; f < rows.features; f++) {
      const row = weights.subarray(f * width, f * width + labelCount);
      expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(0, 4);
    }
  });
});
