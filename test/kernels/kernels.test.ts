import { describe, expect, it } from 'vitest';
import { SpanwrightError } from '../../src/base/errors.js';
import { bestKernels, createKernels } from '../../src/kernels/kernels.js';

describe('createKernels', () => {
  it('makes arrays of zeros that do not overlap', () => {
    for (const name of ['plain', 'simd'] as const) {
      const kernels = createKernels(6, 3 * 8 + 5 * 4 + 7 * 4 + 1 * 4 + 3 * 2 + 5, name);
      const arrays = [
        kernels.float64(3),
        kernels.float32(5),
        kernels.int32(7),
        kernels.uint32(1),
        kernels.uint16(3),
        kernels.uint8(5),
      ];
      for (const array of arrays) expect(array.every((value) => value === 0)).toBe(true);
      arrays.forEach((array, i) => {
        array.fill(i + 1);
      });
      arrays.forEach((array, i) => {
        expect(array.every((value) => value === i + 1)).toBe(true);
      });
    }
  });

  it('says how much memory was wanted where there is not so much', () => {
    const bytes = 2 ** 50;
    const wanted = expect.objectContaining({
      code: 'no-memory',
      message: expect.stringMatching(/^expected 1073741824 MB of free memory, found less: /),
    });
    expect(() => createKernels(1, bytes, 'plain').float32(2 ** 48)).toThrow(SpanwrightError);
    expect(() => createKernels(1, bytes, 'plain').float32(2 ** 48)).toThrow(wanted);
    // More than WebAssembly can address: plain arrays, if there is room for them.
    expect(createKernels(1, bytes, 'simd').name).toBe('plain');
  });

  it('takes plain arrays where the engine has no room for a memory of WebAssembly', () => {
    const { Memory } = WebAssembly;
    try {
      WebAssembly.Memory = class {
        constructor() {
          throw new RangeError('WebAssembly.Memory(): could not allocate memory');
        }
      } as unknown as typeof Memory;
      const kernels = createKernels(1, 64, 'simd');
      expect([kernels.name, kernels.float32(16).length]).toEqual(['plain', 16]);
    } finally {
      WebAssembly.Memory = Memory;
    }
  });

  it('takes SIMD where it runs', () => {
    expect(createKernels(0, 0).name).toBe(bestKernels());
  });
});
