import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { ZstdFrames } from './zstd-frames.js';

/** What Node has from 22.15 on, which the types of earlier ones lack. */
interface Zstd {
  readonly createZstdDecompress?: () => Transform;
  readonly zstdDecompress?: typeof zlib.gunzip;
}

/** A way to pack files. */
interface Packing {
  /** How they begin. */
  readonly start: readonly number[];
  /** Unpacks pieces; undefined where this Node cannot. */
  readonly stream: (() => Transform) | undefined;
  /** Follows the packed bytes, to tell whether they are all there; absent where unpacking tells. */
  readonly frames?: () => ZstdFrames;
  /** Unpacks a whole file. */
  readonly whole: typeof zlib.gunzip | undefined;
}

const { createZstdDecompress, zstdDecompress } = zlib as Zstd;
const PACKINGS: readonly Packing[] = [
  { start: [0x1f, 0x8b], stream: zlib.createGunzip, whole: zlib.gunzip },
  {
    start: [0x28, 0xb5, 0x2f, 0xfd],
    stream: createZstdDecompress,
    whole: zstdDecompress,
    frames: () => new ZstdFrames(),
  },
];

/** Why a file cannot be unpacked; whoever knows its name says so. */
export class NotUnpacked extends Error {}

/** Bytes that tell how a file is packed. */
const TELLING = 4;

/** Extensions of packed files. */
export const PACKED_EXTENSION = /\.(?:gz|zst)$/i;

/** Whether bytes are those of a packed file, by how they begin. */
export function isPacked(bytes: Uint8Array): boolean {
  return packingOf(bytes) !== undefined;
}

function packingOf(bytes: Uint8Array): Packing | undefined {
  return PACKINGS.find(({ start }) => start.every((byte, i) => bytes[i] === byte));
}

/** What a packed file holds; bytes that are not packed as they are. @throws NotUnpacked where this Node cannot unpack it. */
export async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const packing = packingOf(bytes);
  if (packing === undefined) return bytes;
  const whole = await promisify(able(packing.whole))(bytes);
  const frames = packing.frames?.();
  frames?.push(bytes);
  if (frames) checkEnd(frames);
  return whole;
}

/** @throws NotUnpacked where a file was cut short. */
function checkEnd(frames: ZstdFrames): void {
  checkCount(frames);
  if (!frames.isComplete) throw new NotUnpacked('cannot be read: it is a zstd file that was cut short');
}

/** Refuses what Node unpacks the first frame of. @throws NotUnpacked for more frames than one. */
function checkCount({ count }: ZstdFrames): void {
  if (count <= 1) return;
  throw new NotUnpacked(
    'cannot be read: it is a zstd file of several frames, of which Node reads the first; zstd -dc FILE unpacks it for standard input',
  );
}

function able<T>(way: T | undefined): T {
  if (way !== undefined) return way;
  throw new NotUnpacked(
    `cannot be read: it is packed by zstd, which Node reads from 22.15 on, and this is ${process.version}; zstd -dc FILE ` +
      'unpacks it for standard input',
  );
}

/** Chunks as they are, or what they hold where they are those of a packed file. @throws NotUnpacked as {@link unpacked}. */
export async function* unpackedChunks(chunks: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const iterator = (chunks as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => iterator };
  try {
    let { value: start, done } = await iterator.next();
    while (!done && start.length < TELLING) {
      // A copy, since what is read next may go into the same buffer.
      start = Buffer.from(start);
      const { value, done: isLast } = await iterator.next();
      if (isLast) break;
      start = Buffer.concat([start, value]);
    }
    if (done) return;
    const packing = packingOf(start);
    if (packing) {
      yield* unpack(able(packing.stream)(), packing.frames?.(), start, rest);
      return;
    }
    yield start;
    yield* rest;
  } finally {
    await iterator.return?.();
  }
}

async function* unpack(
  stream: Transform,
  frames: ZstdFrames | undefined,
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Copies, since a file's buffers are filled again while these are unpacked.
  const packed = async function* () {
    frames?.push(start);
    if (frames) checkCount(frames);
    yield Buffer.from(start);
    for await (const chunk of rest) {
      frames?.push(chunk);
      if (frames) checkCount(frames);
      yield Buffer.from(chunk);
    }
  };
  const reading = pipeline(packed, stream);
  // What reading fails with is thrown by the loop.
  reading.catch(() => undefined);
  for await (const chunk of stream) yield chunk as Uint8Array;
  await reading;
  if (frames) checkEnd(frames);
}
