/** How `tune`, `curve`, `experiment` and `train --resume` tell results that still hold from those of something else. */
import { createHash } from 'node:crypto';
import type { OptionValue, OptionValues } from '../base/options.js';
import { VERSION } from '../base/version.js';
import type { Configuration } from '../model/configuration.js';
import { modelPath } from '../node/corpora.js';
import { readBytes } from '../node/files.js';
import { inputFormatOf } from './options.js';
import { INPUT_OPTIONS } from './training-options.js';

/** Everything that a result of training depends on, but the program's version. */
export interface Dependencies {
  /** SHA-256 of the data, of each file of them. */
  readonly data: readonly string[];
  /** How each of these files is read, as {@link readingOf} says. */
  readonly reading: readonly object[];
  /** Configuration trained, with the templates themselves rather than names of files. */
  readonly configuration: Configuration;
  /** Which part of the data, and whatever else the command decides. */
  readonly how: object;
}

/** SHA-256 of the program's version and all that a result depends on, in hexadecimal. */
export function fingerprint({ data, reading, configuration, how }: Dependencies): string {
  const parts = { version: VERSION, data, reading, configuration, how };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * How a labelled file is read: options by their values, given or not, and a model that fills in columns by its bytes.
 *
 * @param configuration the one that the file is read for.
 */
export async function readingOf(
  path: string,
  options: OptionValues,
  { task, columns, tokens, scheme }: Configuration,
): Promise<object> {
  const values = INPUT_OPTIONS.map((option) => [option.name, options[option.name] ?? option.default ?? null]);
  return {
    ...Object.fromEntries(values),
    columns,
    tokens,
    labelsOfTokens: scheme === 'token',
    'input-format': inputFormatOf(options, path, task),
    'pos-model': await fileChecksum(options['pos-model']),
  };
}

/** SHA-256 of a file's bytes, in hexadecimal; null where none is named. @throws FileError when it cannot be read. */
export async function fileChecksum(path: OptionValue | undefined): Promise<string | null> {
  if (path === undefined) return null;
  return createHash('sha256')
    .update(await readBytes(modelPath(String(path))))
    .digest('hex');
}
