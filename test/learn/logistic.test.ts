import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import { logSigmoid } from '../../src/kernels/log-sigmoid.js';
import type { EpochReport, LaneProblem } from '../../src/learn/learner.js';
import { logistic } from '../../src/learn/logistic.js';
import { margin, ovaProblem, rowsOf, selectProblems } from './problems.js';

const CLASSES = 4;
const FEATURES = 12;
const random = new Random(5);
const rows = rowsOf(
  Array.from({ length: 60 }, () => [
    0,
    ...Array.from({ length: FEATURES - 1 }, (_, f) => f + 1).filter(() => random.below(3) === 0),
  ]),
  FEATURES,
);
const problem = ovaProblem(
  rows,
  Uint16Array.from({ length: 60 }, () => random.below(CLASSES)),
  CLASSES,
);
const converged = { epochs: 3000, epsilon: 1e-7 };

/** ½ ‖v‖² + C Σ log(1 + exp(−y v·x)) of one problem at v = 2w, one coordinate of v moved. */
function objective(own: LaneProblem, C: number, weights: Float32Array, k: number, feature = 0, step = 0) {
  const { labels, signs, problems } = own;
  const width = laneCount(problems);
  let value = 0;
  for (let f = 0; f < own.rows.features; f++) {
    value += (2 * weights[f * width + k] + (f === feature ? step : 0)) ** 2 / 2;
  }
  labels.forEach((label, n) => {
    const sign = signs[label * problems + k];
    if (sign === 0) return;
    const { offsets, indices } = own.rows;
    const moved = indices.subarray(offsets[n], offsets[n + 1]).includes(feature) ? step : 0;
    const logOdds = 2 * margin(own.rows, weights, width, n, k) + moved;
    value += C * Math.log1p(Math.exp(-sign * logOdds));
  });
  return value;
}

describe('logistic at the optimum', () => {
  it.each([0.01, 0.3, 1, 30])('C = %d: the gradient vanishes', (C) => {
    const weights = logistic.trainBlock(problem, { C, ...converged });
    const nothing = new Float32Array(weights.length);
    const h = 1e-4;
    for (let k = 0; k < CLASSES; k++) {
      for (let f = 0; f < FEATURES; f++) {
        const slope = (from: Float32Array) =>
          (objective(problem, C, from, k, f, h) - objective(problem, C, from, k, f, -h)) / (2 * h);
        expect(Math.abs(slope(weights))).toBeLessThan(1e-4 * (1 + C));
      }
      expect(objective(problem, C, weights, k)).toBeLessThan(objective(problem, C, nothing, k));
    }
  });

  it('has as many expected as seen examples of a feature, but for the regulariser', () => {
    const C = 1;
    const weights = logistic.trainBlock(problem, { C, ...converged });
    for (let k = 0; k < CLASSES; k++) {
      for (let f = 0; f < FEATURES; f++) {
        let surplus = 0;
        problem.labels.forEach((label, n) => {
          if (!rows.indices.subarray(rows.offsets[n], rows.offsets[n + 1]).includes(f)) return;
          // The probability as decoders have it from the link.
          const probability = Math.exp(logSigmoid(margin(rows, weights, CLASSES, n, k)));
          surplus += (label === k ? 1 : 0) - probability;
        });
        expect(C * surplus).toBeCloseTo(2 * weights[f * CLASSES + k], 4);
      }
    }
  });

  it('stays finite where all examples are of one side', () => {
    const labels = new Uint16Array(problem.labels.length);
    const weights = logistic.trainBlock({ ...problem, labels }, { C: 1e6, ...converged, epochs: 50 });
    expect(weights.every(Number.isFinite)).toBe(true);
    for (let k = 0; k < CLASSES; k++) {
      const probability = Math.exp(logSigmoid(margin(rows, weights, CLASSES, 0, k)));
      expect(probability).toBeCloseTo(k === 0 ? 1 : 0, 3);
    }
  });

  it('stays finite for the largest C', () => {
    const weights = logistic.trainBlock(problem, { C: 1e6, ...converged, epochs: 50 });
    expect(weights.every(Number.isFinite)).toBe(true);
  });

  it('leaves out examples of sign 0', () => {
    const signs = Int8Array.from([1, 1, -1, 1, 0, -1, 0, -1]);
    const pair = { ...problem, signs, problems: 2 };
    const weights = logistic.trainBlock(pair, { C: 1, ...converged });
    for (let f = 0; f < FEATURES; f++) {
      const h = 1e-4;
      const slope = (objective(pair, 1, weights, 0, f, h) - objective(pair, 1, weights, 0, f, -h)) / (2 * h);
      expect(Math.abs(slope)).toBeLessThan(1e-4);
    }
  });
});

describe('logistic in blocks', () => {
  it('trains a problem alone as among others, bit for bit', () => {
    const options = { C: 1, epochs: 20, epsilon: 1e-3 };
    const together = logistic.trainBlock(problem, options);
    for (let k = 0; k < CLASSES; k++) {
      const alone = logistic.trainBlock(selectProblems(problem, [k]), options);
      for (let f = 0; f < FEATURES; f++) expect(alone[f * 4]).toBe(together[f * 4 + k]);
    }
  });

  it('ends when every α is near what the margin wants, or after as many epochs as asked for', () => {
    const run = (options: { epochs: number; epsilon: number }) => {
      const reports: EpochReport[] = [];
      logistic.trainBlock(problem, { C: 1, ...options }, (report) => reports.push(report));
      return reports;
    };
    expect(run({ epochs: 2, epsilon: 1e-9 })).toHaveLength(2);
    const reports = run({ epochs: 3000, epsilon: 0.01 });
    expect(reports.length).toBeLessThan(3000);
    expect(reports.at(-1)!.gap).toBeLessThanOrEqual(0.01);
    for (const { gap } of reports.slice(0, -1)) expect(gap).toBeGreaterThan(0.01);
  });
});
