import { describe, expect, it } from 'vitest';
import { SpanwrightError } from '../../src/base/errors.js';
import { appendTexts } from '../../src/kernels/append-tags.js';
import { takeColumn } from '../../src/kernels/find-ids.js';
import { bestKernels, createMemory, guardArrays } from '../../src/kernels/kernels.js';
import {
  float32,
  float64,
  int16,
  int32,
  type Layout,
  uint8,
  uint16,
  uint32,
} from '../../src/kernels/layout.js';

describe('createMemory', () => {
  it.each(['plain', 'simd'] as const)('makes arrays of zeros that do not overlap: %s', (name) => {
    for (const isGuarded of [true, false]) {
      guardArrays(isGuarded);
      const { arrays } = createMemory(
        {
          sums: float64(3),
          nested: { list: [float32(5), int32(7)], none: undefined, numbers: uint32(1) },
          short: [uint16(3), int16(1)],
          empty: uint32(0),
          bytes: uint8(5),
        },
        name,
      );
      guardArrays(true);
      const { sums, nested, short, empty, bytes } = arrays;
      expect(nested.none).toBe(undefined);
      const all = [sums, ...nested.list, nested.numbers, ...short, empty, bytes];
      expect(all.map((array) => [array.constructor, array.length])).toEqual([
        [Float64Array, 3],
        [Float32Array, 5],
        [Int32Array, 7],
        [Uint32Array, 1],
        [Uint16Array, 3],
        [Int16Array, 1],
        [Uint32Array, 0],
        [Uint8Array, 5],
      ]);
      for (const array of all) expect(array.every((value) => value === 0)).toBe(true);
      all.forEach((array, i) => {
        array.fill(i + 1);
      });
      all.forEach((array, i) => {
        expect(array.every((value) => value === i + 1)).toBe(true);
      });
    }
  });

  it('says how much memory was wanted where there is not so much', () => {
    const layout: Layout = { large: float32(2 ** 48) };
    const wanted = expect.objectContaining({
      code: 'no-memory',
      message: expect.stringMatching(/^expected 1073741825 MB of free memory, found less: /),
    });
    for (const name of ['plain', 'simd'] as const) {
      expect(() => createMemory(layout, name)).toThrow(SpanwrightError);
      expect(() => createMemory(layout, name)).toThrow(wanted);
    }
  });

  it('takes plain arrays where the engine has no room for a memory of WebAssembly', () => {
    const { Memory } = WebAssembly;
    try {
      WebAssembly.Memory = class {
        constructor() {
          throw new RangeError('WebAssembly.Memory(): could not allocate memory');
        }
      } as unknown as typeof Memory;
      const { name, arrays } = createMemory({ one: float32(16) }, 'simd');
      expect([name, arrays.one.length]).toEqual(['plain', 16]);
    } finally {
      WebAssembly.Memory = Memory;
    }
  });

  it('takes SIMD where it runs', () => {
    expect(createMemory({}).name).toBe(bestKernels());
  });
});

describe('guardArrays', () => {
  /** Takes three numbers into an array of some length. */
  function takeInto(length: number): number[] {
    const { arrays, bind } = createMemory({ ids: uint32(3), out: uint32(length), table: uint32(9) }, 'simd');
    const { ids, out, table } = arrays;
    table.fill(7);
    bind({ takeColumn }).takeColumn({ ids, first: 0, count: 3, table, width: 3, column: 1, out, at: 0 });
    return [...out];
  }

  it('finds that an array is too short', () => {
    expect(takeInto(3)).toEqual([7, 7, 7]);
    const wanted = 'takeColumn: expected writes into arrays alone, found one between out and table';
    expect(() => takeInto(2)).toThrow(wanted);
    expect(() => takeInto(0)).toThrow(wanted);
  });

  it('finds a single byte that is too many', () => {
    const { arrays, bind } = createMemory(
      {
        bytes: uint8(1),
        lines: uint32(0),
        texts: uint32(0),
        pool: uint8(0),
        starts: uint32(1),
        out: uint8(0),
      },
      'simd',
    );
    const { bytes, lines, texts, pool, starts, out } = arrays;
    bytes[0] = 10;
    const text = { bytes, start: 0, end: 1, lines, tokens: 0, texts, table: { bytes: pool, starts }, out };
    expect(() => bind({ appendTexts }).appendTexts(text)).toThrow('found one between out and the end');
  });

  it('finds an array of another memory', () => {
    const { arrays, bind } = createMemory({ ids: uint32(3), table: uint32(9) }, 'simd');
    const take = { ...arrays, first: 0, count: 3, width: 3, column: 1, out: new Uint32Array(3), at: 0 };
    expect(() => bind({ takeColumn }).takeColumn(take)).toThrow(
      'takeColumn: expected an array of its own memory as out, found another',
    );
  });

  it('leaves memories alone where it is not on', () => {
    guardArrays(false);
    try {
      expect(takeInto(2)).toEqual([7, 7]);
    } finally {
      guardArrays(true);
    }
  });
});
