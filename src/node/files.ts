import { fstatSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ErrorCode, SpanwrightError } from '../base/errors.js';
import { LineEndReader } from '../data/formats/line-ends.js';
import { type Encoding, Transcoder } from '../data/formats/transcoder.js';
import { NotUnpacked, unpacked, unpackedChunks } from './packed.js';
import { forgetTemporary, removeAbandoned, temporaryFor } from './temporary-files.js';

/** A file that cannot be read or written. */
export class FileError extends SpanwrightError {
  constructor(path: string, problem: string, code: ErrorCode = 'bad-file') {
    super(code, `${path}: ${problem}`);
  }
}

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1 << 17;

/** Most bytes that one call reads. */
const MOST_AT_ONCE = 1 << 30;

/** Code of an error that is the machine's, and not of the path that was given. */
const MACHINE_FAILED = 'disk-failed';

/** Name of standard input in messages. */
export const STANDARD_INPUT = '<stdin>';

/** Is told the bytes of a file as they stand there, whatever their encoding. */
export type BytesListener = (bytes: Uint8Array) => void;

/** A whole file, or standard input where no path is given, as {@link readChunks} gives it. */
export async function readBytes(
  path: string | undefined,
  encoding: Encoding = 'utf-8',
  onBytes?: BytesListener,
): Promise<Uint8Array> {
  const whole = path === undefined || encoding !== 'utf-8' ? undefined : await readAtOnce(path);
  if (whole !== undefined) {
    const bytes = await unpackedFile(whole, path);
    onBytes?.(bytes);
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  // A copy, since what is read next goes into the same buffer.
  for await (const chunk of readChunks(path, encoding, onBytes)) chunks.push(new Uint8Array(chunk));
  return Buffer.concat(chunks);
}

/** A file whose length is known; none for devices, pipes and the like. */
async function readAtOnce(path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await open(path);
    try {
      const before = await file.stat();
      if (!before.isFile() || before.size === 0) return undefined;
      const bytes = Buffer.allocUnsafeSlow(before.size);
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await file.read(bytes, length, Math.min(bytes.length - length, MOST_AT_ONCE));
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      await checkUnchanged(path, file, before, length);
      return bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readProblem(path, error);
  }
}

/**
 * Refuses a file that was written while it was read: what was read may be half old and half new, or end in the middle of a line.
 *
 * @param length bytes that were read.
 */
async function checkUnchanged(path: string, file: FileHandle, before: Stats, length: number): Promise<void> {
  if (!before.isFile()) return;
  const after = await file.stat();
  // Files that the system makes up as they are read have no size.
  if (before.size === 0 && after.size === 0) return;
  if (length === after.size && before.size === after.size && before.mtimeMs === after.mtimeMs) return;
  const sizes = before.size === after.size ? '' : `: it had ${before.size} bytes, and has ${after.size} now`;
  throw new FileError(path, `cannot be read: it changes while it is read${sizes}`, MACHINE_FAILED);
}

/**
 * The chunks of a file, or of standard input where no path is given, as UTF-8; each holds until the next is asked for.
 *
 * @param encoding what its bytes are.
 * @param onBytes told each chunk as it is in the file.
 * @throws FileError when it cannot be read, InputError naming the offset of bytes that its encoding does not have.
 */
export async function* readChunks(
  path: string | undefined,
  encoding: Encoding = 'utf-8',
  onBytes?: BytesListener,
): AsyncGenerator<Uint8Array> {
  const lineEnds = new LineEndReader();
  const transcoder = encoding === 'utf-8' ? undefined : new Transcoder(encoding, path ?? STANDARD_INPUT);
  for await (const chunk of rawChunks(path)) {
    onBytes?.(chunk);
    yield lineEnds.read(transcoder ? transcoder.push(chunk) : chunk);
  }
  if (transcoder) yield transcoder.end();
}

/** Bytes of a file; 0 where that cannot be told. */
export async function fileSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}

async function unpackedFile(bytes: Uint8Array, path = STANDARD_INPUT): Promise<Uint8Array> {
  try {
    return await unpacked(bytes);
  } catch (error) {
    throw readProblem(path, error);
  }
}

async function* rawChunks(path: string | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* unpackedChunks(path === undefined ? process.stdin : fileChunks(path));
  } catch (error) {
    throw readProblem(path ?? STANDARD_INPUT, error);
  }
}

/** Bytes of a file. */
export interface ByteRange {
  /** The first, from 0. */
  readonly byte: number;
  /** How many. */
  readonly bytes: number;
}

/**
 * The chunks of some bytes of a file, as they are there; each holds until the next is asked for.
 *
 * @throws FileError when it cannot be read, changes meanwhile, or has fewer.
 */
export async function* readRange(path: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  try {
    yield* fileChunks(path, range);
  } catch (error) {
    throw readProblem(path, error);
  }
}

/**
 * Two buffers in turn, one filled while the other is used: those of a stream are new each time, and memory that is touched
 * for the first time costs more than reading does.
 */
async function* fileChunks(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  const before = await file.stat();
  let length = 0;
  let asked = 0;
  const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
  const fill = (turn: number) => {
    const wanted = range ? Math.min(CHUNK_BYTES, range.bytes - asked) : CHUNK_BYTES;
    const filling = file.read(buffers[turn % 2], 0, wanted, range ? range.byte + asked : null);
    asked += wanted;
    // It may fail while the other buffer is used; it is asked for afterwards.
    filling.catch(() => undefined);
    return filling;
  };
  let filling = fill(0);
  try {
    for (let turn = 0; ; turn++) {
      const { bytesRead, buffer } = await filling;
      length += bytesRead;
      if (bytesRead === 0) {
        const isWhole = range === undefined || length === range.bytes;
        return await checkUnchanged(path, file, before, range && isWhole ? before.size : length);
      }
      filling = fill(turn + 1);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await filling.catch(() => undefined);
    await file.close();
  }
}

/**
 * A file that appears whole or not at all: bytes go to a temporary file beside it, which takes its name and the mode of
 * what it replaces at the end. A link stays a link, to the new file. What is there and is no regular file (a device, a
 * pipe) is written as it is. Of a process that is killed the temporary file
 * stays, until the same file is written next.
 */
export class AtomicFile {
  /** As the caller named it, for messages. */
  private readonly path: string;
  private readonly file: FileHandle;
  /** The temporary file and what it becomes; none where nothing is replaced. */
  private readonly replacement: Replacement | undefined;

  private constructor(path: string, file: FileHandle, replacement: Replacement | undefined) {
    this.path = path;
    this.file = file;
    this.replacement = replacement;
  }

  /** Opens the temporary file. @throws FileError when the folder cannot be written or the path is a folder. */
  static async create(path: string): Promise<AtomicFile> {
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw new FileError(path, 'cannot be written: it is a folder');
    try {
      if (existing && !existing.isFile()) return new AtomicFile(path, await open(path, 'w'), undefined);
      const target = existing ? await realpath(path) : await endOfLinks(path);
      removeAbandoned(target);
      const temporary = temporaryFor(target);
      const file = await open(temporary, 'wx').catch((error: unknown) => {
        forgetTemporary(temporary);
        throw error;
      });
      const atomic = new AtomicFile(path, file, { temporary, target });
      try {
        if (existing) await file.chmod(existing.mode & 0o7777);
      } catch (error) {
        await atomic.abandon();
        throw error;
      }
      return atomic;
    } catch (error) {
      throw writeProblem(path, error);
    }
  }

  /** Writes bytes; the caller may reuse them once this resolves. @throws FileError when they cannot be written. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      // A write may take fewer bytes than it is given.
      for (let from = 0; from < bytes.length; ) {
        from += (await this.file.write(bytes, from, bytes.length - from)).bytesWritten;
      }
    } catch (error) {
      throw writeProblem(this.path, error);
    }
  }

  /** Gives the file its name. @throws FileError when it cannot be written to its end. */
  async commit(): Promise<void> {
    try {
      // A name must not come to stand for what is not on the disk yet.
      if (this.replacement) await this.file.sync();
      // Some file systems say only now that there was no space.
      await this.file.close();
      if (this.replacement) await rename(this.replacement.temporary, this.replacement.target);
    } catch (error) {
      throw writeProblem(this.path, error);
    }
    if (this.replacement) forgetTemporary(this.replacement.temporary);
  }

  /** Removes the temporary file. */
  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined);
    if (!this.replacement) return;
    await rm(this.replacement.temporary, { force: true });
    forgetTemporary(this.replacement.temporary);
  }
}

interface Replacement {
  readonly temporary: string;
  readonly target: string;
}

/** Most links that are followed, as Linux has it. */
const MAX_LINKS = 40;

/** The path that links lead to which end where nothing is yet. */
async function endOfLinks(path: string): Promise<string> {
  let end = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const found = await lstat(end).catch(() => undefined);
    if (!found?.isSymbolicLink()) return end;
    end = resolve(dirname(end), await readlink(end));
  }
  throw new FileError(path, 'cannot be written: its links lead nowhere');
}

/** Writes a whole file as {@link AtomicFile} does. @throws FileError when it cannot be written. */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const file = await AtomicFile.create(path);
  try {
    await file.write(bytes);
    await file.commit();
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

async function statusOf(file: string | number) {
  return typeof file === 'number' ? fstatSync(file, { bigint: true }) : stat(file, { bigint: true });
}

/** As {@link writeBytes}, without giving other work a turn. @throws FileError when it cannot be written. */
export function writeBytesSync(path: string, bytes: Uint8Array): void {
  removeAbandoned(path);
  const temporary = temporaryFor(path);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw writeProblem(path, error);
  } finally {
    forgetTemporary(temporary);
  }
}

/** Makes a folder and those that it is in. @throws FileError when it cannot be made. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    throw fileProblem(path, 'made', error, { EEXIST: 'there is a file of that name' });
  }
}

/** As the recursive mkdir does, which says of a read-only disk that a folder does not exist. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolders(dirname(path));
      await mkdir(path);
    } else if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
  }
}

/** Names, among paths that are read, one that is the same file as a path, or an open file, to write; links are followed. */
export async function sameFileAmong(
  written: string | number,
  read: readonly string[],
): Promise<string | undefined> {
  const target = await statusOf(written).catch(() => undefined);
  // A terminal or a pipe is not lost by writing to it.
  if (!target?.isFile()) return undefined;
  for (const path of read) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found && found.dev === target.dev && found.ino === target.ino) return path;
  }
  return undefined;
}

/** An error of reading as a user understands it. */
export function readProblem(path: string, error: unknown): unknown {
  return fileProblem(path, 'read', error, { ENOENT: 'there is no such file' });
}

/** An error of writing as a user understands it. */
export function writeProblem(path: string, error: unknown): unknown {
  return fileProblem(path, 'written', error, { ENOENT: 'its folder does not exist' });
}

/** Errors whose code is {@link MACHINE_FAILED}. */
const MACHINE_FAILURES = [
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EMFILE',
  'ENFILE',
  'EROFS',
  'EACCES',
  'EPERM',
  'EPIPE',
];

function fileProblem(path: string, verb: string, error: unknown, reasons: Record<string, string>): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof NotUnpacked) return new FileError(path, error.message);
  if (code === undefined || error instanceof SpanwrightError) return error;
  const common: Record<string, string> = {
    EACCES: 'permission denied',
    Z_DATA_ERROR: 'it begins as a gzip file does, but is damaged',
    ZSTD_error_prefix_unknown: 'it begins as a zstd file does, but is damaged',
    ZSTD_error_corruption_detected: 'it begins as a zstd file does, but is damaged',
    Z_BUF_ERROR: 'it is a gzip file that was cut short',
    EPERM: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space is left',
    EDQUOT: 'no space is left for this user',
    EFBIG: 'the file is too large',
    EIO: 'the device failed',
    EMFILE: 'too many files are open',
    ENFILE: 'too many files are open',
    ENAMETOOLONG: 'its name is too long',
    ELOOP: 'its links lead nowhere',
    EPIPE: 'nobody reads it any more',
    ...reasons,
  };
  const problem = `cannot be ${verb}: ${common[code] ?? code}`;
  return new FileError(path, problem, MACHINE_FAILURES.includes(code) ? MACHINE_FAILED : undefined);
}
