import { describe, expect, it } from 'vitest';
import { labelDivergence } from '../../src/evaluate/label-divergence.js';

/** Percentages of Table 14 of Wu et al. (2008) that are above 0 on both sides. */
const TABLE_14: Record<string, [training: number, testing: number]> = {
  'E-ADJP': [0.97, 0.92],
  'E-ADVP': [1.99, 1.82],
  'E-CONJP': [0.02, 0.01],
  'E-INTJ': [0.01, 0.004],
  'E-LST': [0.004, 0.01],
  'E-NP': [26.01, 26.21],
  'E-PP': [10.05, 10.15],
  'E-PRT': [0.26, 0.22],
  'E-SBAR': [1.04, 1.12],
  'E-VP': [10.13, 9.83],
  'I-ADJP': [0.3, 0.35],
  'I-ADVP': [0.2, 0.18],
  'I-CONJP': [0.03, 0.027],
  'I-NP': [29.9, 30.34],
  'I-PP': [0.13, 0.1],
  'I-SBAR': [0.03, 0.008],
  'I-VP': [5.66, 5.58],
  O: [13.17, 13.04],
};

const counts = (side: 0 | 1, tokens: number) =>
  new Map(Object.entries(TABLE_14).map(([tag, shares]) => [tag, shares[side] * tokens]));

describe('labelDivergence', () => {
  it('of the rounded shares in Table 14 of Wu et al. (2008) is below its 0.0005 in decimal logarithms', () => {
    const { nats, oneSided } = labelDivergence(counts(0, 211_727), counts(1, 47_377));
    expect(nats).toBeCloseTo(0.000604, 6);
    expect(nats / Math.LN10).toBeLessThan(0.0005);
    expect(oneSided).toEqual([]);
  });

  it('weighs both directions by the sizes of the data', () => {
    const first = new Map([
      ['a', 3],
      ['b', 1],
    ]);
    const second = new Map([
      ['a', 4],
      ['b', 4],
    ]);
    const kl = (p: number[], q: number[]) => p.reduce((sum, x, i) => sum + x * Math.log(x / q[i]), 0);
    const expected = (4 * kl([0.75, 0.25], [0.5, 0.5]) + 8 * kl([0.5, 0.5], [0.75, 0.25])) / 12;
    expect(labelDivergence(first, second).nats).toBeCloseTo(expected, 12);
    expect(labelDivergence(second, first).nats).toBeCloseTo(expected, 12);
    expect(labelDivergence(first, first).nats).toBe(0);
  });

  it('leaves out labels of one side, and names them', () => {
    const { nats, oneSided } = labelDivergence(
      new Map([['b', 1]]),
      new Map(Object.entries({ b: 1, c: 0, a: 2 })),
    );
    expect(oneSided).toEqual(['a', 'c']);
    expect(nats).toBeCloseTo((Math.log(3) * (1 - 1)) / 4, 12);
  });
});
