/**
 * The safetensors container: 8 bytes of header length, a JSON header, then the tensors, little-endian and without
 * gaps. Larger element sizes come first, so every tensor is aligned and can be used in place.
 *
 * The metadata entry `checksum` covers the whole file: CRC-32 over all bytes with the eight digits of the checksum
 * itself read as zeros.
 */
import { crc32 } from '../base/crc32.js';
import { ModelFileError } from '../base/errors.js';
import type { TypedArray } from '../base/typed-array.js';
import { decodeUtf8, encodeUtf8, findInvalidUtf8 } from '../base/utf8.js';

/** A tensor to write, or as read. */
export interface Tensor {
  /** Elements in row-major order. */
  readonly data: TypedArray;
  /** Dimensions. */
  readonly shape: readonly number[];
}

const DATA_TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U16: Uint16Array,
  U8: Uint8Array,
  I8: Int8Array,
} as const;
type DataType = keyof typeof DATA_TYPES;

const CHECKSUM_PREFIX = 'crc32:';
const CHECKSUM_DIGITS = 8;
/** Refused beyond this: no header of ours comes near it. */
const LARGEST_HEADER = 64 * 1024 * 1024;

/** Contents of a container. */
export interface Container {
  /** Tensors by name. */
  readonly tensors: Readonly<Record<string, Tensor>>;
  /** Metadata, `checksum` included. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The file's bytes; `checksum` is added to the metadata. */
export function writeSafetensors(
  tensors: Readonly<Record<string, Tensor>>,
  metadata: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(tensors).sort((a, b) => {
    const sizes = tensors[b].data.BYTES_PER_ELEMENT - tensors[a].data.BYTES_PER_ELEMENT;
    return sizes || (a < b ? -1 : 1);
  });
  const zeros = CHECKSUM_PREFIX + '0'.repeat(CHECKSUM_DIGITS);
  const header: Record<string, unknown> = { __metadata__: { checksum: zeros, ...metadata } };
  let end = 0;
  for (const name of names) {
    const { data, shape } = tensors[name];
    header[name] = { dtype: dataTypeOf(data), shape, data_offsets: [end, (end += data.byteLength)] };
  }
  const json = encodeUtf8(JSON.stringify(header));
  const headerLength = Math.ceil(json.length / 64) * 64 + 56;
  const bytes = new Uint8Array(8 + headerLength + end);
  new DataView(bytes.buffer).setUint32(0, headerLength, true);
  bytes.fill(32, 8, 8 + headerLength);
  bytes.set(json, 8);
  let at = 8 + headerLength;
  for (const name of names) {
    const { data } = tensors[name];
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  const checksum = crc32(bytes).toString(16).padStart(CHECKSUM_DIGITS, '0');
  bytes.set(encodeUtf8(checksum), checksumPosition(bytes, headerLength, zeros));
  return bytes;
}

/**
 * Reads a container written by {@link writeSafetensors}.
 *
 * @param source names the file in messages.
 * @throws ModelFileError saying whether the file is truncated, damaged or something else altogether.
 */
export function readSafetensors(bytes: Uint8Array, source: string): Container {
  const fail = (problem: string): never => {
    throw new ModelFileError(source, problem);
  };
  if (bytes.length < 8) fail(`not a model file: expected at least 8 bytes, found ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = view.getUint32(0, true);
  if (view.getUint32(4, true) !== 0 || headerLength > LARGEST_HEADER) {
    fail('not a model file, or a damaged one: it does not start with the length of a safetensors header');
  }
  if (8 + headerLength > bytes.length) {
    fail(`truncated or damaged: expected a header of ${headerLength} bytes, found ${bytes.length - 8}`);
  }
  const header = parseHeader(bytes.subarray(8, 8 + headerLength)) ?? fail('damaged: its header is not JSON');
  const metadata = header.__metadata__;
  if (!isRecord(metadata) || !Object.values(metadata).every((value) => typeof value === 'string')) {
    return fail('not a Spanwright model: its header has no metadata');
  }
  const body = 8 + headerLength;
  const entries = Object.entries(header).filter(([name]) => name !== '__metadata__');
  let end = 0;
  for (const [name, entry] of entries) {
    if (!isEntry(entry))
      return fail(`damaged: the header's entry for tensor ${JSON.stringify(name)} is malformed`);
    end = Math.max(end, entry.data_offsets[1]);
  }
  if (body + end > bytes.length) {
    fail(`truncated: expected ${body + end} bytes, found ${bytes.length}`);
  }
  checkSum(bytes, headerLength, metadata as Record<string, string>, source);

  // A copy makes the tensors aligned when the bytes stand at an odd place in a larger buffer, or after an odd header.
  const data = bytes.subarray(body);
  const sizes = entries.map(([, entry]) => DATA_TYPES[(entry as HeaderEntry).dtype].BYTES_PER_ELEMENT);
  const aligned = data.byteOffset % Math.max(1, ...sizes) === 0 ? data : new Uint8Array(data);
  const tensors: Record<string, Tensor> = {};
  for (const [name, entry] of entries) {
    const { dtype, shape, data_offsets: offsets } = entry as HeaderEntry;
    const type = DATA_TYPES[dtype];
    const elements = shape.reduce((product, size) => product * size, 1);
    if (elements * type.BYTES_PER_ELEMENT !== offsets[1] - offsets[0]) {
      fail(
        `inconsistent: tensor ${name} of shape [${shape.join(', ')}] does not fill its ${offsets[1] - offsets[0]} bytes`,
      );
    }
    if (offsets[0] % type.BYTES_PER_ELEMENT !== 0) fail(`inconsistent: tensor ${name} is not aligned`);
    const at = aligned.byteOffset + offsets[0];
    tensors[name] = { data: new type(aligned.buffer as ArrayBuffer, at, elements), shape };
  }
  return { tensors, metadata: metadata as Record<string, string> };
}

interface HeaderEntry {
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function isEntry(value: unknown): value is HeaderEntry {
  if (!isRecord(value)) return false;
  const { dtype, shape, data_offsets: offsets } = value;
  return (
    typeof dtype === 'string' &&
    Object.hasOwn(DATA_TYPES, dtype) &&
    isSizes(shape) &&
    isSizes(offsets) &&
    offsets.length === 2 &&
    offsets[0] <= offsets[1]
  );
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (findInvalidUtf8(bytes) >= 0) return undefined;
  try {
    const header: unknown = JSON.parse(decodeUtf8(bytes));
    return isRecord(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function dataTypeOf(data: TypedArray): DataType {
  const names = Object.keys(DATA_TYPES) as DataType[];
  return names.find((name) => data instanceof DATA_TYPES[name]) as DataType;
}

function checkSum(
  bytes: Uint8Array,
  headerLength: number,
  metadata: Record<string, string>,
  source: string,
): void {
  const stated = metadata.checksum;
  if (stated === undefined) throw new ModelFileError(source, 'not a Spanwright model: it has no checksum');
  const at = checksumPosition(bytes, headerLength, stated);
  if (at < 0 || stated.length !== CHECKSUM_PREFIX.length + CHECKSUM_DIGITS) {
    throw new ModelFileError(source, 'damaged: its checksum is malformed');
  }
  let crc = crc32(bytes.subarray(0, at));
  crc = crc32(encodeUtf8('0'.repeat(CHECKSUM_DIGITS)), crc);
  crc = crc32(bytes.subarray(at + CHECKSUM_DIGITS), crc);
  const actual = CHECKSUM_PREFIX + crc.toString(16).padStart(CHECKSUM_DIGITS, '0');
  if (actual !== stated) {
    throw new ModelFileError(source, `damaged: expected checksum ${stated}, found ${actual}`);
  }
}

/** Where the digits of the checksum stand in the file; −1 if the header does not show it as written. */
function checksumPosition(bytes: Uint8Array, headerLength: number, checksum: string): number {
  const text = `"checksum":"${checksum}"`;
  const pattern = encodeUtf8(text);
  const last = 8 + headerLength - pattern.length;
  for (let at = bytes.indexOf(pattern[0], 8); at >= 0 && at <= last; at = bytes.indexOf(pattern[0], at + 1)) {
    if (pattern.every((byte, i) => bytes[at + i] === byte)) return at + text.length - 1 - CHECKSUM_DIGITS;
  }
  return -1;
}
