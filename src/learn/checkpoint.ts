import type { TypedArray } from '../base/typed-array.js';

/** All that a learner knows between two passes over the data, by name. */
export type TrainingState = Readonly<Record<string, TypedArray>>;

/** Keeps a learner's state, so that training that was stopped goes on from there and comes to the same weights. */
export interface Checkpoint {
  /** State of interrupted training, if any. */
  readonly kept: TrainingState | undefined;
  /** Keeps the state as it is now; may leave it out where one was kept shortly before. */
  keep(state: TrainingState): void;
}

/**
 * Copies what was kept into the arrays of the same names.
 *
 * @returns false if nothing was, or the state of another stage of training.
 */
export function restore(checkpoint: Pick<Checkpoint, 'kept'> | undefined, state: TrainingState): boolean {
  const kept = checkpoint?.kept;
  if (kept === undefined) return false;
  const names = Object.keys(state);
  if (!names.every((name) => kept[name]?.length === state[name].length)) return false;
  for (const name of names) state[name].set(kept[name]);
  return true;
}
