import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DISTRIBUTIONS } from '../../src/cli/distributions.js';
import { compareOutputs } from '../../src/evaluate/compare.js';
import {
  anova,
  binomialTest,
  mcNemarTest,
  proportionTest,
  randomisationTest,
  significanceSign,
  signTest,
} from '../../src/evaluate/significance.js';

describe('distributions', () => {
  it('have the quantiles that statistical tables print', () => {
    expect(DISTRIBUTIONS.normalTail(1.959964)).toBeCloseTo(0.025, 7);
    expect(DISTRIBUTIONS.normalTail(2.575829)).toBeCloseTo(0.005, 7);
    expect(DISTRIBUTIONS.normalTail(-1)).toBeCloseTo(0.8413447, 7);
    expect(DISTRIBUTIONS.chiSquaredTail(3.841459, 1)).toBeCloseTo(0.05, 7);
    expect(DISTRIBUTIONS.chiSquaredTail(9.21034, 2)).toBeCloseTo(0.01, 7);
    expect(DISTRIBUTIONS.fTail(3.682320344, 2, 15)).toBeCloseTo(0.05, 7);
    expect(DISTRIBUTIONS.fTail(4.96460274, 1, 10)).toBeCloseTo(0.05, 7);
  });
});

describe('binomialTest', () => {
  it('sums both tails', () => {
    // 2 · (1 + 10 + 45) / 2¹⁰
    expect(binomialTest(2, 10)).toBe(0.109375);
    expect(binomialTest(8, 10)).toBe(0.109375);
    expect(binomialTest(5, 10)).toBe(1);
    expect(binomialTest(0, 0)).toBe(1);
    expect(binomialTest(0, 6)).toBe(0.03125);
  });
});

describe('signTest', () => {
  it('is exact up to twelve decisions, and normal beyond', () => {
    expect(signTest({ onlyFirst: 2, onlySecond: 10 }, DISTRIBUTIONS)).toBe(binomialTest(2, 12));
    // z = (60 − 50) / 5 = 2, as in Yang & Liu’s formula.
    expect(signTest({ onlyFirst: 60, onlySecond: 40 }, DISTRIBUTIONS)).toBeCloseTo(0.0455003, 6);
  });
});

describe('mcNemarTest', () => {
  it('has Edwards’ correction, and is exact for few decisions', () => {
    // (|59 − 6| − 1)² / 65 = 41.6: the second example of Wikipedia’s article on McNemar’s test.
    const p = mcNemarTest({ onlyFirst: 59, onlySecond: 6 }, DISTRIBUTIONS);
    expect(p).toBeGreaterThan(0.9e-10);
    expect(p).toBeLessThan(1.3e-10);
    expect(mcNemarTest({ onlyFirst: 20, onlySecond: 4 }, DISTRIBUTIONS)).toBe(binomialTest(4, 24));
    expect(mcNemarTest({ onlyFirst: 20, onlySecond: 20 }, DISTRIBUTIONS)).toBe(1);
  });
});

describe('proportionTest', () => {
  it('pools the two samples', () => {
    // p = 0.57, z = 0.14 / √(0.57 · 0.43 · 0.02) = 1.99959
    expect(proportionTest([64, 100], [50, 100], DISTRIBUTIONS)).toBeCloseTo(0.04555, 4);
    expect(proportionTest([7, 7], [9, 9], DISTRIBUTIONS)).toBe(1);
  });

  it('finds no difference where there is nothing to decide', () => {
    for (const [first, second] of [
      [0, 0],
      [0, 5],
      [5, 0],
    ]) {
      expect(proportionTest([0, first], [0, second], DISTRIBUTIONS)).toBe(1);
    }
    const nothing = (name: string) => ({ name, gold: [], predicted: [] });
    const { sTest, mcNemar, proportions, chunkSignTest, randomisation } = compareOutputs(
      nothing('a'),
      nothing('b'),
      { distributions: DISTRIBUTIONS, rounds: 10 },
    );
    for (const { p, sign } of [sTest, mcNemar, proportions, chunkSignTest, randomisation]) {
      expect({ p, sign }).toEqual({ p: 1, sign: '~' });
    }
  });
});

describe('anova', () => {
  it('equals the worked example of Wikipedia’s article on one-way analysis of variance', () => {
    const groups = [
      [6, 8, 4, 5, 3, 4],
      [8, 12, 9, 11, 6, 8],
      [13, 9, 11, 8, 7, 12],
    ];
    const result = anova(groups, DISTRIBUTIONS);
    expect(result).toMatchObject({ between: 2, within: 15 });
    expect(result.f).toBeCloseTo(84 / 2 / (68 / 15), 10);
    expect(result.p).toBeCloseTo(0.0023988, 6);
  });

  it('knows groups without spread', () => {
    expect(
      anova(
        [
          [1, 1],
          [1, 1],
        ],
        DISTRIBUTIONS,
      ),
    ).toMatchObject({ f: 0, p: 1 });
    expect(
      anova(
        [
          [1, 1],
          [2, 2],
        ],
        DISTRIBUTIONS,
      ),
    ).toMatchObject({ f: Infinity, p: 0 });
  });
});

/** Counts of sentences given as [gold, predicted A, correct A, predicted B, correct B]. */
function countsOf(rows: readonly (readonly number[])[]) {
  const column = (i: number) => Uint32Array.from(rows, (row) => row[i]);
  return {
    gold: column(0),
    predicted: [column(1), column(3)] as const,
    correct: [column(2), column(4)] as const,
  };
}

describe('randomisationTest', () => {
  it('gives the exact permutation p-value of small cases', () => {
    // A finds one chunk more in each of three sentences: of 8 swaps only none and all are as far apart.
    const rows = [0, 1, 2].map(() => [2, 2, 2, 2, 1]);
    const result = randomisationTest(countsOf(rows), 1000, 1);
    expect(result).toMatchObject({ p: 2 / 8, leastP: 0, exact: true });
    // F 100 against 50.
    expect(result.difference).toBeCloseTo(50, 10);
    // A is better by one, one and two chunks of 8, B by one: |2 d| ≥ 3 for d = ±3, ±5 of the sums ±1 ±1 ±2 ±1.
    const mixed = [
      [2, 2, 2, 2, 1],
      [2, 2, 2, 2, 1],
      [2, 2, 2, 2, 0],
      [2, 2, 1, 2, 2],
      [2, 2, 1, 2, 1],
    ];
    const sums = Array.from({ length: 16 }, (_, set) =>
      [1, 1, 2, -1].reduce((sum, value, i) => sum + ((set >> i) & 1 ? -value : value), 0),
    );
    const far = sums.filter((sum) => Math.abs(sum) >= 3).length;
    expect(randomisationTest(countsOf(mixed), 1000, 1).p).toBe(far / 16);
  });

  it('comes near the exact value by random swaps, the same for the same seed', () => {
    const rows = Array.from({ length: 10 }, (_, s) => (s < 8 ? [3, 3, 3, 3, 2] : [3, 3, 2, 3, 3]));
    const exact = randomisationTest(countsOf(rows), 2000, 1);
    const random = randomisationTest(countsOf(rows), 1000, 1);
    expect([exact.exact, random.exact]).toEqual([true, false]);
    expect(Math.abs(exact.p - random.p)).toBeLessThan(0.04);
    expect(random.leastP).toBe(1 / 1001);
    expect(randomisationTest(countsOf(rows), 1000, 1)).toEqual(random);
    expect(random.interval[0]).toBeLessThan(random.difference);
    expect(random.interval[1]).toBeGreaterThan(random.difference);
  });

  it('counts the outcome itself among the random ones, so that p is never 0', () => {
    // Only none and all of 40 swaps are as far apart, which a hundred rounds do not draw.
    const { p, leastP, exact } = randomisationTest(countsOf(new Array(40).fill([2, 2, 2, 2, 1])), 100, 1);
    expect({ p, leastP, exact }).toEqual({ p: 1 / 101, leastP: 1 / 101, exact: false });
  });

  it('resamples sentences with all of their counts', () => {
    // With the first sentence among those drawn the difference is 100, whatever else is; with the second alone it is 0.
    const { interval } = randomisationTest(
      countsOf([
        [10, 10, 10, 0, 0],
        [0, 0, 0, 0, 0],
      ]),
      1000,
      1,
    );
    expect(interval).toEqual([0, 100]);
  });

  it('is fair: swapping the systems changes the sign alone', () => {
    const row = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3)).map(([g, p, c, q, d]) => {
      return [g + c + d, p + c, c, q + d, d];
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const forth = randomisationTest(countsOf(rows), 300, 1);
        const back = randomisationTest(countsOf(rows.map(([g, p, c, q, d]) => [g, q, d, p, c])), 300, 1);
        expect(back.p).toBe(forth.p);
        expect(back.difference).toBeCloseTo(-forth.difference, 10);
      }),
    );
  });
});

it('writes outcomes as the papers do', () => {
  expect([0.001, 0.01, 0.03, 0.05, 0.06].map((p) => significanceSign(1, p)).join('')).toBe('≫≫>>~');
  expect([0.001, 0.03, 0.06].map((p) => significanceSign(-1, p)).join('')).toBe('≪<~');
});
