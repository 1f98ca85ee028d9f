import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { addDensePairs } from '../../src/kernels/dense-pairs.js';
import { createMemory, type KernelName } from '../../src/kernels/kernels.js';
import { int16, uint32 } from '../../src/kernels/layout.js';
import type { Model } from '../../src/model/model.js';
import { SparseWeights } from '../../src/model/sparse-weights.js';
import { denseCells, denseSize, fillDenseTable } from '../../src/tag/pair-tables.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];
const STEP = 0.5;

/** Draws a model of one conjunction of two values: a feature for some pairs and slots, with some weights. */
function drawModel(random: Random, pairs: number, slots: number, problems: number, share: number) {
  const starts = [0];
  const slotOf: number[] = [];
  const firsts = [0];
  const lanes: number[] = [];
  const steps: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    for (let slot = 0; slot < slots; slot++) {
      if (random.below(100) >= share) continue;
      slotOf.push(slot);
      for (let lane = 0; lane < problems; lane++) {
        if (random.below(100) >= share) continue;
        lanes.push(lane);
        steps.push(random.below(256) - 128);
      }
      firsts.push(lanes.length);
    }
    starts.push(slotOf.length);
  }
  const weights = new SparseWeights(
    Uint32Array.from(firsts),
    Uint8Array.from(lanes),
    Int8Array.from(steps),
    STEP,
  );
  const features = { starts: [Uint32Array.from(starts)], slots: Uint16Array.from(slotOf) };
  return { features, weights, problems } as unknown as Model;
}

describe.each(NAMES)('addDensePairs: %s', (name) => {
  it('adds the weights of known pairs, in steps, to the tokens at their offsets', () => {
    let added = 0;
    const shape = fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 60, max: 130 })),
      fc.nat(40),
      fc.nat(),
    );
    fc.assert(
      fc.property(shape, ([problems, positions, pairs, seed]) => {
        const random = new Random(seed);
        const width = 4 * Math.ceil(problems / 4);
        // Slot 1 is summed elsewhere.
        const tokens = [0, undefined, -1, 2];
        const drawn = new Set<string>();
        while (drawn.size < pairs) drawn.add(`${1 + random.below(9)} ${1 + random.below(9)}`);
        const keys = Uint32Array.from([...drawn].flatMap((pair) => pair.split(' ').map(Number)));
        const model = drawModel(random, pairs, tokens.length, problems, 60);
        const size = denseSize(model, 0, tokens) ?? {
          capacity: pairs + 1,
          groups: Math.ceil((4 * width) / 8),
        };
        const rows = positions + 3;
        const { arrays, bind } = createMemory(
          {
            values: uint32(2 * positions),
            entries: uint32(denseCells(size)),
            out: int16(rows * width + 8),
          },
          name,
        );
        const { values, out } = arrays;
        for (let i = 0; i < values.length; i++) values[i] = random.below(10);
        const table = fillDenseTable(model, 0, keys, tokens, size, arrays.entries);
        for (let i = 0; i < out.length; i++) out[i] = random.below(5);
        const expected = out.slice();
        const known = new Map([...drawn].map((pair, id) => [pair, id]));
        const { features, weights } = model;
        for (let i = 0; i < positions; i++) {
          const pair = known.get(`${values[i]} ${values[positions + i]}`);
          if (pair === undefined) continue;
          for (let f = features.starts[0][pair]; f < features.starts[0][pair + 1]; f++) {
            const token = tokens[features.slots[f]];
            if (token === undefined) continue;
            for (let j = weights.starts[f]; j < weights.starts[f + 1]; j++) {
              expected[(1 + i + token) * width + weights.lanes[j]] += weights.packed[j];
              added++;
            }
          }
        }
        const pairsOf = { values, left: 0, right: positions, positions, table };
        bind({ addDensePairs }).addDensePairs({ ...pairsOf, width, out, at: width });
        expect(out).toEqual(expected);
      }),
      { seed: 1, numRuns: 300 },
    );
    expect(added).toBeGreaterThan(200);
  });
});

describe('denseSize', () => {
  it('leaves pairs apart that have few weights', () => {
    const tokens = [0, 1, 2, 3];
    const random = new Random(1);
    expect(denseSize(drawModel(random, 500, 4, 4, 70), 0, tokens)?.groups).toBe(2);
    expect(denseSize(drawModel(random, 500, 4, 100, 2), 0, tokens)).toBeUndefined();
  });
});
