import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/base/crc32.js';
import { encodeUtf8 } from '../../src/base/utf8.js';

/** Node has it from 20.15 and 22.2 on. */
const nodeCrc32 = (zlib as { crc32?: (bytes: Uint8Array, crc?: number) => number }).crc32;

/** One bit at a time, from the definition. */
function bitwise(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

describe('crc32', () => {
  it('gives the check value of the polynomial', () => {
    expect(crc32(encodeUtf8('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });

  it('is that of the definition', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => crc32(bytes) === bitwise(bytes)));
  });

  it.skipIf(nodeCrc32 === undefined)('is that of node:zlib', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat({ max: 2 ** 32 - 1 }), (bytes, before) => {
        expect(crc32(bytes, before)).toBe(nodeCrc32?.(bytes, before));
      }),
    );
  });

  it('goes on from the result for the bytes before', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 60 }), (bytes, at) => {
        expect(crc32(bytes.subarray(at), crc32(bytes.subarray(0, at)))).toBe(crc32(bytes));
      }),
    );
  });
});
