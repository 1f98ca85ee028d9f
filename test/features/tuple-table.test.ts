import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TupleTable } from '../../src/features/tuple-table.js';

const arity = fc.integer({ min: 2, max: 5 });

/** Few different numbers, so that tuples come again, and some that need all 32 bits. */
const commands = arity.chain((width) =>
  fc.record({
    width: fc.constant(width),
    tuples: fc.array(
      fc.record({
        tuple: fc.uint32Array({ minLength: width, maxLength: width, max: 3 }),
        high: fc.boolean(),
        insert: fc.boolean(),
      }),
      { maxLength: 150 },
    ),
  }),
);

describe('TupleTable', () => {
  it('behaves as a Map from tuples to ids', () => {
    fc.assert(
      fc.property(commands, ({ width, tuples }) => {
        const table = new TupleTable(width);
        const model = new Map<string, number>();
        for (const { tuple, high, insert } of tuples) {
          if (high) tuple[width - 1] += 4294967000;
          const key = tuple.join();
          if (insert && !model.has(key)) model.set(key, model.size);
          // Numbers beyond the arity do not count.
          const longer = Uint32Array.of(...tuple, 99);
          expect(table.id(longer, insert)).toBe(model.get(key) ?? -1);
          if (width === 2) expect(table.findPair(tuple[0], tuple[1])).toBe(model.get(key) ?? -1);
        }
        expect(table.size).toBe(model.size);
        for (const [key, id] of model) expect(table.key(id).join()).toBe(key);
      }),
    );
  });

  it('finds tuples whose numbers stand in columns as it finds them one by one', () => {
    fc.assert(
      fc.property(
        arity,
        fc.array(fc.nat(3), { maxLength: 60 }),
        fc.nat(5),
        fc.boolean(),
        (width, numbers, before, insert) => {
          // One column read at different places, as views are at different offsets.
          const values = Uint32Array.from(numbers);
          const columns = Uint32Array.from({ length: width }, (_, i) => i);
          const to = Math.max(0, values.length - width + 1);
          const from = Math.min(2, to);
          const tupleAt = (p: number) => values.subarray(p, p + width);
          const [table, other] = [new TupleTable(width), new TupleTable(width)];
          for (let p = 0; p < Math.min(before, to); p++)
            for (const t of [table, other]) t.id(tupleAt(p), true);
          const out = new Int32Array(values.length + 3).fill(7);
          table.idsInColumns(values, columns, from, to, insert, out, 3);
          const expected = Int32Array.from(out, (_, at) => {
            const p = at - 3;
            if (p < from || p >= to) return 7;
            return tupleAt(p).includes(0) ? -1 : other.id(tupleAt(p), insert);
          });
          expect(out).toEqual(expected);
          expect(table.pack()).toEqual(other.pack());
        },
      ),
    );
  });

  it('grows, packs and unpacks without changing an id', () => {
    const table = new TupleTable(2);
    const tuple = (i: number) => Uint32Array.of(i % 251, Math.floor(i / 251));
    for (let i = 0; i < 20_000; i++) expect(table.id(tuple(i), true)).toBe(i);
    const copy = TupleTable.unpack(2, table.pack());
    expect(copy.size).toBe(20_000);
    for (let i = 0; i < 20_000; i++) {
      if (table.id(tuple(i), false) !== i || copy.id(tuple(i), false) !== i) expect.fail(`lost tuple ${i}`);
    }
    expect(copy.id(tuple(20_000), false)).toBe(-1);
    expect(copy.id(tuple(20_000), true)).toBe(20_000);
    expect(copy.pack()).toHaveLength(2 * 20_001);
  });

  it('unpacks an empty table that can be filled', () => {
    const table = TupleTable.unpack(3, new Uint32Array(0));
    expect(table.id(Uint32Array.of(1, 2, 3), false)).toBe(-1);
    expect(table.id(Uint32Array.of(1, 2, 3), true)).toBe(0);
    expect([...table.key(0)]).toEqual([1, 2, 3]);
  });
});
