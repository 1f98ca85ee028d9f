import { describe, expect, it } from 'vitest';
import type { TrainingState } from '../../src/learn/checkpoint.js';
import { minimise, type Vector } from '../../src/learn/lbfgs.js';

/** Σ 100 (x₂ᵢ₊₁ − x₂ᵢ²)² + (1 − x₂ᵢ)², least at 1 … 1. */
function rosenbrock(x: Vector, gradient: Vector): number {
  let value = 0;
  for (let i = 0; i < x.length; i += 2) {
    const bend = x[i + 1] - x[i] * x[i];
    const way = 1 - x[i];
    value += 100 * bend * bend + way * way;
    gradient[i] = -400 * x[i] * bend - 2 * way;
    gradient[i + 1] = 200 * bend;
  }
  return value;
}

/** Powell's singular function of four variables, least at 0. */
function powell(x: Vector, gradient: Vector): number {
  const [a, b, c, d] = x;
  const p = a + 10 * b;
  const q = c - d;
  const r = b - 2 * c;
  const s = a - d;
  gradient.set([2 * p + 40 * s ** 3, 20 * p + 4 * r ** 3, 10 * q - 8 * r ** 3, -10 * q - 40 * s ** 3]);
  return p * p + 5 * q * q + r ** 4 + 10 * s ** 4;
}

const EXACT = { iterations: 1000, tolerance: 0 };

describe('minimise', () => {
  it('finds the minimum of Rosenbrock’s function, in 64 and 32 bits', async () => {
    const start = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? -1.2 : 1));
    const x = Float64Array.from(start);
    expect(await minimise(x, rosenbrock, EXACT)).toBeLessThan(1e-20);
    for (const value of x) expect(value).toBeCloseTo(1, 9);
    const narrow = Float32Array.from(start);
    expect(await minimise(narrow, rosenbrock, EXACT)).toBeLessThan(1e-6);
  });

  it('finds the minimum of Powell’s singular function', async () => {
    const x = Float64Array.of(3, -1, 0, 1);
    expect(await minimise(x, powell, EXACT)).toBeLessThan(1e-15);
  });

  it('ends a badly scaled quadratic function where its equations say', async () => {
    const scales = Array.from({ length: 50 }, (_, i) => 10 ** (i / 20));
    const x = new Float64Array(50);
    await minimise(
      x,
      (at, gradient) => {
        let value = 0;
        scales.forEach((scale, i) => {
          value += (scale / 2) * at[i] * at[i] - at[i];
          gradient[i] = scale * at[i] - 1;
        });
        return value;
      },
      EXACT,
    );
    scales.forEach((scale, i) => {
      expect(x[i] * scale).toBeCloseTo(1, 5);
    });
  });

  it('with l1 ends where soft thresholding does, exactly at 0 where that is 0', async () => {
    const targets = [3, -2, 0.5, -0.4, 0, 1.2, -7, 0.99];
    const weights = [1, 2, 1, 2, 1, 0.5, 3, 1];
    const x = new Float64Array(targets.length).fill(0.3);
    await minimise(
      x,
      (at, gradient) => {
        let value = 0;
        targets.forEach((target, i) => {
          value += (weights[i] / 2) * (at[i] - target) ** 2;
          gradient[i] = weights[i] * (at[i] - target);
        });
        return value;
      },
      { ...EXACT, l1: 1 },
    );
    targets.forEach((target, i) => {
      const expected = Math.sign(target) * Math.max(0, Math.abs(target) - 1 / weights[i]);
      if (expected === 0) expect(x[i]).toBe(0);
      else expect(x[i]).toBeCloseTo(expected, 6);
    });
  });

  it('reports iterations from 1, with falling values, and stops at the tolerance', async () => {
    const values: number[] = [];
    const seen: number[] = [];
    await minimise(Float64Array.of(-1.2, 1), rosenbrock, {
      iterations: 500,
      tolerance: 0.5,
      onIteration: (iteration, value) => {
        seen.push(iteration);
        values.push(value);
      },
    });
    expect(seen).toEqual(seen.map((_, i) => i + 1));
    values.forEach((value, i) => {
      if (i > 0) expect(value).toBeLessThanOrEqual(values[i - 1]);
    });
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.length).toBeLessThan(500);
  });

  it('remembers pairs of positive curvature alone, and each whole', async () => {
    // With l1 a step over a crest is taken whatever the curvature along it, which is negative there.
    const states: TrainingState[] = [];
    const waves = (x: Vector, gradient: Vector) => {
      let value = 0;
      for (let i = 0; i < x.length; i++) {
        value += 0.05 * x[i] * x[i] + Math.cos(2 * x[i]);
        gradient[i] = 0.1 * x[i] - 2 * Math.sin(2 * x[i]);
      }
      return value;
    };
    await minimise(Float64Array.of(3, 3), waves, {
      l1: 0.01,
      iterations: 40,
      tolerance: 0,
      checkpoint: { kept: undefined, keep: (state) => states.push(structuredClone(state)) },
    });
    expect(states.length).toBeGreaterThan(6);
    for (const state of states) {
      for (let k = 0; k < state.numbers[0]; k++) {
        const [step, change] = [state[`steps.${k}`], state[`changes.${k}`]];
        const product = step[0] * change[0] + step[1] * change[1];
        expect(product).toBeGreaterThan(0);
        expect(state.products[k]).toBeCloseTo(product, 12);
      }
    }
  });

  it('names the iteration in which a value is no number', async () => {
    let calls = 0;
    const failing = (x: Vector, gradient: Vector) => (++calls > 4 ? Number.NaN : rosenbrock(x, gradient));
    await expect(minimise(Float64Array.of(-1.2, 1), failing, EXACT)).rejects.toThrow(
      /^training, iteration \d+: expected a finite objective and gradient, found NaN: .*--l2/,
    );
    await expect(minimise(Float64Array.of(0), () => Number.NaN, EXACT)).rejects.toThrow('iteration 0');
  });
});
