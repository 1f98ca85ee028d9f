import type { OptionDeclaration, OptionValues } from '../base/options.js';
import type { Rows } from '../data/dataset.js';
import type { Link } from '../decode/scorer.js';
import type { KernelName } from '../kernels/kernels.js';

/** What a block of binary problems is trained on: the shared rows, and the block's own columns of the code matrix. */
export interface LaneProblem {
  /** One row per example. */
  readonly rows: Rows;
  /** [N] label ids. */
  readonly labels: Uint16Array;
  /** Number of labels L. */
  readonly labelCount: number;
  /** [L × problems] of +1, 0, −1. */
  readonly signs: Int8Array;
  /** Number of problems in this block. */
  readonly problems: number;
  /** Number of the block, which also names its random stream. */
  readonly block: number;
  /** Seed of the run. */
  readonly seed: number;
  /** Implementation of the inner loops, which has no influence on results; default the best that there is. */
  readonly kernels?: KernelName | undefined;
}

/** What a learner reports after each epoch. */
export interface EpochReport {
  /** Epoch just finished, from 1. */
  readonly epoch: number;
  /** Most epochs that will be run. */
  readonly epochs: number;
  /** Largest projected-gradient gap over the unfinished problems. */
  readonly gap: number;
  /** Examples still active. */
  readonly active: number;
}

/** A learner of binary problems, trained many at once over shared rows. */
export interface Learner {
  /** Name for `--learner`. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Its own options. */
  readonly options: readonly OptionDeclaration[];
  /** How its margins become log scores along a path. */
  readonly link: Link;
  /** Trains one block and returns the weights, [D × W] with W = problems rounded up to a multiple of 4. */
  trainBlock(
    problem: LaneProblem,
    options: OptionValues,
    onEpoch?: (report: EpochReport) => void,
  ): Float32Array;
}
