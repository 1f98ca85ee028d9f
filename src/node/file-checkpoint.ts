import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { InputError } from '../base/errors.js';
import type { Checkpoint, TrainingState } from '../learn/checkpoint.js';
import { readSafetensors, writeSafetensors } from '../model/safetensors.js';
import { readProblem } from './files.js';

/** Where a learner's state is kept, and of what training it is; plain data, so that it can be sent to a thread. */
export interface CheckpointFile {
  /** The file. */
  readonly path: string;
  /** Says what is trained, how and on what: no other training goes on from it. */
  readonly of: string;
}

/** Time between two writings, in multiples of what the last one took. */
const SPACING = 10;

/**
 * A checkpoint in a file of the safetensors form: written under another name and renamed, so that it is whole whenever
 * the process is killed, and not so often that it would take more than a tenth of the time.
 *
 * @throws InputError where the file is of other training, ModelFileError where it is no such file.
 */
export function openCheckpoint({ path, of }: CheckpointFile): Checkpoint {
  let earliest = 0;
  return {
    kept: readState(path, of),
    keep(state) {
      const started = performance.now();
      if (started < earliest) return;
      const tensors = Object.fromEntries(
        Object.entries(state).map(([name, data]) => [name, { data, shape: [data.length] }]),
      );
      writeFileSync(`${path}.tmp`, writeSafetensors(tensors, { of }));
      renameSync(`${path}.tmp`, path);
      const ended = performance.now();
      earliest = ended + SPACING * (ended - started);
    },
  };
}

function readState(path: string, of: string): TrainingState | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw readProblem(path, error);
    return undefined;
  }
  const { tensors, metadata } = readSafetensors(bytes, path);
  if (metadata.of !== of) {
    throw new InputError(
      { source: path },
      'expected the state of this training, found one of other data or options',
    );
  }
  return Object.fromEntries(Object.entries(tensors).map(([name, { data }]) => [name, data]));
}
