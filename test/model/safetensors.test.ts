import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/base/crc32.js';
import { ModelFileError } from '../../src/base/errors.js';
import { readSafetensors, type Tensor, writeSafetensors } from '../../src/model/safetensors.js';

const TENSORS: Readonly<Record<string, Tensor>> = {
  bytes: { data: Uint8Array.of(1, 2, 255), shape: [3] },
  shorts: { data: Uint16Array.of(1, 65535), shape: [2, 1] },
  floats: { data: Float32Array.of(1.5, -0, Infinity, 1e-40, 3, 4), shape: [2, 3] },
  words: { data: Uint32Array.of(0xdeadbeef), shape: [1] },
  none: { data: new Float32Array(0), shape: [0, 4] },
};

/** A file taken apart by hand, as any other reader of the format would. */
function dissect(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = Number(view.getBigUint64(0, true));
  const text = new TextDecoder().decode(bytes.subarray(8, 8 + headerLength));
  const { __metadata__: metadata, ...entries } = JSON.parse(text) as Record<string, Record<string, unknown>>;
  return { headerLength, text, metadata, entries, body: 8 + headerLength };
}

describe('writeSafetensors', () => {
  const bytes = writeSafetensors(TENSORS, { format: 'x', note: '"checksum":"crc32:00000000"' });
  const { headerLength, text, metadata, entries, body } = dissect(bytes);

  it('starts with the length of a JSON header that is padded with blanks, so that tensors are aligned', () => {
    expect((8 + headerLength) % 64).toBe(0);
    expect(text).toMatch(/^\{.*\} *$/s);
    expect(metadata).toEqual({
      checksum: expect.stringMatching(/^crc32:[0-9a-f]{8}$/),
      format: 'x',
      note: '"checksum":"crc32:00000000"',
    });
  });

  it('puts larger elements first, without gaps, and ends with the last tensor', () => {
    const list = Object.entries(entries) as [
      string,
      { dtype: string; shape: number[]; data_offsets: number[] },
    ][];
    expect(list.map(([name, { dtype, shape, data_offsets }]) => [name, dtype, shape, data_offsets])).toEqual([
      ['floats', 'F32', [2, 3], [0, 24]],
      ['none', 'F32', [0, 4], [24, 24]],
      ['words', 'U32', [1], [24, 28]],
      ['shorts', 'U16', [2, 1], [28, 32]],
      ['bytes', 'U8', [3], [32, 35]],
    ]);
    expect(bytes).toHaveLength(body + 35);
    const view = new DataView(bytes.buffer, body);
    expect(view.getFloat32(0, true)).toBe(1.5);
    expect(view.getUint32(24, true)).toBe(0xdeadbeef);
    expect(view.getUint16(30, true)).toBe(65535);
    expect(view.getUint8(34)).toBe(255);
  });

  it('has the checksum of the whole file with its digits as zeros', () => {
    const digits = (metadata.checksum as string).slice(6);
    const at = 8 + text.indexOf(digits);
    const zeroed = bytes.slice().fill(48, at, at + 8);
    expect(crc32(zeroed).toString(16).padStart(8, '0')).toBe(digits);
  });

  it('does not depend on the order of the tensors, nor on where they stand in their buffers', () => {
    const larger = new Uint8Array([9, 1, 2, 255, 9]);
    const reversed = Object.fromEntries(Object.entries(TENSORS).reverse());
    const again = writeSafetensors(
      { ...reversed, bytes: { data: larger.subarray(1, 4), shape: [3] } },
      { format: 'x', note: '"checksum":"crc32:00000000"' },
    );
    expect(again).toEqual(bytes);
  });
});

describe('readSafetensors', () => {
  it('gives back what was written, from any place in a buffer', () => {
    const tensor = fc.oneof(
      fc.float32Array({ maxLength: 9 }).map((data) => ({ data, shape: [data.length] })),
      fc.uint32Array({ maxLength: 9 }).map((data) => ({ data, shape: [1, data.length] })),
      fc.uint16Array({ maxLength: 9 }).map((data) => ({ data, shape: [data.length, 1] })),
      fc.uint8Array({ maxLength: 9 }).map((data) => ({ data, shape: [data.length] })),
    );
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
    const safe = name.filter((key) => key !== '__metadata__' && key !== '__proto__' && key !== 'checksum');
    fc.assert(
      fc.property(
        fc.dictionary(safe, tensor, { maxKeys: 5, noNullPrototype: true }),
        fc.dictionary(safe, fc.string({ unit: 'grapheme' }), { maxKeys: 3, noNullPrototype: true }),
        fc.nat({ max: 7 }),
        fc.boolean(),
        (tensors, metadata, offset, asBuffer) => {
          const written = writeSafetensors(tensors, metadata);
          const place = new Uint8Array(written.length + offset + 3).fill(0xaa);
          place.set(written, offset);
          // Node's Buffer has a `slice` that does not copy.
          const bytes = asBuffer
            ? Buffer.from(place.buffer, offset, written.length)
            : place.subarray(offset, offset + written.length);
          const read = readSafetensors(bytes, 'm');
          expect(read.tensors).toEqual(tensors);
          const { checksum, ...rest } = read.metadata;
          expect(checksum).toMatch(/^crc32:/);
          expect(rest).toEqual(metadata);
        },
      ),
    );
  });

  const encode = (header: unknown, body: readonly number[] = []) => {
    const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
    const bytes = new Uint8Array(8 + json.length + body.length);
    new DataView(bytes.buffer).setUint32(0, json.length, true);
    bytes.set(json, 8);
    bytes.set(body, 8 + json.length);
    return bytes;
  };
  const entry = { dtype: 'F32', shape: [1], data_offsets: [0, 4] };

  it.each([
    ['nothing', new Uint8Array(0), 'not a model file: expected at least 8 bytes, found 0'],
    ['text', new TextEncoder().encode('Confidence NN B-NP\n'), 'not a model file, or a damaged one'],
    [
      'a header that is not all there',
      encode({ a: 1 }).subarray(0, 10),
      'truncated or damaged: expected a header of 7',
    ],
    ['a header that is not JSON', encode('{"a":'), 'damaged: its header is not JSON'],
    ['a header that is not UTF-8', encode('"\xff"').fill(0xff, 9), 'damaged: its header is not JSON'],
    ['a header that is a list', encode([1]), 'damaged: its header is not JSON'],
    ['no metadata', encode({ a: entry }, [0, 0, 0, 0]), 'not a Spanwright model: its header has no metadata'],
    ['metadata that are no strings', encode({ __metadata__: { a: 1 } }), 'its header has no metadata'],
    ['no checksum', encode({ __metadata__: { format: 'pt' } }), 'not a Spanwright model: it has no checksum'],
    [
      'a checksum of another form',
      encode({ __metadata__: { checksum: 'md5:0' } }),
      'damaged: its checksum is malformed',
    ],
    [
      'a wrong checksum',
      encode({ __metadata__: { checksum: 'crc32:00000000' } }),
      'damaged: expected checksum crc32:00000000, found crc32:',
    ],
    ['too short a body', encode({ __metadata__: {}, a: entry }, [0, 0, 0]), 'truncated: expected'],
    [
      'an unknown element type',
      encode({ __metadata__: {}, a: { ...entry, dtype: 'F16' } }),
      'entry for tensor "a" is malformed',
    ],
    [
      'a negative size',
      encode({ __metadata__: {}, a: { ...entry, shape: [-1] } }),
      'entry for tensor "a" is malformed',
    ],
    [
      'offsets the wrong way',
      encode({ __metadata__: {}, a: { ...entry, data_offsets: [4, 0] } }),
      'entry for tensor "a" is malformed',
    ],
  ])('refuses %s', (_, bytes, problem) => {
    const read = () => readSafetensors(bytes, 'some/file');
    expect(read).toThrow(ModelFileError);
    expect(read).toThrow(/^some\/file: /);
    expect(read).toThrow(problem);
  });

  it('refuses a tensor whose shape does not fill its bytes', () => {
    const bytes = writeSafetensors({ a: { data: Float32Array.of(1, 2), shape: [3] } }, {});
    expect(() => readSafetensors(bytes, 'm')).toThrow(
      'm: inconsistent: tensor a of shape [3] does not fill its 8 bytes',
    );
  });

  it('reads tensors of any type after a header of any length', () => {
    const tensors = {
      a: { data: Float64Array.of(1.5, -2), shape: [2] },
      b: { data: Uint8Array.of(7), shape: [1] },
    };
    const written = writeSafetensors(tensors, {});
    const length = new DataView(written.buffer).getUint32(0, true);
    for (let more = 0; more < 9; more++) {
      const bytes = new Uint8Array(written.length + more);
      bytes.set(written.subarray(0, 8 + length));
      bytes.fill(32, 8 + length, 8 + length + more);
      bytes.set(written.subarray(8 + length), 8 + length + more);
      new DataView(bytes.buffer).setUint32(0, length + more, true);
      const digits = Buffer.from(bytes).indexOf('crc32:') + 6;
      bytes.fill(48, digits, digits + 8);
      bytes.set(Buffer.from(crc32(bytes).toString(16).padStart(8, '0')), digits);
      expect(readSafetensors(bytes, 'm').tensors).toEqual(tensors);
    }
  });

  it('refuses whatever was added at the end', () => {
    const bytes = writeSafetensors(TENSORS, {});
    expect(() => readSafetensors(Uint8Array.of(...bytes, 0), 'm')).toThrow('m: damaged: expected checksum');
  });
});
