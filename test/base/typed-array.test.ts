import fc from 'fast-check';
import { expect, it } from 'vitest';
import { areBelow } from '../../src/base/typed-array.js';

it('areBelow sees every number, wherever it stands and whatever is beside it', () => {
  const near = (limit: number, most: number) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.nat({ max: Math.max(0, Math.min(limit - 1, most)) }) },
      fc
        .constantFrom(limit, limit + 1, most, most >> 1, (most >> 1) + 1)
        .map((value) => Math.min(value, most)),
    );
  const cases = fc.tuple(fc.constantFrom(0xff, 0xffff), fc.nat({ max: 3 })).chain(([most, at]) =>
    fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: most + 2 }), fc.constant((most + 1) >> 1)).chain((limit) =>
      fc.record({
        most: fc.constant(most),
        at: fc.constant(at),
        limit: fc.constant(limit),
        values: fc.array(near(limit, most), { maxLength: 40 }),
      }),
    ),
  );
  fc.assert(
    fc.property(cases, ({ most, at, limit, values }) => {
      const type = most === 0xff ? Uint8Array : Uint16Array;
      const bytes = type.BYTES_PER_ELEMENT;
      const array = new type(new ArrayBuffer((values.length + at) * bytes), at * bytes, values.length);
      array.set(values);
      expect(areBelow(array, limit)).toBe(values.every((value) => value < limit));
    }),
    { numRuns: 2000 },
  );
});
