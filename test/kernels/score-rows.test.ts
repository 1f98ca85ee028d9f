import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { createMemory, type KernelName } from '../../src/kernels/kernels.js';
import { float32, int16, int32, uint32 } from '../../src/kernels/layout.js';
import { addPairs, listRows, scaleSteps, sumRows } from '../../src/kernels/score-rows.js';
import { sumBlocks } from '../../src/kernels/sum-blocks.js';
import { fillPairTable, pairCells } from '../../src/tag/pair-tables.js';
import { placeCopies } from './place.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];
const KINDS = NAMES.flatMap((name) => [
  { name, inSteps: false, kind: `${name}, float32` },
  { name, inSteps: true, kind: `${name}, int16` },
]);

/** Rows of so many numbers. */
const rowsOf = (inSteps: boolean, length: number) => (inSteps ? int16(length) : float32(length));

/** Overwrites an array with numbers made by its index. */
function fill<T extends Float32Array | Int16Array | Uint8Array | Uint32Array | Uint16Array | Int32Array>(
  array: T,
  make: (i: number) => number,
): T {
  for (let i = 0; i < array.length; i++) array[i] = make(i);
  return array;
}

describe.each(KINDS)('sumRows: $kind', ({ name, inSteps }) => {
  it('adds rows one after another, rounding each time', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(9), { maxLength: 5 }), fc.nat());
    fc.assert(
      fc.property(shape, ([groups, counts, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const tokens = counts.length;
        const total = counts.reduce((sum, count) => sum + count, 0);
        const { arrays, bind } = createMemory(
          {
            matrix: rowsOf(inSteps, 7 * width),
            rows: uint32(total),
            starts: uint32(tokens + 2),
            out: rowsOf(inSteps, tokens * width),
          },
          name,
        );
        const { matrix, rows, starts, out } = arrays;
        fill(matrix, () => (random.next() / 2 ** 31 - 1) * 100);
        fill(rows, () => random.below(7));
        let end = 0;
        fill(starts, (i) => (i < 2 ? 0 : (end += counts[i - 2])));
        // Those before the first are not read.
        starts[0] = 1e6;
        out.fill(7);
        const expected = out.slice().fill(0);
        for (let t = 0; t < tokens; t++) {
          for (let i = starts[t + 1]; i < starts[t + 2]; i++) {
            for (let k = 0; k < width; k++) expected[t * width + k] += matrix[rows[i] * width + k];
          }
        }
        bind({ sumRows }).sumRows({ matrix, width, rows, starts, first: 1, tokens, out });
        expect(out).toEqual(expected);
      }),
    );
  });
});

/** Lanes of a feature's weights, ascending: few, nearly all, or all from one to another. */
function drawLanes(random: Random, lanes: number): number[] {
  const all = Array.from({ length: lanes }, (_, lane) => lane);
  const start = random.below(lanes);
  const end = start + random.below(lanes - start + 1);
  const kind = random.below(3);
  if (kind === 2) return random.below(2) > 0 ? all : all.slice(start, end);
  return all.filter(() => random.below(8) < (kind === 0 ? 1 : 7));
}

/** Draws features of `lanes` lanes: for each run a few, with some weights each. */
function drawRuns(
  random: Random,
  runs: number,
  lanes: number,
  places: readonly number[],
  inSteps: boolean = false,
) {
  const drawn = Array.from({ length: runs }, () =>
    places
      .filter(() => random.below(2) > 0)
      .map((place) => ({
        place,
        weights: drawLanes(random, lanes).map((lane) => ({
          lane,
          value: inSteps ? random.below(256) - 128 : Math.fround((random.next() / 2 ** 31 - 1) * 100),
        })),
      })),
  );
  const words = drawn
    .flat()
    .reduce((sum, { weights }) => sum + (inSteps ? 3 * eightsOf(weights).length : 1 + 2 * weights.length), 0);
  return { drawn, words, inSteps };
}

/** The eights of lanes that some weights are in. */
function eightsOf(weights: readonly { lane: number }[]): number[] {
  return [...new Set(weights.map(({ lane }) => lane >> 3))];
}

type Runs = ReturnType<typeof drawRuns>;

/** Writes features as the kernels read them; gives [runs + 1] where each run starts. */
function packRuns({ drawn, words: length, inSteps }: Runs, words: Uint32Array) {
  const floats = new Float32Array(words.buffer, words.byteOffset, length);
  const steps = new Int8Array(words.buffer, words.byteOffset, 4 * length);
  const runs = [0];
  let at = 0;
  for (const run of drawn) {
    for (const { place, weights } of run) {
      for (const eight of inSteps ? eightsOf(weights) : []) {
        words[at] = (place << 16) | (8 * eight);
        for (const { lane, value } of weights) {
          if (lane >> 3 === eight) steps[4 * (at + 1) + (lane % 8)] = value;
        }
        at += 3;
      }
      if (inSteps) continue;
      words[at++] = (place << 16) | weights.length;
      for (const { lane, value } of weights) {
        words[at++] = lane;
        floats[at++] = value;
      }
    }
    runs.push(at);
  }
  return { runs, features: { words, floats, steps } };
}

describe.each(KINDS)('sumBlocks, one block: $kind', ({ name, inSteps }) => {
  it('adds the features of tuples to the rows of their places, which it makes when it needs them', () => {
    let made = 0;
    const shape = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.array(fc.nat(2), { maxLength: 4 }), fc.nat());
    fc.assert(
      fc.property(shape, ([groups, tuples, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        // Two tables of six slots.
        const places = [2, -1, 0, 1, 2, -1, 0, 0, 1, -1, -1, 2];
        const drawn = drawRuns(random, 3, width, [0, 1, 2, 3, 4, 5], inSteps);
        const { arrays, bind } = createMemory(
          {
            words: uint32(drawn.words),
            list: {
              starts: uint32(tuples.length),
              ends: uint32(tuples.length),
              tables: uint32(tuples.length),
              placeOf: int32(places.length),
            },
            numbers: uint32(tuples.length),
            runs: { starts: uint32(4), ends: uint32(4) },
            parts: {
              tuplesAt: uint32(tuples.length),
              runsAt: uint32(tuples.length),
              tables: uint32(tuples.length),
            },
            blocks: uint32(5),
            matrix: rowsOf(inSteps, 9 * width + 8),
          },
          name,
        );
        const { list, numbers, runs: runsOf, parts, blocks: block, matrix } = arrays;
        const { runs, features } = packRuns(drawn, arrays.words);
        const tables = tuples.map(() => 6 * random.below(2));
        list.placeOf.set(places);
        // Tuple 0 is none.
        fill(numbers, (i) => tuples[i] + 1);
        fill(runsOf.starts, (i) => runs[Math.max(0, i - 1)]);
        fill(runsOf.ends, (i) => runs[i]);
        fill(parts.tuplesAt, (i) => i);
        fill(parts.tables, (i) => tables[i]);
        block.fill(9);
        // Those after a new row are not held.
        matrix.fill(7, 0, 5 * width);
        const expected = matrix.slice();
        const rowOf = new Map<number, number>();
        tuples.forEach((tuple, i) => {
          for (const { place: slot, weights } of drawn.drawn[tuple]) {
            const place = places[tables[i] + slot];
            // A feature without weights has no part in a run for rows in steps.
            if (place < 0 || (inSteps && weights.length === 0)) continue;
            if (!rowOf.has(place)) {
              const row = 5 + rowOf.size;
              rowOf.set(place, row);
              expected.fill(0, row * width, (row + 1) * width);
              made++;
            }
            for (const { lane, value } of weights)
              expected[(rowOf.get(place) as number) * width + lane] += value;
          }
        });
        const sum = { list, runs: runsOf, parts, tuples: numbers, count: 1, next: 5 };
        const rows = { features, matrix, width, places: 3, blocks: block, at: 1 };
        const free = bind({ sumBlocks }).sumBlocks({ ...sum, ...rows });
        expect(free).toBe(5 + rowOf.size);
        expect([...block]).toEqual([9, ...[0, 1, 2].map((place) => rowOf.get(place) ?? 0), 9]);
        expect(matrix).toEqual(expected);
      }),
      { seed: 1 },
    );
    expect(made).toBeGreaterThan(30);
  });
});

describe.each(NAMES)('scaleSteps: %s', (name) => {
  it('multiplies by the step, rounded once', () => {
    const { arrays, bind } = createMemory({ steps: int16(65536), out: float32(65540) }, name);
    const { steps, out } = arrays;
    fill(steps, (i) => i - 32768);
    out.fill(7);
    const step = 0.012888057964054619;
    bind({ scaleSteps }).scaleSteps({ steps, length: 65536, step, out });
    const expected = Float32Array.from({ length: 65540 }, (_, i) => (i < 65536 ? (i - 32768) * step : 7));
    expect(out).toEqual(expected);
    // A step rounded beforehand gives others.
    expect(expected).not.toEqual(expected.map((_, i) => (i < 65536 ? (i - 32768) * Math.fround(step) : 7)));
  });
});

describe.each(NAMES)('listRows: %s', (name) => {
  it('lists the row of each place around each token', () => {
    const { arrays, bind } = placeCopies(
      {
        ids: Uint32Array.from({ length: 8 }, (_, i) => (5 * i) % 4),
        offsets: Int32Array.of(-2, 0, 1),
        rowsOf: Uint32Array.from({ length: 12 }, (_, i) => 100 + i),
        out: new Uint32Array(4 * 5).fill(7),
      },
      name,
    );
    const { ids, out } = arrays;
    bind({ listRows }).listRows({ ...arrays, first: 3, tokens: 4, column: 1, stride: 5 });
    const expected = [0, 1, 2, 3].flatMap((t) => [
      7,
      ...[-2, 0, 1].map((offset, place) => 100 + 3 * ids[3 + t + offset] + place),
      7,
    ]);
    expect([...out]).toEqual(expected);
  });
});

describe.each(KINDS)('addPairs: $kind', ({ name, inSteps }) => {
  it('adds the features of known pairs to the tokens at their offsets, in order', () => {
    let added = 0;
    const shape = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 60, max: 130 })),
      fc.nat(40),
      fc.nat(),
    );
    fc.assert(
      fc.property(shape, ([groups, positions, pairs, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const drawn = new Set<string>();
        while (drawn.size < pairs) drawn.add(`${1 + random.below(9)} ${1 + random.below(9)}`);
        const keys = [...drawn].flatMap((pair) => pair.split(' ').map(Number));
        const packed = drawRuns(random, pairs, width, [0, -1, 2], inSteps);
        const rows = positions + 3;
        const { arrays, bind } = createMemory(
          {
            values: uint32(2 * positions),
            words: uint32(packed.words),
            entries: uint32(pairCells(pairs)),
            out: rowsOf(inSteps, rows * width + 8),
          },
          name,
        );
        const { values, out } = arrays;
        fill(values, () => random.below(10));
        const { runs, features } = packRuns(packed, arrays.words);
        const table = fillPairTable(Uint32Array.from(keys), Uint32Array.from(runs), arrays.entries);
        fill(out, () => random.below(5));
        const expected = out.slice();
        const known = new Map([...drawn].map((pair, id) => [pair, id]));
        for (let i = 0; i < positions; i++) {
          const pair = known.get(`${values[i]} ${values[positions + i]}`);
          if (pair === undefined) continue;
          for (const { place, weights } of packed.drawn[pair]) {
            for (const { lane, value } of weights) {
              expected[(1 + i + place) * width + lane] += value;
              added++;
            }
          }
        }
        const pairsOf = { values, left: 0, right: positions, positions, table, features };
        bind({ addPairs }).addPairs({ ...pairsOf, width, out, at: width });
        expect(out).toEqual(expected);
      }),
      { seed: 1, numRuns: 300 },
    );
    expect(added).toBeGreaterThan(200);
  });
});
