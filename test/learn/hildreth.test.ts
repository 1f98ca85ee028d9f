import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { hildreth } from '../../src/learn/hildreth.js';

/**
 * The dual's minimum, ½ αᵀ A α − bᵀ α over 0 ≤ α ≤ C, by projected gradient with a step of 1 / trace(A): slow, but
 * nothing like Hildreth's algorithm.
 */
function reference(products: readonly number[][], gaps: readonly number[], cap: number): number[] {
  const step = 1 / products.reduce((sum, row, i) => sum + row[i], 1e-12);
  let alphas = gaps.map(() => 0);
  for (let round = 0; round < 200_000; round++) {
    alphas = alphas.map((alpha, i) => {
      const slope = products[i].reduce((sum, product, j) => sum + product * alphas[j], 0) - gaps[i];
      return Math.min(cap, Math.max(0, alpha - step * slope));
    });
  }
  return alphas;
}

/** d_i as sparse whole numbers in a space of a few dimensions. */
function vectors(random: Random, count: number, dimensions: number): number[][] {
  return Array.from({ length: count }, () => Array.from({ length: dimensions }, () => random.below(7) - 3));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function solve(directions: readonly number[][], gaps: readonly number[], cap: number) {
  const count = directions.length;
  const products = directions.map((a) => directions.map((b) => dot(a, b)));
  const alphas = new Float64Array(count);
  hildreth(Float64Array.from(products.flat()), Float64Array.from(gaps), alphas, count, cap);
  /** Σ α_i d_i: unique, where the multipliers need not be. */
  const change = (multipliers: ArrayLike<number>) =>
    directions[0].map((_, i) => directions.reduce((sum, d, n) => sum + multipliers[n] * d[i], 0));
  return { alphas, change: change(alphas), expected: change(reference(products, gaps, cap)) };
}

describe('hildreth', () => {
  it('projects on one constraint in one step', () => {
    const { alphas, change } = solve([[1, 2, 0]], [10], Infinity);
    expect([...alphas]).toEqual([2]);
    expect(change).toEqual([2, 4, 0]);
  });

  it('changes nothing where all constraints hold already', () => {
    expect([
      ...solve(
        [
          [1, 0],
          [0, 1],
        ],
        [-1, 0],
        1,
      ).alphas,
    ]).toEqual([0, 0]);
  });

  it.each([0.05, 1, 1e6])('finds the solution of the quadratic programme with C = %f', (cap) => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = new Random(seed);
      const count = 1 + random.below(5);
      // As many dimensions as constraints and more: they can all be met.
      const directions = vectors(random, count, 8);
      const gaps = Array.from({ length: count }, () => random.below(9) - 2);
      const { change, expected } = solve(directions, gaps, cap);
      change.forEach((value, i) => {
        expect(value).toBeCloseTo(expected[i], 4);
      });
    }
  });

  it('is bounded by C where constraints contradict each other, and leaves alone what nothing can meet', () => {
    const { alphas } = solve(
      [
        [1, 1],
        [-1, -1],
        [0, 0],
      ],
      [1, 1, 1],
      0.5,
    );
    expect([...alphas]).toEqual([0.5, 0.5, 0]);
  });
});
