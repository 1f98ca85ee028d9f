import { readFileSync } from 'node:fs';
import { InputError, ModelFileError } from '../base/errors.js';
import type { Checkpoint, TrainingState } from '../learn/checkpoint.js';
import { type Container, readSafetensors, writeSafetensors } from '../model/safetensors.js';
import { readProblem, writeBytesSync } from './files.js';

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
 * the process is killed, and not so often that it would take more than a tenth of the time. Where it cannot be written
 * training goes on without, since that is what it is for.
 *
 * @param onProblem told, once, why it cannot be written.
 * @throws InputError where the file is of other training, damaged, or no such file, FileError where it cannot be read.
 */
export function openCheckpoint(
  { path, of }: CheckpointFile,
  onProblem: (problem: string) => void = () => undefined,
): Checkpoint {
  let earliest = 0;
  let tells = true;
  return {
    kept: readState(path, of),
    keep(state) {
      const started = performance.now();
      if (started < earliest) return;
      const tensors = Object.fromEntries(
        Object.entries(state).map(([name, data]) => [name, { data, shape: [data.length] }]),
      );
      try {
        writeBytesSync(path, writeSafetensors(tensors, { of }));
      } catch (error) {
        if (tells) onProblem((error as Error).message);
        tells = false;
      }
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
  const refuse = (found: string) =>
    new InputError(
      { source: path },
      `expected the state of this training, found ${found}; delete it to begin anew`,
    );
  let file: Container;
  try {
    file = readSafetensors(bytes, path);
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    throw refuse('a file that is damaged, cut short, or something else');
  }
  const { tensors, metadata } = file;
  if (metadata.of !== of) throw refuse('one of other data or options');
  return Object.fromEntries(Object.entries(tensors).map(([name, { data }]) => [name, data]));
}
