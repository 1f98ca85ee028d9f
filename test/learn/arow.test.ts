import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { arow } from '../../src/learn/arow.js';
import type { LaneProblem } from '../../src/learn/learner.js';
import { ovaProblem, rowsOf, selectProblems } from './problems.js';

const CLASSES = 4;
const FEATURES = 12;
const random = new Random(9);
const rows = rowsOf(
  Array.from({ length: 50 }, () => [
    0,
    ...Array.from({ length: FEATURES - 1 }, (_, f) => f + 1).filter(() => random.below(3) === 0),
  ]),
  FEATURES,
);
const problem = ovaProblem(
  rows,
  Uint16Array.from({ length: 50 }, () => random.below(CLASSES)),
  CLASSES,
);

/** One problem by Figure 1 of the paper, vectors and the whole matrix Σ written out, its diagonal kept after each step. */
function byDefinition(own: LaneProblem, k: number, r: number, epochs: number): number[] {
  const { labels, signs, problems } = own;
  const mu: number[] = new Array(FEATURES).fill(0);
  let sigma: number[][] = mu.map((_, i) => mu.map((_, j) => (i === j ? 1 : 0)));
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const order = Uint32Array.from(labels, (_, n) => n);
  const stream = new Random(own.seed, own.block);
  for (let epoch = 0; epoch < epochs; epoch++) {
    stream.shuffle(order);
    for (const n of order) {
      const y = signs[labels[n] * problems + k];
      const x: number[] = new Array(FEATURES).fill(0);
      for (const f of own.rows.indices.subarray(own.rows.offsets[n], own.rows.offsets[n + 1])) x[f] = 1;
      const m = dot(mu, x);
      if (y === 0 || m * y >= 1) continue;
      const sigmaX = sigma.map((row) => dot(row, x));
      const beta = 1 / (dot(x, sigmaX) + r);
      const alpha = Math.max(0, 1 - y * m) * beta;
      for (let i = 0; i < FEATURES; i++) mu[i] += alpha * y * sigmaX[i];
      sigma = sigma.map((row, i) =>
        row.map((value, j) => (i === j ? value - beta * sigmaX[i] * sigmaX[j] : 0)),
      );
    }
  }
  return mu;
}

describe('arow', () => {
  it.each([
    { r: 1, epochs: 1 },
    { r: 0.1, epochs: 1 },
    { r: 10, epochs: 3 },
  ])('r = $r, epochs = $epochs: is that of the paper', ({ r, epochs }) => {
    const weights = arow.trainBlock(problem, { r, epochs });
    for (let k = 0; k < CLASSES; k++) {
      byDefinition(problem, k, r, epochs).forEach((weight, f) => {
        expect(weights[f * CLASSES + k]).toBeCloseTo(weight, 5);
      });
    }
  });

  it('leaves out examples of sign 0', () => {
    const pair = { ...problem, signs: Int8Array.from([1, 1, -1, 1, 0, -1, 0, -1]), problems: 2 };
    const weights = arow.trainBlock(pair, { r: 1, epochs: 1 });
    byDefinition(pair, 0, 1, 1).forEach((weight, f) => {
      expect(weights[f * 4]).toBeCloseTo(weight, 5);
    });
  });

  it('stays finite for the least r', () => {
    const weights = arow.trainBlock(problem, { r: 1e-6, epochs: 20 });
    expect(weights.every(Number.isFinite)).toBe(true);
  });

  it('trains a problem alone as among others, bit for bit', () => {
    const options = { r: 1, epochs: 2 };
    const together = arow.trainBlock(problem, options);
    for (let k = 0; k < CLASSES; k++) {
      const alone = arow.trainBlock(selectProblems(problem, [k]), options);
      for (let f = 0; f < FEATURES; f++) expect(alone[f * 4]).toBe(together[f * CLASSES + k]);
    }
  });
});
