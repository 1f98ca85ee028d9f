import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../../src/base/utf8.js';
import { createKernels, type KernelName } from '../../../src/kernels/kernels.js';
import { LONG_STRING, StringIds } from '../../../src/tag/memo/string-ids.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];
const MOST = 700;
const POOL = 1 << 16;
const TEXT = 1 << 14;
const BATCH = 64;

/** Few strings that come again, of all lengths around that of a key and around the longest that is remembered; and many. */
const STRING = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'ab',
    '\0',
    'é',
    '12345678',
    '123456789',
    '0123456789',
    '1123456789',
    '0123456780',
  ),
  fc.nat(3).map((more) => 'x'.repeat(LONG_STRING - 1 + more)),
  fc.integer({ min: 0, max: 5000 }).map((n) => `n${n}`),
  fc.integer({ min: 0, max: 5000 }).map((n) => `a longer one, number ${n}`),
);

describe.each(NAMES)('StringIds: %s', (name) => {
  it('gives consecutive ids to strings that are new, and says which these are', () => {
    let grown = 0;
    const batches = fc.array(fc.array(STRING, { maxLength: BATCH, size: 'max' }), {
      maxLength: 20,
      size: 'max',
    });
    fc.assert(
      fc.property(batches, fc.boolean(), fc.nat(9), fc.boolean(), (all, isOutside, base, isBackward) => {
        const bytes = StringIds.bytes(MOST, POOL) + TEXT + 4 * (2 * BATCH + BATCH + 2 * BATCH);
        const kernels = createKernels(7, bytes, name);
        const ids = new StringIds(kernels, 5, MOST, POOL);
        const text = isOutside ? new Uint8Array(TEXT) : kernels.uint8(TEXT);
        const cells = kernels.uint32(2 * BATCH);
        const found = kernels.uint32(BATCH);
        const added = kernels.uint32(2 * BATCH);
        const expected = new Map<string, number>();
        let next = 5;
        for (const batch of all) {
          if (ids.isFull(batch.length)) {
            ids.clear();
            expected.clear();
            next = 5;
          }
          let at = 0;
          const asked = batch.filter((string) => string.length < LONG_STRING - 1 || at < 5);
          const spans = asked.map((string) => {
            const encoded = encodeUtf8(string);
            if (at + encoded.length > TEXT) return [0, 0];
            text.set(encoded, at);
            at += encoded.length;
            return [at - encoded.length, at];
          });
          const inOrder = isBackward ? spans.toReversed() : spans;
          inOrder.forEach((span, i) => {
            cells.set(
              span.map((end) => end + base),
              2 * i,
            );
          });
          const strings = spans.map(([start, end]) => new TextDecoder().decode(text.slice(start, end)));
          const first = isBackward ? 2 * (spans.length - 1) : 0;
          const step = isBackward ? -2 : 2;
          const fresh: string[] = [];
          const own = strings.map((string) => {
            const known = expected.get(string);
            if (known !== undefined) return known;
            if (encodeUtf8(string).length <= LONG_STRING) expected.set(string, next);
            fresh.push(string);
            return next++;
          });
          const unknown = isOutside
            ? strings.length
            : kernels.findStrings(ids.table, text, base, cells, first, step, strings.length, found, 0);
          if (isOutside) found.fill(0);
          if (unknown > 0) {
            const entries = ids.table.entries.length;
            const count = ids.add(isOutside, text, base, cells, first, step, strings.length, found, 0, added);
            const given = Array.from({ length: count }, (_, i) =>
              new TextDecoder().decode(text.slice(added[2 * i], added[2 * i + 1])),
            );
            expect(given).toEqual(fresh);
            if (ids.table.entries.length > entries) grown++;
          } else expect(fresh).toEqual([]);
          expect([...found.subarray(0, strings.length)]).toEqual(own);
          expect(ids.size).toBe(next);
        }
      }),
      { seed: 1, numRuns: 40 },
    );
    expect(grown).toBeGreaterThan(10);
  });
});
