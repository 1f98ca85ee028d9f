import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { addHistory } from '../../src/kernels/token-history.js';
import { placeCopies } from './place.js';

const shapes = fc.record({
  groups: fc.integer({ min: 1, max: 3 }),
  labels: fc.integer({ min: 1, max: 5 }),
  count: fc.constantFrom(0, 1, 2, 3, 70),
  seed: fc.nat(),
});

/** Draws runs of features, and what they bring: [labels + 1 × W], the last row for the start of a sentence. */
function drawRuns(random: Random, count: number, labels: number, width: number) {
  const expected = new Float32Array((labels + 1) * width);
  const numbers: number[] = [];
  const isFloat: boolean[] = [];
  const push = (value: number, float = false) => {
    numbers.push(value);
    isFloat.push(float);
  };
  const runs: number[] = [];
  for (let i = 0; i < count; i++) {
    runs.push(numbers.length);
    for (let label = 0; label <= labels; label++) {
      if (random.below(3) === 0) continue;
      const value = () => Math.fround((random.next() / 2 ** 31 - 1) * 100);
      const row = expected.subarray(label * width, (label + 1) * width);
      if (random.below(3) === 0) {
        const same = value();
        push(label << 16);
        push(same, true);
        row.forEach((_, k) => {
          row[k] += same;
        });
        continue;
      }
      const most = random.below(3) === 0 ? 1 : width;
      const lanes = Array.from({ length: width }, (_, k) => k).filter(() => random.below(width) < most);
      if (lanes.length === 0) continue;
      push((label << 16) | lanes.length);
      for (const k of lanes) {
        const own = value();
        push(k);
        push(own, true);
        row[k] += own;
      }
    }
    runs.push(numbers.length);
  }
  return { expected, numbers, isFloat, runs };
}

describe.each(['plain', 'simd'] as const)('addHistory: %s', (name) => {
  it('adds the features of a label, or of each, in order', () => {
    let added = 0;
    fc.assert(
      fc.property(shapes, ({ groups, labels, count, seed }) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const { expected, numbers, isFloat, runs } = drawRuns(random, count, labels, width);
        added += numbers.length;
        const { arrays, bind } = placeCopies(
          {
            words: new Uint32Array(numbers.length),
            list: Uint32Array.from([0, ...runs]),
            rows: new Float32Array((labels + 1) * width),
          },
          name,
        );
        const { words, list, rows } = arrays;
        const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
        numbers.forEach((number, i) => {
          if (isFloat[i]) floats[i] = number;
          else words[i] = number;
        });
        const kernels = bind({ addHistory });
        const sum = { features: { words, floats }, runs: list, runsAt: 1, count, width, out: rows };
        for (let label = 0; label <= labels; label++) {
          kernels.addHistory({ ...sum, first: label, labels: 1, at: label * width });
        }
        expect(rows).toEqual(expected);
        rows.fill(0);
        kernels.addHistory({ ...sum, first: 0, labels, at: width });
        expect(rows.subarray(width)).toEqual(expected.subarray(0, labels * width));
      }),
      { seed: 1, numRuns: 300 },
    );
    expect(added).toBeGreaterThan(1000);
  });
});
