import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { PADDING } from '../../src/features/layout.js';
import { hashKey, stringKey } from '../../src/kernels/find-ids.js';
import { hashTuple } from '../../src/kernels/hash.js';
import { createKernels, type KernelName } from '../../src/kernels/kernels.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];

/** Strings that differ in their first or their last bytes, or in length only. */
const TEXT = fc
  .tuple(fc.constantFrom('', 'a', 'b', 'long enough '), fc.constantFrom('', 'x', 'é', '\0', 'and longer'))
  .map(([start, end]) => start + end);

describe.each(NAMES)('findStrings: %s', (name) => {
  it('finds the ids of known strings by all their bytes, and counts the others', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(TEXT),
        fc.array(TEXT, { maxLength: 12 }),
        fc.nat(9),
        (known, asked, base) => {
          const pooled = known.map((text) => encodeUtf8(text));
          const bytes = asked.map((text) => encodeUtf8(text));
          const size = (arrays: readonly Uint8Array[]) => arrays.reduce((sum, { length }) => sum + length, 0);
          const capacity = 64;
          const cells = 4 * capacity + known.length + 1 + 3 * asked.length + 1 + asked.length + 2;
          const kernels = createKernels(6, 4 * cells + size(pooled) + size(bytes), name);
          const table = {
            entries: kernels.uint32(4 * capacity),
            pool: kernels.uint8(size(pooled)),
            starts: kernels.uint32(known.length + 1),
          };
          let used = 0;
          pooled.forEach((string, i) => {
            const key = new Uint32Array(2);
            stringKey(string, 0, string.length, key);
            let slot = hashKey(key[0], key[1], string.length) & (capacity - 1);
            while (table.entries[4 * slot + 3] !== 0) slot = (slot + 1) & (capacity - 1);
            table.entries.set([...key, string.length, i + 1], 4 * slot);
            table.pool.set(string, used);
            table.starts[i + 1] = used;
            used += string.length;
          });
          // Each cell is two of three numbers; cells count from `base`.
          const text = kernels.uint8(size(bytes));
          const asCells = kernels.uint32(3 * asked.length + 1);
          let at = 0;
          bytes.forEach((string, i) => {
            text.set(string, at);
            asCells[3 * i + 1] = base + at;
            at += string.length;
            asCells[3 * i + 2] = base + at;
          });
          const expected = asked.map((one) => known.indexOf(one) + 1);
          const ids = kernels.uint32(asked.length + 2).fill(7);
          const unknown = kernels.findStrings(table, text, base, asCells, 1, 3, asked.length, ids, 1);
          expect([...ids]).toEqual([7, ...expected, 7]);
          expect(unknown).toBe(expected.filter((id) => id === 0).length);
          const last = 1 + 3 * (asked.length - 1);
          if (asked.length > 0)
            kernels.findStrings(table, text, base, asCells, last, -3, asked.length, ids, 1);
          expect([...ids]).toEqual([7, ...expected.reverse(), 7]);
        },
      ),
    );
  });
});

describe.each(NAMES)('findWindows: %s', (name) => {
  it('finds the ids of known windows, and counts the others', () => {
    const values = fc.array(fc.nat(2), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(
        values,
        fc.uniqueArray(fc.tuple(fc.nat(2), fc.nat(2)), { selector: String }),
        (all, known) => {
          const kernels = createKernels(5, 4 * (20 + 2 + 64 + 2 * (known.length + 1) + 20), name);
          const inMemory = kernels.uint32(all.length);
          inMemory.set(all);
          const parts = kernels.uint32(2);
          parts.set([1, 3]);
          const slots = kernels.uint32(64);
          const keys = kernels.uint32(2 * (known.length + 1));
          known.forEach((window, i) => {
            keys.set(window, 2 * (i + 1));
            let slot = hashTuple(keys, 2 * (i + 1), 2) & 63;
            while (slots[slot] !== 0) slot = (slot + 1) & 63;
            slots[slot] = i + 1;
          });
          const count = all.length - 3;
          const ids = kernels.uint32(count + 1).fill(7);
          const expected = Array.from(
            { length: count },
            (_, i) => known.findIndex(([a, b]) => a === all[1 + i] && b === all[3 + i]) + 1,
          );
          const unknown = kernels.findWindows(inMemory, parts, 1, count, slots, keys, ids, 1);
          expect([...ids]).toEqual([7, ...expected]);
          expect(unknown).toBe(expected.filter((id) => id === 0).length);
        },
      ),
    );
  });
});

describe.each(NAMES)('addWindows: %s', (name) => {
  it('gives consecutive ids to windows that are not known, apart from one another as asked', () => {
    const values = fc.array(fc.nat(2), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(values, values, fc.integer({ min: 1, max: 3 }), (before, after, step) => {
        const kernels = createKernels(5, 4 * (30 + 2 + 64 + 2 * 64 + 30), name);
        const inMemory = kernels.uint32(30);
        const parts = kernels.uint32(2);
        const slots = kernels.uint32(64);
        const keys = kernels.uint32(2 * 64);
        const ids = kernels.uint32(30);
        const expected = new Map<string, number>();
        let next = 1;
        for (const all of [before, after]) {
          inMemory.set(all);
          parts.set([1, 3]);
          const count = Math.ceil((all.length - 3) / step);
          const own = Array.from({ length: count }, (_, i) => {
            const window = `${all[1 + i * step]} ${all[3 + i * step]}`;
            if (!expected.has(window)) expected.set(window, expected.size + 1);
            return expected.get(window);
          });
          kernels.findWindows(inMemory, parts, step, count, slots, keys, ids, 0);
          next = kernels.addWindows(inMemory, parts, step, count, slots, keys, ids, 0, next);
          expect([...ids.subarray(0, count)]).toEqual(own);
          expect(next).toBe(1 + expected.size);
          expected.forEach((id, window) => {
            expect(`${keys[2 * id]} ${keys[2 * id + 1]}`).toBe(window);
          });
        }
      }),
    );
  });
});

describe.each(NAMES)('takeColumn: %s', (name) => {
  it('takes one number of each id’s row', () => {
    const kernels = createKernels(3, 4 * 24, name);
    const ids = kernels.uint32(5);
    ids.set([9, 2, 0, 1, 9]);
    const table = kernels.uint32(9);
    table.set([10, 11, 12, 20, 21, 22, 30, 31, 32]);
    const out = kernels.uint32(5).fill(7);
    kernels.takeColumn(ids, 1, 3, table, 3, 1, out, 1);
    expect([...out]).toEqual([7, 31, 11, 21, 7]);
  });
});

describe.each(NAMES)('layOutSentences: %s', (name) => {
  it('lays sentences out in reading order, with what stands outside of them in between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(4), { maxLength: 6 }),
        fc.nat(PADDING),
        fc.boolean(),
        (lengths, margin, backward) => {
          const tokens = lengths.reduce((sum, length) => sum + length, 0);
          const positions = tokens + 2 * margin * lengths.length;
          const kernels = createKernels(3, 4 * (tokens + 1 + lengths.length + 1 + positions + 2), name);
          const found = kernels.uint32(tokens + 1);
          for (let i = 0; i < tokens; i++) found[i + 1] = 100 + i;
          const starts = kernels.uint32(lengths.length + 1);
          lengths.forEach((length, s) => {
            starts[s + 1] = starts[s] + length;
          });
          const ids = kernels.uint32(positions + 2).fill(7);
          const expected = lengths.flatMap((length, s) => {
            const own = Array.from({ length }, (_, t) => 100 + starts[s] + t);
            const before = Array.from({ length: margin }, (_, i) => margin - i);
            const after = Array.from({ length: margin }, (_, i) => PADDING + 1 + i);
            return [...before, ...(backward ? own.reverse() : own), ...after];
          });
          kernels.layOutSentences(found, 1, starts, lengths.length, margin, PADDING, backward, ids, 1);
          expect([...ids]).toEqual([7, ...expected, 7]);
        },
      ),
    );
  });
});
