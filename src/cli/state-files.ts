import { rm } from 'node:fs/promises';
import type { OptionValues } from '../base/options.js';
import type { Corpus } from '../data/corpus.js';
import type { Configuration } from '../model/configuration.js';
import { type CheckpointFile, openCheckpoint } from '../node/file-checkpoint.js';
import { fileChecksum, fingerprint, readingOf } from './fingerprint.js';

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
   * @param corpus the training data.
   * @param options those of the command.
   * @param rawText SHA-256 of raw text, if there is any.
   */
  static async of(
    output: string,
    configuration: Configuration,
    corpus: Corpus,
    options: OptionValues,
    rawText: string | undefined,
  ): Promise<StateFiles> {
    const of = fingerprint({
      data: [corpus.sha256],
      reading: [await readingOf(corpus.source, options, configuration)],
      configuration,
      how: {
        rawText: rawText ?? null,
        init: await fileChecksum(options.init),
        fitMemory: options['fit-memory'] ?? null,
      },
    });
    return new StateFiles(output, of);
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
    }
  }
}
