import { Engine } from './engine.js';
import type { DataMethods, FileMethods, TrainMethods } from './protocol.js';

/** All that the worker can be asked that reads files and trains. */
export type TrainerMethods = TrainMethods & FileMethods & DataMethods;

let trainer: Engine<TrainerMethods> | undefined;

/** The worker that reads files and trains, started when it is first needed. */
export function trainerEngine(): Engine<TrainerMethods> {
  trainer ??= new Engine<TrainerMethods>('trainer.js');
  return trainer;
}

/** Ends what it is at; files that it has read are read again when they are needed. */
export function stopTrainer(): void {
  trainer?.stop();
  trainer = undefined;
}
