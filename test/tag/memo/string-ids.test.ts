import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../../src/base/utf8.js';
import { findStrings } from '../../../src/kernels/find-ids.js';
import { createMemory, type KernelName } from '../../../src/kernels/kernels.js';
import { uint8, uint32 } from '../../../src/kernels/layout.js';
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
        const { arrays, ...memory } = createMemory(
          {
            ids: StringIds.layout(MOST, POOL),
            text: uint8(TEXT),
            cells: uint32(2 * BATCH),
            found: uint32(BATCH),
            added: uint32(2 * BATCH),
          },
          name,
        );
        const { cells, found, added } = arrays;
        const kernels = memory.bind({ findStrings });
        const ids = new StringIds(memory, 5, arrays.ids);
        const text = isOutside ? new Uint8Array(TEXT) : arrays.text;
        const expected = new Map<string, number>();
        let next = 5;
        for (const batch of all) {
          if (ids.isFull(batch.length)) {
            ids.clear();
            expected.clear();
            next = 5;
          }
          let at = 0;
          const wanted = batch.filter((string) => string.length < LONG_STRING - 1 || at < 5);
          const spans = wanted.map((string) => {
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
          const asked = { bytes: text, base, cells, cell: first, step, count: strings.length };
          const unknown = isOutside
            ? strings.length
            : kernels.findStrings({ table: ids.table, text: asked, ids: found, at: 0 });
          if (isOutside) found.fill(0);
          if (unknown > 0) {
            const entries = ids.table.entries.length;
            const count = ids.add(isOutside, asked, found, 0, added);
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
