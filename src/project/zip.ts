/** Zip archives of files that are stored as they are, so that several files can be given as one. */
import { crc32 } from '../base/crc32.js';
import { InputError } from '../base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';

/** A file of an archive. */
export interface ZippedFile {
  /** Path within the archive. */
  readonly name: string;
  /** Its bytes. */
  readonly bytes: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Flag: names are UTF-8. */
const UTF8 = 0x800;
/** Date of all files: 1 January 1980, the first there is. */
const DATE = 0x21;

/** Puts files into an archive. */
export function writeZip(files: readonly ZippedFile[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = encodeUtf8(name);
    const common = [VERSION, UTF8, 0, 0, DATE] as const;
    const sizes = [crc32(bytes), bytes.length, bytes.length] as const;
    const local = record(LOCAL, common, [...sizes], [path.length, 0]);
    directory.push(
      record(CENTRAL, [VERSION, ...common], [...sizes], [path.length, 0, 0, 0, 0], [0, offset]),
      path,
    );
    parts.push(local, path, bytes);
    offset += local.length + path.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = record(END, [0, 0, files.length, files.length], [size, offset], [0]);
  return joined([...parts, ...directory, end]);
}

/** A signature, then runs of numbers of two and four bytes in turn. */
function record(signature: number, ...runs: readonly (readonly number[])[]): Uint8Array {
  const length = 4 + runs.reduce((sum, run, r) => sum + run.length * (r % 2 === 0 ? 2 : 4), 0);
  const view = new DataView(new ArrayBuffer(length));
  view.setUint32(0, signature, true);
  let at = 4;
  runs.forEach((run, r) => {
    for (const value of run) {
      if (r % 2 === 0) view.setUint16(at, value, true);
      else view.setUint32(at, value >>> 0, true);
      at += r % 2 === 0 ? 2 : 4;
    }
  });
  return new Uint8Array(view.buffer);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Files of an archive in which they are stored as they are. @throws InputError for others. */
export function readZip(bytes: Uint8Array, source: string): ZippedFile[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const files: ZippedFile[] = [];
  let at = 0;
  while (at + 30 <= bytes.length && view.getUint32(at, true) === LOCAL) {
    const method = view.getUint16(at + 8, true);
    const size = view.getUint32(at + 18, true);
    const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const name = decodeUtf8(bytes.subarray(at + 30, at + 30 + view.getUint16(at + 26, true)));
    if (method !== 0 || start + size > bytes.length || (view.getUint16(at + 6, true) & 8) !== 0) {
      throw new InputError(
        { source, byte: at },
        'expected an archive of files that are not packed; unpack it first',
      );
    }
    if (!name.endsWith('/')) files.push({ name, bytes: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return files;
}
