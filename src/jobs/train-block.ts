import type { OptionValues } from '../base/options.js';
import type { Checkpoint } from '../learn/checkpoint.js';
import type { BinaryLearner, EpochReport, LaneProblem } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { SparseWeights } from '../model/sparse-weights.js';

/** One block of binary problems to train, as plain data. */
export interface BlockTask {
  /** Name of the learner. */
  readonly learner: string;
  /** The block, without a checkpoint. */
  readonly problem: LaneProblem;
  /** Options of the learner. */
  readonly options: OptionValues;
}

/** The arrays of a block's sparse weights. */
export type BlockResult = Pick<SparseWeights, 'starts' | 'lanes' | 'values'>;

/** Trains a block. @param checkpoint where its state is kept between passes; default nowhere. */
export function trainBlock(
  { learner, problem, options }: BlockTask,
  onEpoch: (report: EpochReport) => void,
  checkpoint?: Checkpoint,
): BlockResult {
  const rows = (LEARNERS[learner] as BinaryLearner).trainBlock({ ...problem, checkpoint }, options, onEpoch);
  const { starts, lanes, values } = SparseWeights.ofRows(rows, problem.problems);
  return { starts, lanes, values };
}
