import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumRows } from '../../src/kernels/sum-rows.js';

describe('sumRows', () => {
  it('adds rows one after another, rounding each time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.float({ noNaN: true, min: -1000, max: 1000 }), { minLength: 64, maxLength: 64 }),
        fc.array(fc.nat(3), { maxLength: 12 }),
        fc.nat(3),
        (groups, numbers, rows, skipped) => {
          const lanes = 4 * groups;
          const matrix = Float32Array.from(numbers);
          const start = Math.min(skipped, rows.length);
          const expected = new Float32Array(lanes);
          for (const row of rows.slice(start)) {
            for (let k = 0; k < lanes; k++) expected[k] = expected[k] + matrix[row * lanes + k];
          }
          const out = new Float32Array(lanes + 2).fill(7);
          sumRows(matrix, lanes, Uint32Array.from(rows), start, rows.length, out, 1);
          expect([...out]).toEqual([7, ...expected, 7]);
        },
      ),
    );
  });
});
