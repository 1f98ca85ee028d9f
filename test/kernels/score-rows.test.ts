import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { TupleTable } from '../../src/features/tuple-table.js';
import { createKernels, type KernelName } from '../../src/kernels/kernels.js';
import { NOWHERE } from '../../src/kernels/score-rows.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];

/** Overwrites an array with numbers made by its index. */
function fill<T extends Float32Array | Uint8Array | Uint32Array | Uint16Array | Int32Array>(
  array: T,
  make: (i: number) => number,
): T {
  for (let i = 0; i < array.length; i++) array[i] = make(i);
  return array;
}

describe.each(NAMES)('sumRows: %s', (name) => {
  it('adds rows one after another, rounding each time', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(9), { maxLength: 5 }), fc.nat());
    fc.assert(
      fc.property(shape, ([groups, counts, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const tokens = counts.length;
        const total = counts.reduce((sum, count) => sum + count, 0);
        const kernels = createKernels(4, 4 * (7 * width + total + tokens + 1 + tokens * width), name);
        const matrix = fill(kernels.float32(7 * width), () => (random.next() / 2 ** 31 - 1) * 100);
        const rows = fill(kernels.uint32(total), () => random.below(7));
        let end = 0;
        const starts = fill(kernels.uint32(tokens + 1), (i) => (i === 0 ? 0 : (end += counts[i - 1])));
        const out = kernels.float32(tokens * width).fill(7);
        const expected = new Float32Array(tokens * width);
        for (let t = 0; t < tokens; t++) {
          for (let i = starts[t]; i < starts[t + 1]; i++) {
            for (let k = 0; k < width; k++) expected[t * width + k] += matrix[rows[i] * width + k];
          }
        }
        kernels.sumRows(matrix, width, rows, starts, tokens, out);
        expect(out).toEqual(expected);
      }),
    );
  });
});

/** Lanes of a feature's weights, ascending: few, nearly all, or all from one to another. */
function drawLanes(random: Random, width: number): number[] {
  const all = Array.from({ length: width }, (_, lane) => lane);
  const start = random.below(width);
  const end = start + random.below(width - start + 1);
  const kind = random.below(3);
  if (kind === 2) return random.below(2) > 0 ? all : all.slice(start, end);
  return all.filter(() => random.below(8) < (kind === 0 ? 1 : 7));
}

describe.each(NAMES)('addTuple: %s', (name) => {
  it('adds the features of tuples to the rows of their places, which it makes when it needs them', () => {
    let made = 0;
    const shape = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.array(fc.nat(2), { maxLength: 4 }), fc.nat());
    fc.assert(
      fc.property(shape, ([groups, tuples, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const places = [2, -1, 0, 1, 2];
        const slotsOf = [0, 1, 2].map(() => [0, 1, 2, 3, 4, 5].filter(() => random.below(2) > 0));
        const slots = slotsOf.flat();
        const lanesOf = slots.map(() => drawLanes(random, width));
        const lanes = lanesOf.flat();
        const nnz = lanes.length;
        const cells = 4 + places.length + slots.length + 1 + 2 * nnz + 3 + 9 * width;
        const kernels = createKernels(8, 4 * cells + 2 * slots.length, name);
        let end = 0;
        const starts = fill(kernels.uint32(4), (i) => (i === 0 ? 0 : (end += slotsOf[i - 1].length)));
        end = 0;
        const features = {
          slots: fill(kernels.uint16(slots.length), (i) => slots[i]),
          starts: fill(kernels.uint32(slots.length + 1), (i) =>
            i === 0 ? 0 : (end += lanesOf[i - 1].length),
          ),
          lanes: fill(kernels.uint8(nnz), (i) => lanes[i]),
          values: fill(kernels.float32(nnz), () => (random.next() / 2 ** 31 - 1) * 100),
        };
        const placeOf = fill(kernels.int32(places.length), (i) => places[i]);
        const block = kernels.uint32(3);
        const matrix = kernels.float32(9 * width).fill(7);
        const expected = matrix.slice();
        const rowOf = new Map<number, number>();
        let free = 5;
        for (const tuple of tuples) {
          for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
            const place = places[slots[f]] ?? -1;
            if (place < 0) continue;
            if (!rowOf.has(place)) {
              const row = 5 + rowOf.size;
              rowOf.set(place, row);
              expected.fill(0, row * width, (row + 1) * width);
              made++;
            }
            for (let j = features.starts[f]; j < features.starts[f + 1]; j++) {
              expected[(rowOf.get(place) as number) * width + features.lanes[j]] += features.values[j];
            }
          }
          free = kernels.addTuple(starts, tuple, placeOf, features, block, matrix, width, free);
        }
        expect(free).toBe(5 + rowOf.size);
        expect([...block]).toEqual([0, 1, 2].map((place) => rowOf.get(place) ?? 0));
        expect(matrix).toEqual(expected);
      }),
      { seed: 1 },
    );
    expect(made).toBeGreaterThan(30);
  });
});

describe.each(NAMES)('addPairs: %s', (name) => {
  it('adds the features of known pairs to the tokens at their offsets, in order', () => {
    let added = 0;
    const shape = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(40),
      fc.nat(),
    );
    fc.assert(
      fc.property(shape, ([groups, tokens, pairs, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const reach = 2;
        const positions = tokens + 2 * reach;
        const drawn = new Set<string>();
        while (drawn.size < pairs) drawn.add(`${1 + random.below(9)} ${1 + random.below(9)}`);
        const known = new Map([...drawn].map((pair, id) => [pair, id]));
        const pairKeys = [...known.keys()].flatMap((pair) => pair.split(' ').map(Number));
        // One to three features a pair, some in slots that are for no token, or beyond those without history.
        const placements = [0, -1, NOWHERE, 2];
        const slotsOf = Array.from({ length: pairs }, () =>
          [0, 1, 2, 3, 4].filter(() => random.below(2) > 0),
        );
        const slots = slotsOf.flat();
        const lanesOf = slots.map(() => drawLanes(random, width));
        const lanes = lanesOf.flat();
        const nnz = lanes.length;
        const tuples = new TupleTable(2);
        for (let i = 0; i < pairKeys.length; i += 2)
          tuples.id(Uint32Array.from(pairKeys.slice(i, i + 2)), true);
        const hash = tuples.hashed;
        const cells =
          2 * positions + hash.length + pairKeys.length + pairs + 1 + 4 + slots.length + 1 + 3 * nnz;
        const kernels = createKernels(10, 4 * (cells + tokens * width) + 2 * slots.length, name);
        const values = fill(kernels.uint32(2 * positions), () => random.below(10));
        let end = 0;
        const table = {
          hashed: fill(kernels.uint32(hash.length), (i) => hash[i]),
          keys: fill(kernels.uint32(pairKeys.length), (i) => pairKeys[i]),
          starts: fill(kernels.uint32(pairs + 1), (i) => (i === 0 ? 0 : (end += slotsOf[i - 1].length))),
          offsets: fill(kernels.int32(4), (i) => placements[i]),
        };
        end = 0;
        const features = {
          slots: fill(kernels.uint16(slots.length), (i) => slots[i]),
          starts: fill(kernels.uint32(slots.length + 1), (i) =>
            i === 0 ? 0 : (end += lanesOf[i - 1].length),
          ),
          lanes: fill(kernels.uint8(nnz), (i) => lanes[i]),
          values: fill(kernels.float32(nnz), () => (random.next() / 2 ** 31 - 1) * 100),
        };
        const out = fill(kernels.float32(tokens * width), () => random.below(5));
        const expected = out.slice();
        for (let i = 0; i < positions; i++) {
          const pair = known.get(`${values[i]} ${values[positions + i]}`);
          if (pair === undefined) continue;
          for (let f = table.starts[pair]; f < table.starts[pair + 1]; f++) {
            const t = i - reach - (placements[slots[f]] ?? NOWHERE);
            for (let j = features.starts[f]; t >= 0 && t < tokens && j < features.starts[f + 1]; j++) {
              expected[t * width + features.lanes[j]] += features.values[j];
              added++;
            }
          }
        }
        kernels.addPairs(values, 0, positions, positions, -reach, table, features, width, tokens, out);
        expect(out).toEqual(expected);
      }),
      { seed: 1, numRuns: 300 },
    );
    expect(added).toBeGreaterThan(200);
  });
});
