import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SparseWeights } from '../../src/model/sparse-weights.js';

// Feature 0: 1.5 in lane 0, −2 in lane 2; feature 1: none; feature 2: 4 in lane 1.
const unpack = (counts: number[], lanes: number[], values: number[]) =>
  SparseWeights.unpack(Uint16Array.from(counts), Uint16Array.from(lanes), Float32Array.from(values), 3);

describe('SparseWeights', () => {
  const weights = unpack([2, 0, 1], [0, 2, 1], [1.5, -2, 4]);

  it('gives each weight, 0 where there is none', () => {
    const rows = [0, 1, 2].map((f) => [0, 1, 2].map((lane) => weights.weight(f, lane)));
    expect(rows).toEqual([
      [1.5, 0, -2],
      [0, 0, 0],
      [0, 4, 0],
    ]);
    expect([...weights.counts()]).toEqual([2, 0, 1]);
  });

  it('are made of rows of lanes', () => {
    const rows = Float32Array.of(1.5, 0, -2, 0, 0, 0, 0, 0, 0, 4, 0, 0);
    const { starts, lanes, values } = SparseWeights.ofRows(rows, 3);
    expect([[...starts], [...lanes], [...values]]).toEqual([
      [0, 2, 2, 3],
      [0, 2, 1],
      [1.5, -2, 4],
    ]);
  });

  it('adds a row', () => {
    const out = new Float32Array(5).fill(1);
    weights.addTo(0, out, 1);
    expect([...out]).toEqual([1, 2.5, 1, -1, 1]);
  });

  it('packs weights that are multiples of a step as whole steps', () => {
    const steps = Int8Array.from([-127, 1, 100]);
    const packed = SparseWeights.unpack(
      Uint16Array.from([1, 2]),
      Uint16Array.from([0, 0, 2]),
      steps,
      3,
      0.013,
    );
    expect(packed.weight(0, 0)).toBe(Math.fround(-127 * 0.013));
    expect(packed.weight(1, 2)).toBe(Math.fround(100 * 0.013));
    expect(packed.packed).toBe(steps);
    expect(packed.values).toEqual(Float32Array.from(steps, (value) => value * 0.013));
    expect(weights.packed).toBe(weights.values);
    expect(() => SparseWeights.unpack(new Uint16Array(), new Uint16Array(), new Int8Array(), 3, 0)).toThrow(
      'expected a step above 0, up to 7.8125e+27, found 0',
    );
  });

  it('refuses arrays that do not fit', () => {
    expect(() => unpack([1], [0, 1], [1, 2])).toThrow('expected 1 weights, found 2 in 2 lanes');
    expect(() => unpack([2], [0], [1, 2])).toThrow('expected 2 weights, found 2 in 1 lanes');
    expect(() => unpack([1], [3], [1])).toThrow('expected lanes below 3, found 3');
    for (const value of [NaN, Infinity, -1e31]) {
      expect(() => unpack([1], [0], [value])).toThrow('expected weights up to ±1e+30, found ');
    }
  });
});

describe('unpack', () => {
  it('refuses lanes that do not ascend within a feature, wherever that is, and nothing else', () => {
    const lane = fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 255 }));
    const sorted = fc.uniqueArray(lane, { maxLength: 7 }).map((lanes) => lanes.sort((a, b) => a - b));
    const groups = fc.array(fc.oneof({ weight: 9, arbitrary: sorted }, fc.array(lane, { maxLength: 4 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(groups, fc.boolean(), fc.nat({ max: 3 }), (lanes, wide, at) => {
        const all = lanes.flat();
        const type = wide ? Uint16Array : Uint8Array;
        // In memory that begins at some byte.
        const own = new type(new ArrayBuffer(2 * all.length + 8), wide ? 2 * at : at, all.length);
        own.set(all);
        const counts = Uint8Array.from(lanes, (group) => group.length);
        const unpack = () => SparseWeights.unpack(counts, own, new Float32Array(all.length), 256);
        const bad = lanes.findIndex((group) => group.some((lane, i) => i > 0 && lane <= group[i - 1]));
        if (bad < 0) expect([...unpack().starts].at(-1)).toBe(all.length);
        else expect(unpack).toThrow(`expected lanes in ascending order, found others for feature ${bad}`);
      }),
      { numRuns: 500 },
    );
  });
});
