import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { OptionValues } from '../base/options.js';
import { VERSION } from '../base/version.js';
import type { Corpus } from '../data/corpus.js';
import type { Configuration } from '../model/configuration.js';
import { type CheckpointFile, openCheckpoint } from '../node/file-checkpoint.js';
import { readBytes } from '../node/files.js';
import { INPUT_OPTIONS } from './training-options.js';

/** The files beside a model in which `--resume` keeps the state of its training. */
export class StateFiles {
  private readonly output: string;
  private readonly of: string;
  private readonly paths = new Set<string>();

  private constructor(output: string, of: string) {
    this.output = output;
    this.of = of;
  }

  /**
   * The files of some training: those of other data or options are refused.
   *
   * @param output file of the model.
   */
  static async of(
    output: string,
    configuration: Configuration,
    corpus: Corpus,
    options: OptionValues,
  ): Promise<StateFiles> {
    const read = INPUT_OPTIONS.map(({ name }) => options[name] ?? null);
    const hash = createHash('sha256').update(JSON.stringify([VERSION, configuration, corpus.sha256, read]));
    if (options.init !== undefined) hash.update(await readBytes(String(options.init)));
    return new StateFiles(output, hash.digest('hex'));
  }

  /**
   * Where the state of a block of problems is kept; learners of all labels have one block.
   *
   * @throws InputError, ModelFileError as {@link openCheckpoint}: an error of a thread would not say where.
   */
  readonly file = (block: number): CheckpointFile => {
    const file = { path: `${this.output}.state-${block}`, of: this.of };
    openCheckpoint(file);
    this.paths.add(file.path);
    return file;
  };

  /** Removes all files, once the model is there. */
  async remove(): Promise<void> {
    for (const path of this.paths) {
      await rm(path, { force: true });
      // What a kill in the middle of writing left.
      await rm(`${path}.tmp`, { force: true });
    }
  }
}
