import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkModel } from '../../src/model/check-model.js';
import type { Model } from '../../src/model/model.js';
import { SparseWeights } from '../../src/model/sparse-weights.js';
import { trainTiny } from './tiny.js';

/** A model whose weights are these groups of lanes, in memory that begins at some byte. */
async function modelWith(groups: readonly (readonly number[])[], wide: boolean, at: number): Promise<Model> {
  const model = await tiny;
  const starts = new Uint32Array(groups.length + 1);
  groups.forEach((group, g) => {
    starts[g + 1] = starts[g] + group.length;
  });
  const type = wide ? Uint16Array : Uint8Array;
  const lanes = new type(
    new ArrayBuffer(2 * starts[groups.length] + 8),
    wide ? 2 * at : at,
    starts[groups.length],
  );
  lanes.set(groups.flat());
  return { ...model, weights: new SparseWeights(starts, lanes, new Float32Array(lanes.length).fill(1)) };
}

const tiny = trainTiny();

describe('checkModel', () => {
  it('refuses lanes that do not ascend within a feature, wherever that is, and nothing else', async () => {
    const lane = fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 255 }));
    const sorted = fc.uniqueArray(lane, { maxLength: 7 }).map((lanes) => lanes.sort((a, b) => a - b));
    const groups = fc.array(fc.oneof({ weight: 9, arbitrary: sorted }, fc.array(lane, { maxLength: 4 })), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(groups, fc.boolean(), fc.nat({ max: 3 }), async (lanes, wide, at) => {
        const bad = lanes.findIndex((group) => group.some((lane, i) => i > 0 && lane <= group[i - 1]));
        const check = async () => checkModel(await modelWith(lanes, wide, at));
        if (bad < 0) await check();
        else {
          await expect(check()).rejects.toThrow(
            `weights.lanes: expected lanes in ascending order, found others for feature ${bad}`,
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
