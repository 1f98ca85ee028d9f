import { listNames, ModelFileError } from '../base/errors.js';
import { addressOf, isFile } from '../base/read-address.js';

/**
 * Where the models of this package lie, by name. Each address is a whole `new URL(…, import.meta.url)`, since bundlers
 * find the files that belong to a program by that expression.
 */
const BUNDLED_MODELS: Readonly<Record<string, () => URL>> = {
  'english-chunk': () => new URL('../../models/english-chunk.safetensors', import.meta.url),
  'english-pos': () => new URL('../../models/english-pos.safetensors', import.meta.url),
  'english-entities': () => new URL('../../models/english-entities.safetensors', import.meta.url),
  'chinese-gsd': () => new URL('../../models/chinese-gsd.safetensors', import.meta.url),
};

/** Names of the models in this package. */
export const BUNDLED_MODEL_NAMES: readonly string[] = Object.keys(BUNDLED_MODELS);

/** Where the file of a model of this package lies; undefined for other names, and where a file of that name exists. */
export function bundledModel(name: string): URL | undefined {
  return Object.hasOwn(BUNDLED_MODELS, name) && !isFile(name) ? BUNDLED_MODELS[name]() : undefined;
}

/** Where the model lies that a string names: a model of this package, an address, or the path of a file. */
export function namedModel(named: string): URL {
  return bundledModel(named) ?? addressOf(named);
}

/** The error for a model that cannot be read, with the names of those there are. */
export function unreadableModel(named: string, error: unknown): ModelFileError {
  const { code, message } = error as { code?: string; message: string };
  return new ModelFileError(
    named,
    `${code === 'ENOENT' ? 'no such file' : message}; models of this package: ${listNames(BUNDLED_MODEL_NAMES)}`,
  );
}
