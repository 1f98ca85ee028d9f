import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SpanwrightError } from '../base/errors.js';
import { type Encoding, Transcoder } from '../data/formats/transcoder.js';

/** A file that cannot be read or written. */
export class FileError extends SpanwrightError {
  constructor(path: string, problem: string) {
    super('bad-file', `${path}: ${problem}`);
  }
}

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1 << 17;

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
  if (path === undefined || encoding !== 'utf-8') {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readChunks(path, encoding, onBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  try {
    const bytes = await readFile(path);
    onBytes?.(bytes);
    return bytes;
  } catch (error) {
    throw readProblem(path, error);
  }
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
  const transcoder = encoding === 'utf-8' ? undefined : new Transcoder(encoding, path ?? STANDARD_INPUT);
  for await (const chunk of rawChunks(path)) {
    onBytes?.(chunk);
    yield transcoder ? transcoder.push(chunk) : chunk;
  }
  if (transcoder) yield transcoder.end();
}

/** Bytes of a file; 0 where that cannot be told. */
export async function fileSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}

async function* rawChunks(path: string | undefined): AsyncGenerator<Uint8Array> {
  try {
    if (path === undefined) for await (const chunk of process.stdin) yield chunk as Uint8Array;
    else yield* fileChunks(path);
  } catch (error) {
    throw readProblem(path ?? STANDARD_INPUT, error);
  }
}

/**
 * Two buffers in turn, one filled while the other is used: those of a stream are new each time, and memory that is touched
 * for the first time costs more than reading does.
 */
async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
  const fill = (turn: number) => {
    const filling = file.read(buffers[turn % 2], 0, CHUNK_BYTES);
    // It may fail while the other buffer is used; it is asked for afterwards.
    filling.catch(() => undefined);
    return filling;
  };
  let filling = fill(0);
  try {
    for (let turn = 0; ; turn++) {
      const { bytesRead, buffer } = await filling;
      if (bytesRead === 0) return;
      filling = fill(turn + 1);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await filling.catch(() => undefined);
    await file.close();
  }
}

/**
 * A file that appears whole or not at all: bytes go to a temporary file beside it, which takes its name at the end.
 * A temporary file left by an ended process is removed with it.
 */
export class AtomicFile {
  private readonly path: string;
  private readonly temporary: string;
  private readonly stream: WriteStream;
  private readonly failed: Promise<never>;
  private readonly removeOnExit: () => void;

  private constructor(path: string, temporary: string, stream: WriteStream, removeOnExit: () => void) {
    this.path = path;
    this.temporary = temporary;
    this.stream = stream;
    this.removeOnExit = removeOnExit;
    this.failed = new Promise((_, reject) => {
      stream.on('error', (error) => reject(writeProblem(path, error)));
    });
    this.failed.catch(() => undefined);
  }

  /** Opens the temporary file. @throws FileError when the folder cannot be written or the path is a folder. */
  static async create(path: string): Promise<AtomicFile> {
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw new FileError(path, 'cannot be written: it is a folder');
    // Not of node:crypto, which takes several milliseconds to start; a name that is taken is refused below.
    const random = Math.floor(Math.random() * 2 ** 32).toString(16);
    const temporary = join(dirname(path), `.${basename(path)}.${random}.tmp`);
    try {
      const handle = await open(temporary, 'wx');
      const removeOnExit = () => rmSync(temporary, { force: true });
      process.once('exit', removeOnExit);
      return new AtomicFile(path, temporary, createWriteStream(temporary, { fd: handle }), removeOnExit);
    } catch (error) {
      throw writeProblem(path, error);
    }
  }

  /** Writes bytes; the caller may reuse them once this resolves. */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    const written = new Promise<void>((resolve) => this.stream.write(bytes, () => resolve()));
    await Promise.race([written, this.failed]);
  }

  /** Gives the file its name. */
  async commit(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.stream.end(() => resolve())), this.failed]);
    try {
      await rename(this.temporary, this.path);
    } catch (error) {
      throw writeProblem(this.path, error);
    }
    process.off('exit', this.removeOnExit);
  }

  /** Removes the temporary file. */
  async abandon(): Promise<void> {
    this.stream.destroy();
    await rm(this.temporary, { force: true });
    process.off('exit', this.removeOnExit);
  }
}

/** Writes a whole file atomically. @throws FileError when it cannot be written. */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const file = await AtomicFile.create(path);
  await file.write(bytes);
  await file.commit();
}

function readProblem(path: string, error: unknown): unknown {
  return fileProblem(path, 'read', error, { ENOENT: 'there is no such file' });
}

function writeProblem(path: string, error: unknown): unknown {
  return fileProblem(path, 'written', error, { ENOENT: 'its folder does not exist' });
}

function fileProblem(path: string, verb: string, error: unknown, reasons: Record<string, string>): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const common: Record<string, string> = {
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space is left',
    ...reasons,
  };
  return new FileError(path, `cannot be ${verb}: ${common[code] ?? code}`);
}
