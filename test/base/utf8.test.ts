import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8, encodeUtf8Into, findInvalidUtf8 } from '../../src/base/utf8.js';

const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isValid(bytes: Uint8Array): boolean {
  try {
    fatal.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are often nearly UTF-8: whole characters, pieces of them, and noise. */
const nearlyUtf8 = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }).map((text) => [...encodeUtf8(text)]),
      fc.constantFrom([0xe0, 0xa0], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0x80], [0xf0, 0x8f]),
      fc.array(fc.nat({ max: 255 }), { maxLength: 2 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

describe('findInvalidUtf8', () => {
  it('finds −1 exactly where a fatal TextDecoder is content, else the end of the longest valid part', () => {
    fc.assert(
      fc.property(nearlyUtf8, (bytes) => {
        const at = findInvalidUtf8(bytes);
        if (at < 0) return isValid(bytes);
        if (isValid(bytes) || !isValid(bytes.subarray(0, at))) return false;
        for (let end = at + 1; end <= bytes.length; end++) if (isValid(bytes.subarray(0, end))) return false;
        return true;
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['nothing', [], -1],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], -1],
    ['a NUL', [0x61, 0], -1],
    ['the last code point', [0xf4, 0x8f, 0xbf, 0xbf], -1],
    ['U+D7FF and U+E000', [0xed, 0x9f, 0xbf, 0xee, 0x80, 0x80], -1],
    ['a lone continuation', [0x61, 0x80], 1],
    ['overlong NUL', [0x61, 0xc0, 0x80], 1],
    ['overlong slash in two bytes', [0xc1, 0xaf], 0],
    ['overlong in three bytes', [0x61, 0xe0, 0x9f, 0xbf], 1],
    ['overlong in four bytes', [0x61, 0x62, 0xf0, 0x8f, 0xbf, 0xbf], 2],
    ['a high surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['a low surrogate', [0xed, 0xbf, 0xbf], 0],
    ['beyond U+10FFFF', [0x61, 0xf4, 0x90, 0x80, 0x80], 1],
    ['a lead that does not exist', [0xf5, 0x80, 0x80, 0x80], 0],
    ['two bytes cut short', [0x61, 0xc3], 1],
    ['three bytes cut short', [0x61, 0xe2, 0x82], 1],
    ['four bytes cut short', [0x61, 0xf0, 0x9f, 0x91], 1],
    ['a sequence broken off by a letter', [0xe2, 0x82, 0x61], 0],
    ['an error after much that is valid', [...encodeUtf8('aé€👍'), 0xff], 10],
  ])('%s', (_, bytes, expected) => {
    expect(findInvalidUtf8(Uint8Array.from(bytes))).toBe(expected);
  });
});

describe('encodeUtf8Into', () => {
  it('writes what TextEncoder gives, lone surrogates as U+FFFD', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\u007f', '\u0080', 'é', '€', '👍', '\ud800', '\udc00') }),
        (text) => {
          const out = new Uint8Array(text.length * 3);
          const length = encodeUtf8Into(text, out);
          expect(out.subarray(0, length)).toEqual(new TextEncoder().encode(text));
        },
      ),
    );
  });
});

it('decodeUtf8 inverts encodeUtf8 and keeps a byte order mark', () => {
  expect(decodeUtf8(encodeUtf8('\ufeffa€👍'))).toBe('\ufeffa€👍');
});
