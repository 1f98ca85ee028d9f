import type { ProgressListener } from '../base/progress.js';
import type { Span } from '../data/span.js';
import type { Resources } from '../features/resource.js';
import type { Checkpoint } from '../learn/checkpoint.js';
import type { LaneProblem } from '../learn/learner.js';
import type { Configuration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import type { SparseWeights } from '../model/sparse-weights.js';

/** A block's problem, whose weights to start from are made when its turn comes: those of all blocks would be many. */
export interface BlockProblem extends Omit<LaneProblem, 'initial'> {
  /** Makes the [D × W] weights to start from; default zeros. */
  readonly initial?: (() => Float32Array<ArrayBuffer>) | undefined;
}

/**
 * Trains blocks of lanes: here one after another, in `node/` on threads. Results come in the blocks' order, sparse, so that
 * the dense weights of one block at a time and thread are in memory.
 */
export type BlockRunner = (
  learner: string,
  problems: readonly BlockProblem[],
  options: Configuration['options'],
  onProgress?: ProgressListener,
) => Promise<SparseWeights[]>;

/** Unlabelled text, a line an entry. */
export interface RawText {
  /** Its lines. */
  readonly lines: readonly string[];
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** First of two stages, trained. */
export interface FirstStageResult {
  /** The model. */
  readonly model: Model;
  /** [S] spans that such models find in the training data. */
  readonly spans: readonly (readonly Span[])[];
}

/** Options of {@link train}. */
export interface TrainOptions {
  /** Told how far training is. */
  readonly onProgress?: ProgressListener | undefined;
  /** A model of the same templates and labels whose weights training starts from; default none. */
  readonly init?: Model | undefined;
  /** Where the state of learners of all labels is kept between passes; what runs blocks keeps theirs. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Raw text for accessor variety, besides the training data. */
  readonly rawText?: RawText | undefined;
  /** First of two stages, and the spans [S] that such models find in the training data without having seen their documents. */
  readonly first?: FirstStageResult | undefined;
  /** Lists of names and clusters of words that the configuration reads. */
  readonly resources?: Resources | undefined;
  /** How blocks are trained; default one after another in this thread. */
  readonly runBlocks?: BlockRunner | undefined;
  /**
   * Bytes that training a block of lanes may need, the program and the corpus left out; the cut-off rises until it fits.
   * For learners of binary problems.
   */
  readonly fitMemory?: number | undefined;
  /** Bytes that training may take beside its data; more is refused before it starts. Default any. */
  readonly maxMemory?: number | undefined;
  /** Blocks that {@link runBlocks} trains at a time, for the estimate of memory; default 1. */
  readonly blocksAtOnce?: number | undefined;
}
