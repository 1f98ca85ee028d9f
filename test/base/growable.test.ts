import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grown, Uint32List } from '../../src/base/growable.js';

describe('grown', () => {
  it('returns the array itself when it is large enough', () => {
    const values = Uint16Array.of(1, 2);
    expect(grown(values, 2)).toBe(values);
    expect(grown(values, 0)).toBe(values);
  });

  it('at least doubles, keeps type and contents, and fills with zeros', () => {
    expect(grown(Uint16Array.of(1, 2), 3)).toEqual(Uint16Array.of(1, 2, 0, 0));
    expect(grown(Float32Array.of(0.5), 5)).toEqual(Float32Array.of(0.5, 0, 0, 0, 0));
    expect(grown(new Int32Array(0), 1)).toEqual(Int32Array.of(0));
  });
});

describe('Uint32List', () => {
  it('holds what was pushed, from any first capacity', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5 }), fc.array(fc.nat({ max: 2 ** 32 - 1 })), (capacity, values) => {
        const list = new Uint32List(capacity);
        for (const value of values) list.push(value);
        expect(list.length).toBe(values.length);
        expect([...list.toArray()]).toEqual(values);
      }),
    );
  });

  it('hands out a copy, and reserves without changing its length', () => {
    const list = new Uint32List(1);
    list.push(7);
    const copy = list.toArray();
    list.reserve(100);
    list.values[0] = 8;
    expect(list.values.length).toBeGreaterThanOrEqual(100);
    expect(list.length).toBe(1);
    expect([...copy]).toEqual([7]);
  });
});
