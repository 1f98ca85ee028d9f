import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Sha256 } from '../base/sha256.js';
import { type Corpus, CorpusBuilder, type ReadColumnsOptions } from '../data/corpus.js';
import type { Encoding } from '../data/formats/transcoder.js';
import { bundledModel, unreadableModel } from '../model/bundled-models.js';
import type { Model } from '../model/model.js';
import { loadModel, saveModel } from '../model/model-file.js';
import { fileSize, readBytes, readChunks, STANDARD_INPUT, writeBytes } from './files.js';

/**
 * Reads a column file, or standard input where no path is given.
 *
 * @throws InputError for what it holds, FileError when it cannot be read.
 */
export async function readColumnsFile(
  path: string | undefined,
  options: Omit<ReadColumnsOptions, 'source'>,
  encoding?: Encoding,
): Promise<Corpus> {
  return readCorpus(path, encoding, new CorpusBuilder({ ...options, source: path ?? STANDARD_INPUT }));
}

/** Builder of a corpus from UTF-8 bytes as they come. */
export interface CorpusMaker {
  /** Adds the next bytes. */
  push(chunk: Uint8Array): void;
  /** The corpus, once all bytes are pushed. */
  finish(): Corpus;
}

/**
 * Reads a file, or standard input where no path is given, into what makes a corpus of it.
 *
 * @throws InputError for what it holds, FileError when it cannot be read.
 */
export async function readCorpus(
  path: string | undefined,
  encoding: Encoding | undefined,
  builder: CorpusMaker,
): Promise<Corpus> {
  // A builder hashes what it is given, which in other encodings is not what the file holds.
  const hash = encoding === undefined || encoding === 'utf-8' ? undefined : new Sha256();
  for await (const chunk of readChunks(path, encoding, (bytes) => hash?.update(bytes))) builder.push(chunk);
  const corpus = builder.finish();
  return hash ? { ...corpus, sha256: hash.hex() } : corpus;
}

/** Path of the model that a string names: of this package's where no file has that name, else the string itself. */
export function modelPath(named: string): string {
  const bundled = bundledModel(named);
  return bundled ? fileURLToPath(bundled) : named;
}

/** The bytes of the model that a string names. @throws ModelFileError where there is none, FileError when it cannot be read. */
export async function readModelBytes(named: string): Promise<Uint8Array> {
  const path = modelPath(named);
  // A name without an extension may be a mistyped one of this package's.
  if (!existsSync(path) && /^[\w-]+$/.test(named)) throw unreadableModel(named, { code: 'ENOENT' });
  return readBytes(path);
}

/**
 * Reads a model.
 *
 * @param named path of its file, or the name of a model of this package.
 * @throws ModelFileError for what it holds, FileError when it cannot be read.
 */
export async function loadModelFile(named: string): Promise<Model> {
  return loadModel(await readModelBytes(named), named);
}

/** Bytes that a model file starts with: its header's length, of which the upper half is 0, and the header's brace. */
const MODEL_START = 9;

/** Whether a file is a model, by how it starts; one that can be read only once goes by its extension. */
export async function isModelFile(named: string): Promise<boolean> {
  const path = modelPath(named);
  if ((await fileSize(path)) < MODEL_START) return path.endsWith('.safetensors');
  const file = await open(path).catch(() => undefined);
  // Reading it says why it cannot be.
  if (file === undefined) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(MODEL_START), 0, MODEL_START, 0);
    return buffer.readUInt32LE(4) === 0 && buffer[8] === '{'.charCodeAt(0);
  } finally {
    await file.close();
  }
}

/** Writes a model file, whole or not at all. @throws FileError when it cannot be written. */
export async function saveModelFile(path: string, model: Model): Promise<void> {
  await writeBytes(path, saveModel(model));
}
