import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';

const take = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

describe('Random', () => {
  // Computed with a separate Python program written from the published description of xoshiro128**.
  it.each([
    [1, 0, [3489177841, 3014799513, 2877892190, 2669570755, 2457159516]],
    [1, 1, [2404969600, 1756567735, 503298815, 500767943, 1660973953]],
    [4294967295, 7, [3156139139, 1351516726, 1444968397, 3109314626, 3204880931]],
    [0, 0, [1789933344, 44971166, 2521387044, 3848737593, 1138324114]],
  ])('seed %i, stream %i gives the known numbers', (seed, stream, expected) => {
    expect(take(new Random(seed, stream), 5)).toEqual(expected);
  });

  it('counts the low 32 bits of the seed, and has stream 0 by default', () => {
    expect(take(new Random(-1), 3)).toEqual(take(new Random(4294967295, 0), 3));
  });

  it('gives neighbouring seeds and streams unrelated sequences', () => {
    const firsts = new Set<number>();
    for (let seed = 0; seed < 30; seed++) {
      for (let stream = 0; stream < 30; stream++) firsts.add(new Random(seed, stream).next());
    }
    expect(firsts.size).toBe(900);
  });

  it('sets every bit about half of the time', () => {
    const random = new Random(3);
    const ones = new Uint32Array(32);
    for (let i = 0; i < 20_000; i++) {
      const bits = random.next();
      for (let bit = 0; bit < 32; bit++) ones[bit] += (bits >>> bit) & 1;
    }
    // Standard deviation 71.
    for (const count of ones) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('is uniform below a bound', () => {
    const random = new Random(9);
    const counts = new Uint32Array(7);
    for (let i = 0; i < 70_000; i++) counts[random.below(7)]++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('rejects instead of folding the top of the range: no bias at a large bound', () => {
    // Of the numbers below 3 · 2³⁰, folding would give those below 2³⁰ half of the draws instead of a third.
    const random = new Random(5);
    let low = 0;
    for (let i = 0; i < 30_000; i++) if (random.below(3 * 2 ** 30) < 2 ** 30) low++;
    expect(Math.abs(low - 10_000)).toBeLessThan(500);
  });

  it('stays below any bound from 1 to 2³²', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, bound) => {
        const random = new Random(seed);
        for (let i = 0; i < 20; i++) {
          const value = random.below(bound);
          if (!Number.isInteger(value) || value < 0 || value >= bound) return false;
        }
        return new Random(seed).below(1) === 0;
      }),
    );
  });

  it('shuffles a prefix, keeping its elements and the rest', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uint32Array({ maxLength: 40 }), fc.nat({ max: 40 }), (seed, values, count) => {
        const length = Math.min(count, values.length);
        const shuffled = values.slice();
        new Random(seed).shuffle(shuffled, length);
        expect(shuffled.slice(length)).toEqual(values.slice(length));
        expect(shuffled.slice(0, length).sort()).toEqual(values.slice(0, length).sort());
        const again = values.slice();
        new Random(seed).shuffle(again, length);
        expect(again).toEqual(shuffled);
      }),
    );
  });

  it('makes every order about equally often', () => {
    const random = new Random(11);
    const counts = new Map<string, number>();
    for (let i = 0; i < 24_000; i++) {
      const values = Uint32Array.of(0, 1, 2, 3);
      random.shuffle(values);
      counts.set(values.join(), (counts.get(values.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(160);
  });
});
