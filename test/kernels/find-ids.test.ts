import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { PADDING } from '../../src/features/layout.js';
import {
  addWindows,
  findStrings,
  findWindows,
  hashKey,
  layOutSentences,
  stringKey,
  takeColumn,
} from '../../src/kernels/find-ids.js';
import { hashTuple } from '../../src/kernels/hash.js';
import { createMemory, type KernelName } from '../../src/kernels/kernels.js';
import { uint8, uint32 } from '../../src/kernels/layout.js';
import { placeCopies } from './place.js';

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
          const { arrays, bind } = createMemory(
            {
              table: {
                entries: uint32(4 * capacity),
                pool: uint8(size(pooled)),
                starts: uint32(known.length + 1),
              },
              text: uint8(size(bytes)),
              cells: uint32(3 * asked.length + 1),
              ids: uint32(asked.length + 2),
            },
            name,
          );
          const { table, text, cells: asCells, ids } = arrays;
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
          let at = 0;
          bytes.forEach((string, i) => {
            text.set(string, at);
            asCells[3 * i + 1] = base + at;
            at += string.length;
            asCells[3 * i + 2] = base + at;
          });
          const expected = asked.map((one) => known.indexOf(one) + 1);
          ids.fill(7);
          const kernels = bind({ findStrings });
          const cells = { bytes: text, base, cells: asCells, cell: 1, step: 3, count: asked.length };
          const unknown = kernels.findStrings({ table, text: cells, ids, at: 1 });
          expect([...ids]).toEqual([7, ...expected, 7]);
          expect(unknown).toBe(expected.filter((id) => id === 0).length);
          const last = 1 + 3 * (asked.length - 1);
          if (asked.length > 0) {
            kernels.findStrings({ table, text: { ...cells, cell: last, step: -3 }, ids, at: 1 });
          }
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
          const count = all.length - 3;
          const { arrays, bind } = placeCopies(
            {
              values: Uint32Array.from(all),
              parts: Uint32Array.of(1, 3),
              slots: new Uint32Array(64),
              keys: new Uint32Array(2 * (known.length + 1)),
              ids: new Uint32Array(count + 1).fill(7),
            },
            name,
          );
          const { values, parts, slots, keys, ids } = arrays;
          known.forEach((window, i) => {
            keys.set(window, 2 * (i + 1));
            let slot = hashTuple(keys, 2 * (i + 1), 2) & 63;
            while (slots[slot] !== 0) slot = (slot + 1) & 63;
            slots[slot] = i + 1;
          });
          const expected = Array.from(
            { length: count },
            (_, i) => known.findIndex(([a, b]) => a === all[1 + i] && b === all[3 + i]) + 1,
          );
          const windows = { values, parts, step: 1, count };
          const unknown = bind({ findWindows }).findWindows({ windows, slots, keys, ids, at: 1 });
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
        const { arrays, bind } = createMemory(
          {
            values: uint32(30),
            parts: uint32(2),
            slots: uint32(64),
            keys: uint32(2 * 64),
            ids: uint32(30),
          },
          name,
        );
        const { values: inMemory, parts, slots, keys, ids } = arrays;
        const kernels = bind({ findWindows, addWindows });
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
          const windows = { values: inMemory, parts, step, count };
          kernels.findWindows({ windows, slots, keys, ids, at: 0 });
          next = kernels.addWindows({ windows, slots, keys, ids, at: 0, next });
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
    const { arrays, bind } = placeCopies(
      {
        ids: Uint32Array.of(9, 2, 0, 1, 9),
        table: Uint32Array.of(10, 11, 12, 20, 21, 22, 30, 31, 32),
        out: new Uint32Array(5).fill(7),
      },
      name,
    );
    const { out } = arrays;
    bind({ takeColumn }).takeColumn({ ...arrays, first: 1, count: 3, width: 3, column: 1, at: 1 });
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
          const { arrays, bind } = createMemory(
            {
              found: uint32(tokens + 1),
              starts: uint32(lengths.length + 1),
              ids: uint32(positions + 2),
            },
            name,
          );
          const { found, starts, ids } = arrays;
          for (let i = 0; i < tokens; i++) found[i + 1] = 100 + i;
          lengths.forEach((length, s) => {
            starts[s + 1] = starts[s] + length;
          });
          ids.fill(7);
          const expected = lengths.flatMap((length, s) => {
            const own = Array.from({ length }, (_, t) => 100 + starts[s] + t);
            const before = Array.from({ length: margin }, (_, i) => margin - i);
            const after = Array.from({ length: margin }, (_, i) => PADDING + 1 + i);
            return [...before, ...(backward ? own.reverse() : own), ...after];
          });
          const sentences = { found, first: 1, starts, sentences: lengths.length };
          const around = { margin, end: PADDING, backward };
          bind({ layOutSentences }).layOutSentences({ ...sentences, ...around, ids, at: 1 });
          expect([...ids]).toEqual([7, ...expected, 7]);
        },
      ),
    );
  });
});
