import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../src/base/options.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import type { EpochReport, LaneProblem } from '../../src/learn/learner.js';
import { svm } from '../../src/learn/svm.js';
import { margin, ovaProblem, rowsOf, selectProblems } from './problems.js';

const reference = (name: string) =>
  readFileSync(new URL(`../reference/liblinear-small.${name}`, import.meta.url), 'utf8');
const lines = reference('txt').trim().split('\n');
const FEATURES = 60;
const CLASSES = 4;
const small = ovaProblem(
  rowsOf(
    lines.map((line) =>
      line
        .split(' ')
        .slice(1)
        .map((cell) => Number.parseInt(cell, 10) - 1),
    ),
    FEATURES,
  ),
  Uint16Array.from(lines, (line) => Number(line.split(' ')[0])),
  CLASSES,
);
const optima = JSON.parse(reference('json')) as { loss: string; C: number; objectives: number[] }[];
/** Until nothing moves any more. */
const converged = { epochs: 3000, epsilon: 1e-4 };

/** ½ ‖w‖² of a problem. */
function halfSquare(weights: Float32Array, width: number, k: number): number {
  let sum = 0;
  for (let i = k; i < weights.length; i += width) sum += weights[i] ** 2;
  return sum / 2;
}

/** Slack max(0, 1 − y w·x) of every example that the problem sees, and 0 for the others. */
function slacks(problem: LaneProblem, weights: Float32Array, k: number): number[] {
  const { rows, labels, signs, problems } = problem;
  return Array.from(labels, (label, n) => {
    const sign = signs[label * problems + k];
    return sign === 0 ? 0 : Math.max(0, 1 - sign * margin(rows, weights, laneCount(problems), n, k));
  });
}

/** The primal objective of a problem, in 64-bit floats. */
function primal(problem: LaneProblem, options: OptionValues, weights: Float32Array, k: number): number {
  const power = options.loss === 'l2' ? 2 : 1;
  const errors = slacks(problem, weights, k).reduce((sum, slack) => sum + slack ** power, 0);
  return halfSquare(weights, laneCount(problem.problems), k) + Number(options.C) * errors;
}

/** ½ ‖Σ α y x‖² − Σ α + Σ α² / 4C, negated: a lower bound of the L2 loss' primal objective for any α ≥ 0. */
function dual(problem: LaneProblem, C: number, alphas: readonly number[], k: number): number {
  const { rows, labels, signs, problems } = problem;
  const weights = new Float64Array(rows.features);
  let value = 0;
  alphas.forEach((alpha, n) => {
    const sign = signs[labels[n] * problems + k];
    for (let j = rows.offsets[n]; j < rows.offsets[n + 1]; j++) weights[rows.indices[j]] += sign * alpha;
    value += alpha - (alpha * alpha) / (4 * C);
  });
  return value - weights.reduce((sum, weight) => sum + weight * weight, 0) / 2;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0);
}

function train(problem: LaneProblem, options: OptionValues) {
  const reports: EpochReport[] = [];
  const weights = svm.trainBlock(problem, options, (report) => reports.push(report));
  return { weights, reports };
}

describe('svm against LIBLINEAR', () => {
  it.each(optima)('loss $loss, C = $C: the same objectives within 0.1 %', ({ loss, C, objectives }) => {
    const options = { loss, C, ...converged };
    const { weights } = train(small, options);
    objectives.forEach((optimum, k) => {
      const found = primal(small, options, weights, k);
      expect(found / optimum).toBeLessThan(1.001);
      // Nothing is better than the optimum; this would show a wrong objective.
      expect(found / optimum).toBeGreaterThan(1 - 1e-6);
    });
  });

  it('comes close within the default ten epochs', () => {
    const defaults = Object.fromEntries(svm.options.map((option) => [option.name, option.default!]));
    const { weights } = train(small, defaults);
    const optimum = optima.find(({ loss, C }) => loss === defaults.loss && C === defaults.C)!;
    optimum.objectives.forEach((objective, k) => {
      expect(primal(small, defaults, weights, k) / objective).toBeLessThan(1.005);
    });
  });
});

describe('svm at the optimum', () => {
  it.each([0.02, 0.1, 1])('l2, C = %d: the duality gap of α = 2C ξ closes', (C) => {
    const options = { loss: 'l2', C, ...converged };
    const { weights } = train(small, options);
    for (let k = 0; k < CLASSES; k++) {
      const alphas = slacks(small, weights, k).map((slack) => 2 * C * slack);
      const upper = primal(small, options, weights, k);
      const lower = dual(small, C, alphas, k);
      expect(upper - lower).toBeGreaterThan(-1e-9);
      expect((upper - lower) / upper).toBeLessThan(1e-4);
    }
  });

  // The objective is strongly convex: at distance d from the optimum it is larger by at least ½ d².
  it.each(['l2', 'l1'].flatMap((loss) => [0.02, 0.1, 1].map((C) => ({ loss, C }))))(
    '$loss, C = $C: the objective rises along every coordinate',
    ({ loss, C }) => {
      const options = { loss, C, ...converged };
      const { weights } = train(small, options);
      for (let k = 0; k < CLASSES; k++) {
        const least = primal(small, options, weights, k) * (1 - 1e-4);
        for (let feature = 0; feature < FEATURES; feature++) {
          for (const step of [-0.3, 0.3]) {
            const moved = weights.slice();
            moved[feature * CLASSES + k] += step;
            expect(primal(small, options, moved, k)).toBeGreaterThan(least + step ** 2 / 2);
          }
        }
      }
    },
  );

  it.each(['l2', 'l1'])(
    '%s: is the same for every seed and block, hence however examples were shrunk',
    (loss) => {
      const options = { loss, C: 0.1, ...converged };
      const first = train(small, options);
      // Shrinking did happen: epochs that looked at fewer than all examples.
      expect(Math.min(...first.reports.map(({ active }) => active))).toBeLessThan(lines.length);
      for (const other of [{ seed: 2 }, { seed: 77, block: 3 }]) {
        const { weights } = train({ ...small, ...other }, options);
        expect(weights).not.toEqual(first.weights);
        expect(largestDifference(weights, first.weights)).toBeLessThan(2e-3);
      }
    },
  );

  it.each(['l2', 'l1'])('%s: sign 0 leaves examples out', (loss) => {
    const options = { loss, C: 0.4, ...converged };
    // Problem 0 tells class 0 from class 1 and never sees the others; 1 is there so that they are seen at all.
    const signs = Int8Array.from([1, 1, -1, 1, 0, -1, 0, -1]);
    const pair = { ...small, signs, problems: 2 };
    const kept = [...small.labels.keys()].filter((n) => small.labels[n] < 2);
    const { offsets, indices } = small.rows;
    const subset = {
      ...pair,
      rows: rowsOf(
        kept.map((n) => [...indices.subarray(offsets[n], offsets[n + 1])]),
        FEATURES,
      ),
      labels: Uint16Array.from(kept, (n) => small.labels[n]),
      signs: Int8Array.from([1, -1, 0, 0]),
      problems: 1,
    };
    const whole = train(pair, options).weights;
    const alone = train(subset, options).weights;
    const zeroSigns = train({ ...subset, rows: small.rows, labels: small.labels }, options).weights;
    const objective = primal(subset, options, alone, 0);
    for (const weights of [whole, zeroSigns]) {
      expect(primal(pair, options, weights, 0) / objective).toBeCloseTo(1, 4);
      for (let i = 0; i < weights.length; i += 4) expect(Math.abs(weights[i] - alone[i])).toBeLessThan(5e-3);
    }
  });
});

describe('svm in blocks', () => {
  const options = { loss: 'l2', C: 0.1, epochs: 1, epsilon: 1e-4 };

  it('trains a block as if there were only the examples that it sees, and leaves other weights as they were', () => {
    // Labels 1 and 3 against each other. Feature 60 is in examples of other labels alone, 61 in none.
    const rowOf = (n: number) => [
      ...small.rows.indices.subarray(small.rows.offsets[n], small.rows.offsets[n + 1]),
      ...(small.labels[n] % 2 === 0 ? [FEATURES] : []),
    ];
    const all = [...small.labels.keys()];
    const kept = all.filter((n) => small.labels[n] % 2 === 1);
    const signs = Int8Array.of(0, 0, 1, -1, 0, 0, -1, 1);
    const features = FEATURES + 2;
    const initial = Float32Array.from({ length: features * 4 }, (_, i) => (i % 4 < 2 ? (i % 7) / 100 : 0));
    const block = { ...small, signs, problems: 2, initial, rows: rowsOf(all.map(rowOf), features) };
    const alone = {
      ...block,
      rows: rowsOf(kept.map(rowOf), features),
      labels: Uint16Array.from(kept, (n) => small.labels[n]),
    };
    for (const start of [initial, undefined]) {
      const { weights, reports } = train({ ...block, initial: start }, { ...options, epochs: 5 });
      const other = train({ ...alone, initial: start }, { ...options, epochs: 5 });
      expect(weights).toEqual(other.weights);
      expect(reports).toEqual(other.reports);
      const untouched = start ?? new Float32Array(features * 4);
      expect(weights.subarray(FEATURES * 4)).toEqual(untouched.subarray(FEATURES * 4));
      expect(weights.subarray(0, FEATURES * 4)).not.toEqual(untouched.subarray(0, FEATURES * 4));
    }
  });

  // In the first epoch nothing is shrunk, so that the lanes' company shows in nothing at all.
  it('trains a problem alone as among others, bit for bit, while all examples are active', () => {
    const together = train(small, options).weights;
    for (let k = 0; k < CLASSES; k++) {
      const alone = train(selectProblems(small, [k]), options).weights;
      const copies = train(selectProblems(small, [k, (k + 1) % CLASSES, k, k, k, k]), options).weights;
      for (let f = 0; f < FEATURES; f++) {
        expect(alone[f * 4]).toBe(together[f * 4 + k]);
        expect(copies[f * 8 + 5]).toBe(together[f * 4 + k]);
      }
    }
  });

  it('reaches the same optimum alone and among others', () => {
    const together = train(small, { ...options, ...converged }).weights;
    for (let k = 0; k < CLASSES; k++) {
      const alone = train(selectProblems(small, [k]), { ...options, ...converged }).weights;
      for (let f = 0; f < FEATURES; f++) {
        expect(Math.abs(alone[f * 4] - together[f * 4 + k])).toBeLessThan(2e-3);
      }
    }
  });

  it('draws its own order of examples for each block and seed', () => {
    const first = train(small, options).weights;
    expect(train({ ...small, block: 1 }, options).weights).not.toEqual(first);
    expect(train({ ...small, seed: 2 }, options).weights).not.toEqual(first);
    expect(train({ ...small }, options).weights).toEqual(first);
  });
});

describe('svm’s epochs', () => {
  it('are no more than asked for', () => {
    const { reports } = train(small, { loss: 'l2', C: 0.1, epochs: 3, epsilon: 1e-6 });
    expect(reports.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
    for (const report of reports) expect(report).toMatchObject({ epochs: 3 });
    expect(reports[2].gap).toBeLessThan(reports[0].gap);
  });

  it.each(['l2', 'l1'])('%s: end early, when an epoch over all examples finds no gap', (loss) => {
    const { reports } = train(small, { loss, C: 0.1, epochs: 3000, epsilon: 0.01 });
    expect(reports.length).toBeLessThan(1000);
    expect(reports.at(-1)!.gap).toBeLessThanOrEqual(0.01);
    expect(reports[0].active).toBe(lines.length);
  });

  it.each(['l2', 'l1'])('%s: look at all examples again before they end', (loss) => {
    let lookedAgain = 0;
    for (const problem of [small, ...[0, 1, 2, 3].map((k) => selectProblems(small, [k]))]) {
      for (const seed of [1, 2, 3]) {
        const epsilon = 0.05;
        const { reports } = train({ ...problem, seed }, { loss, C: 0.1, epochs: 3000, epsilon });
        // An epoch starts from what the one before left active, or from all examples if that one found no gap.
        reports.forEach(({ gap }, i) => {
          const before = reports[i - 1];
          const whole = before === undefined || before.active === lines.length || before.gap <= epsilon;
          const isLast = i === reports.length - 1;
          expect(isLast).toBe(whole && gap <= epsilon);
          if (gap > epsilon || isLast) return;
          // With the thresholds forgotten, and no problem resting that converged on some examples only.
          expect(reports[i + 1].active).toBe(lines.length);
          lookedAgain++;
        });
      }
    }
    expect(lookedAgain).toBeGreaterThan(5);
  });

  it('take fewer for a larger epsilon, which comes less close', () => {
    const run = (epsilon: number) => {
      const options = { loss: 'l2', C: 0.4, epochs: 3000, epsilon };
      const { reports, weights } = train(small, options);
      const objective = [0, 1, 2, 3].reduce((sum, k) => sum + primal(small, options, weights, k), 0);
      return { epochs: reports.length, objective };
    };
    const rough = run(0.3);
    const fine = run(0.001);
    expect(rough.epochs).toBeLessThan(fine.epochs);
    expect(rough.objective).toBeGreaterThan(fine.objective);
  });
});
