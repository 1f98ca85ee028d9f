import { type Corpus, CorpusBuilder, type ReadColumnsOptions } from '../data/corpus.js';
import type { Encoding } from '../data/formats/transcoder.js';
import type { Model } from '../model/model.js';
import { loadModel, saveModel } from '../model/model-file.js';
import { readBytes, readChunks, STANDARD_INPUT, writeBytes } from './files.js';

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
  const builder = new CorpusBuilder({ ...options, source: path ?? STANDARD_INPUT });
  for await (const chunk of readChunks(path, encoding)) builder.push(chunk);
  return builder.finish();
}

/** Reads a model file. @throws ModelFileError for what it holds, FileError when it cannot be read. */
export async function loadModelFile(path: string): Promise<Model> {
  return loadModel(await readBytes(path), path);
}

/** Writes a model file, whole or not at all. @throws FileError when it cannot be written. */
export async function saveModelFile(path: string, model: Model): Promise<void> {
  await writeBytes(path, saveModel(model));
}
