import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemory } from '../../src/kernels/kernels.js';
import type { Model } from '../../src/model/model.js';
import { SparseWeights } from '../../src/model/sparse-weights.js';
import { FeaturePacker, PackedRuns } from '../../src/tag/pack-features.js';

const LANES = 12;
const SLOTS = 3;

/** Two conjunctions of some tuples, with weights in many lanes or few. */
const FEATURES = fc.array(
  fc.array(fc.uniqueArray(fc.nat(SLOTS - 1), { maxLength: SLOTS }), {
    minLength: 1,
    maxLength: 700,
    size: 'max',
  }),
  { minLength: 2, maxLength: 2 },
);
const ROW = fc.oneof(
  fc.array(fc.integer({ min: -3, max: 3 }), { minLength: LANES, maxLength: LANES }),
  fc.array(fc.constantFrom(0, 0, 0, 2), { minLength: LANES, maxLength: LANES }),
);

describe('PackedRuns', () => {
  it('packs all weights of the slots asked for, at once or tuple by tuple, each tuple once', () => {
    fc.assert(
      fc.property(
        FEATURES,
        fc.array(ROW, { minLength: 1, maxLength: 9 }),
        fc.array(fc.nat(700), { maxLength: 50 }),
        fc.boolean(),
        (conjunctions, rows, asked, isWhole) => {
          const slots: number[] = [];
          const starts = conjunctions.map((tuples) => {
            const own = [slots.length];
            for (const tuple of tuples) own.push(slots.push(...tuple.toSorted()));
            return Uint32Array.from(own);
          });
          const dense = Float32Array.from(slots.flatMap((_, f) => rows[f % rows.length]));
          const weights = SparseWeights.ofRows(dense, LANES);
          const features = { starts, slots: Uint16Array.from(slots) };
          const model = { features, weights, problems: LANES } as unknown as Model;
          const ahead = [
            [true, false, true],
            [true, true, true],
          ];
          const { arrays } = createMemory(
            { words: FeaturePacker.layout(model, false), runs: PackedRuns.layout(model, ahead) },
            'plain',
          );
          const packer = new FeaturePacker(model, false, arrays.words);
          const runs = new PackedRuns(packer, model, ahead, arrays.runs);
          for (const c of [0, 1, 0]) {
            const tuples = conjunctions[c].length;
            const list = isWhole ? Array.from({ length: tuples }, (_, tuple) => tuple) : asked;
            const shifted = Uint32Array.from([0, ...list.map((tuple) => 1 + (tuple % tuples)), 0]);
            runs.pack(c, shifted, 0, shifted.length, 1);
            for (const tuple of shifted.filter((one) => one > 0)) {
              const own = runs.firsts[c] + tuple - 1;
              const found = new Map<number, Float32Array>();
              for (let word = runs.starts[own]; word < runs.ends[own]; ) {
                const header = packer.words[word++];
                const row = new Float32Array(LANES);
                for (const last = word + 2 * (header & 0xffff); word < last; word += 2) {
                  row[packer.words[word]] += packer.floats[word + 1];
                }
                found.set(header >>> 16, row);
              }
              const expected = new Map<number, Float32Array>();
              for (let f = starts[c][tuple - 1]; f < starts[c][tuple]; f++) {
                const row = dense.slice(f * LANES, (f + 1) * LANES);
                if (ahead[c][slots[f]] && row.some((weight) => weight !== 0)) expected.set(slots[f], row);
              }
              expect(found).toEqual(expected);
            }
          }
          expect(packer.length).toBeLessThanOrEqual(packer.words.length);
        },
      ),
      { seed: 1, numRuns: 30 },
    );
  });
});
