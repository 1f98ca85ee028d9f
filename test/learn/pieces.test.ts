import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { boundedPieces, randomPieces } from '../../src/learn/pieces.js';

describe('bounded pieces', () => {
  it('are sentences as they are, but for long ones, of which every token is in one piece', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(8), fc.integer({ min: 248, max: 252 }), fc.nat(1200))),
        (lengths) => {
          const starts = Uint32Array.of(0, ...lengths);
          for (let s = 0; s < lengths.length; s++) starts[s + 1] += starts[s];
          const pieces = boundedPieces(starts);
          const ends = [...pieces.starts.subarray(1)];
          const sentences = [...starts.subarray(0, -1)];
          expect(pieces.isCut).toHaveLength(ends.length);
          expect([...pieces.isCut].filter((isCut) => isCut === 0)).toHaveLength(lengths.length);
          ends.forEach((end, i) => {
            const first = pieces.starts[i];
            expect(end - first).toBeLessThanOrEqual(pieces.isCut[i] === 1 ? 200 : 250);
            if (pieces.isCut[i] === 1) expect(end - first).toBeGreaterThanOrEqual(100);
            else expect(sentences).toContain(first);
          });
          expect(pieces.starts.at(-1)).toBe(starts.at(-1));
        },
      ),
    );
    const short = Uint32Array.of(0, 3, 3, 253);
    expect(boundedPieces(short)).toEqual({ starts: short, isCut: new Uint8Array(3) });
  });
});

describe('random pieces', () => {
  it('are the sentences cut at some tokens, none across two of them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(8)), fc.nat(5), fc.nat(), (lengths, meanLength, seed) => {
        const starts = new Uint32Array(lengths.length + 1);
        lengths.forEach((length, s) => {
          starts[s + 1] = starts[s] + length;
        });
        const pieces = randomPieces(starts, meanLength, new Random(seed));
        const firsts = [...pieces.starts.subarray(0, -1)];
        expect(pieces.isCut).toHaveLength(firsts.length);
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
        expect(pieces.starts.at(-1)).toBe(starts.at(-1));
        const sentences = [...starts.subarray(0, -1)];
        firsts.forEach((first, i) => {
          expect(pieces.isCut[i]).toBe(sentences.includes(first) ? 0 : 1);
        });
        for (const [s, length] of lengths.entries()) if (length > 0) expect(firsts).toContain(starts[s]);
        if (meanLength === 0) expect(pieces.isCut).not.toContain(1);
        if (meanLength === 1) expect(new Set(firsts).size).toBe(starts.at(-1));
      }),
    );
  });

  it('have the mean length asked for in a long sentence', () => {
    const { isCut } = randomPieces(Uint32Array.of(0, 100_000), 10, new Random(1));
    expect(isCut.length / 10_000).toBeCloseTo(1, 1);
  });
});
