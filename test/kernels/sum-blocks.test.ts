import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { createMemory, type KernelName } from '../../src/kernels/kernels.js';
import { float32, int32, uint32 } from '../../src/kernels/layout.js';
import { sumBlock } from '../../src/kernels/score-rows.js';
import { sumBlocks } from '../../src/kernels/sum-blocks.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];
const TUPLES = 6;
const PLACES = 3;

describe.each(NAMES)('sumBlocks: %s', (name) => {
  it('sums the tuples that each block has, one block after another', () => {
    let made = 0;
    const shape = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(6),
      fc.integer(),
    );
    fc.assert(
      fc.property(shape, ([groups, parts, count, seed]) => {
        const random = new Random(seed);
        const width = 4 * groups;
        const room = 1 + PLACES * count;
        const { arrays, bind } = createMemory(
          {
            words: uint32(200),
            runs: { starts: uint32(TUPLES + 3), ends: uint32(TUPLES + 3) },
            plan: { tuplesAt: uint32(parts), runsAt: uint32(parts), tables: uint32(parts) },
            list: {
              starts: uint32(parts),
              ends: uint32(parts),
              tables: uint32(parts),
              placeOf: int32(2 * parts),
            },
            tuples: uint32(parts * count),
            matrix: float32(room * width),
            blocks: uint32(PLACES * count + 2),
          },
          name,
        );
        const { words, runs, plan, list, tuples, matrix, blocks } = arrays;
        const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
        let end = 0;
        for (let tuple = 0; tuple < TUPLES; tuple++) {
          runs.starts[2 + tuple] = end;
          for (let slot = 0; slot < 2; slot++) {
            const weights = random.below(4);
            words[end++] = (slot << 16) | weights;
            for (let i = 0; i < weights; i++) {
              words[end++] = random.below(width);
              floats[end++] = (random.next() / 2 ** 31 - 1) * 100;
            }
          }
          runs.ends[2 + tuple] = end;
        }
        for (let part = 0; part < parts; part++) {
          plan.tuplesAt[part] = part * count;
          // Some parts count tuples from 0, which is none, and some from 1.
          plan.runsAt[part] = 1 + random.below(2);
          plan.tables[part] = 2 * part;
          list.placeOf[2 * part] = random.below(PLACES + 1) - 1;
          list.placeOf[2 * part + 1] = random.below(PLACES + 1) - 1;
        }
        for (let i = 0; i < tuples.length; i++) tuples[i] = random.below(TUPLES);
        matrix.fill(7);
        blocks.fill(9);
        const features = { words, floats, steps: new Int8Array(0) };
        const expected = matrix.slice();
        const expectedBlocks = blocks.slice();
        let next = 1;
        for (let i = 0; i < count; i++) {
          const own = Array.from({ length: parts }, (_, part) => part).filter(
            (part) => tuples[part * count + i] !== 0,
          );
          const runOf = (part: number) => plan.runsAt[part] + tuples[part * count + i];
          next = sumBlock(
            {
              starts: Uint32Array.from(own, (part) => runs.starts[runOf(part)]),
              ends: Uint32Array.from(own, (part) => runs.ends[runOf(part)]),
              tables: Uint32Array.from(own, (part) => plan.tables[part]),
              placeOf: list.placeOf,
            },
            own.length,
            { features, matrix: expected, width, places: PLACES, blocks: expectedBlocks },
            next,
            1 + i * PLACES,
          );
        }
        made += next - 1;
        const sum = { list, runs, parts: plan, tuples, count, next: 1 };
        const rows = { features, matrix, width, places: PLACES, blocks, at: 1 };
        const free = bind({ sumBlocks }).sumBlocks({ ...sum, ...rows });
        expect(free).toBe(next);
        expect(blocks).toEqual(expectedBlocks);
        expect(matrix).toEqual(expected);
      }),
      { seed: 1 },
    );
    expect(made).toBeGreaterThan(100);
  });
});
