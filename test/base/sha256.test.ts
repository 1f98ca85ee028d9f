import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sha256 } from '../../src/base/sha256.js';
import { encodeUtf8 } from '../../src/base/utf8.js';

function digest(...parts: Uint8Array[]): string {
  const hash = new Sha256();
  for (const part of parts) hash.update(part);
  return hash.hex();
}

const reference = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('Sha256', () => {
  it('gives the known digests', () => {
    expect(digest()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(digest(encodeUtf8('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('is that of node:crypto at every length around the block size', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
      expect(digest(bytes)).toBe(reference(bytes));
    }
  });

  it('does not depend on how the bytes are cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 500 }),
        fc.array(fc.nat({ max: 500 }), { maxLength: 8 }),
        (bytes, cuts) => {
          const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const parts = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
          expect(digest(...parts)).toBe(reference(bytes));
        },
      ),
    );
  });
});
