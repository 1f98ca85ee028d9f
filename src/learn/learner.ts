import type { OptionDeclaration, OptionValues } from '../base/options.js';
import type { LabelHistory, Rows } from '../data/dataset.js';
import type { ChunkLimits, Pruning } from '../decode/chunk-limits.js';
import type { Link } from '../decode/link.js';
import type { ChunkIndex } from '../features/chunk-index.js';
import type { CorpusViews } from '../features/corpus-views.js';
import type { FeatureIndex } from '../features/feature-index.js';
import type { Layout } from '../features/layout.js';
import type { KernelName } from '../kernels/kernels.js';
import type { ChunkRoles } from '../tags/chunk-roles.js';
import type { Checkpoint } from './checkpoint.js';

/** Training data of a block of binary problems: the shared rows, and the block's own columns of the code matrix. */
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
  /** [D × W] weights to start from; default zeros. */
  readonly initial?: Float32Array | undefined;
  /** Where the learner's state is kept between passes; default nowhere. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Implementation of the inner loops, which has no influence on results; default the best that there is. */
  readonly kernels?: KernelName | undefined;
}

/** Report after an epoch. */
export interface EpochReport {
  /** Epoch just finished, from 1. */
  readonly epoch: number;
  /** Most epochs that will be run. */
  readonly epochs: number;
  /** Largest violation of the optimum over the unfinished problems, as the learner measures it. */
  readonly gap: number;
  /** Examples still active. */
  readonly active: number;
}

/** Training data of a multiclass learner: all labels at once. */
export interface MulticlassProblem {
  /** One row per example; gold earlier labels are features like others. */
  readonly rows: Rows;
  /** [N] label ids. */
  readonly labels: Uint16Array;
  /** Number of labels L. */
  readonly labelCount: number;
  /** Seed of the run. */
  readonly seed: number;
  /** [D × W] weights to start from; default zeros. */
  readonly initial?: Float32Array | undefined;
  /** Where the learner's state is kept between passes; default nowhere. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Implementation of the inner loops; default the best that there is. */
  readonly kernels?: KernelName | undefined;
}

/** Training data of a sequence learner: whole sentences; features that read the label before are split off. */
export interface SequenceProblem extends MulticlassProblem {
  /** One row per token: its features that read no label; for a learner that `readsGold`, those of the gold labels too. */
  readonly rows: Rows;
  /** [S + 1] first row of each sentence. */
  readonly starts: Uint32Array;
  /** Features that read the label before; not there for a learner that `readsGold`. */
  readonly history: LabelHistory;
  /** Index of the features, for learners that look into them. */
  readonly index?: FeatureIndex | undefined;
}

/** Report of a learner of all labels after a pass over the data. */
export interface IterationReport {
  /** Iteration just finished, from 1. */
  readonly iteration: number;
  /** Most iterations that will be run. */
  readonly iterations: number;
  /** Measures of the learner, by name: its objective, the length of the gradient, mistakes made. */
  readonly measures: Readonly<Record<string, number>>;
}

/**
 * Memory of training, in numbers of 32 bits: so much for each weight [D × W], each example and lane
 * [N × W], and each entry of the rows, on top of the rows themselves. Small things are left out.
 */
export interface LearnerMemory {
  /** Per weight. */
  readonly weights: number;
  /** Per example and lane. */
  readonly scores: number;
  /** Per row entry. */
  readonly entries: number;
}

interface AnyLearner {
  /** Name for `--learner`. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Its own options. */
  readonly options: readonly OptionDeclaration[];
  /** How its margins become log scores along a path. */
  readonly link: Link;
  /** Memory that training takes. */
  readonly memory: LearnerMemory;
  /** Set for learners that cannot start from the weights of another model. */
  readonly startsAnew?: true;
  /** Defaults of common options, which replace those of presets made for other learners. */
  readonly defaults?: OptionValues;
}

/** A learner of binary problems, trained many at once over shared rows; a strategy says which problems. */
export interface BinaryLearner extends AnyLearner {
  /** Which kind of learner. */
  readonly kind: 'binary';
  /** Trains one block and returns the weights, [D × W] with W = problems rounded up to a multiple of 4. */
  trainBlock(
    problem: LaneProblem,
    options: OptionValues,
    onEpoch?: (report: EpochReport) => void,
  ): Float32Array;
}

interface JointLearner<Problem> extends AnyLearner {
  /** Decoder that is taken where the preset's cannot search its scores; default the first that can. */
  readonly decoder?: string;
  /** Trains all labels and returns the weights, [D × W] with W = L rounded up to a multiple of 4. */
  train(
    problem: Problem,
    options: OptionValues,
    onIteration?: (report: IterationReport) => void,
  ): Float32Array | Promise<Float32Array>;
}

/** A learner that tells all labels of a token apart at once. */
export interface MulticlassLearner extends JointLearner<MulticlassProblem> {
  /** Which kind of learner. */
  readonly kind: 'multiclass';
  /** Kind of scores that its weights add up to. */
  readonly gives: 'margins';
}

/** A learner of whole label sequences, whose scores read at most the label before. */
export interface SequenceLearner extends JointLearner<SequenceProblem> {
  /** Which kind of learner. */
  readonly kind: 'sequence';
  /** Kind of scores that its weights add up to. */
  readonly gives: 'first-order';
  /** Set for learners that look at gold labels alone and try no other before a token. */
  readonly readsGold?: true;
}

/** Training data of a learner of chunks: whole sentences, whose chunks have features of their own. */
export interface ChunkProblem extends MulticlassProblem {
  /** One row per token: its features, which read no label. */
  readonly rows: Rows;
  /** [S + 1] first row of each sentence. */
  readonly starts: Uint32Array;
  /** Roles of labels in chunks. */
  readonly roles: ChunkRoles;
  /** Features of whole chunks. */
  readonly index: ChunkIndex;
  /** Limits of the chunks seen. */
  readonly limits: ChunkLimits;
  /** Which of these limits hold. */
  readonly pruning: Pruning;
  /** Number of the view that `limits.values` are of, in the layout. */
  readonly dictionary: number;
  /** The layout of the token features; its views are those of chunks as well. */
  readonly layout: Layout;
  /** The values that chunk features read. */
  readonly views: CorpusViews;
}

/** Result of a learner of chunks. */
export interface ChunkWeights {
  /** [D × W] weights of token features by label. */
  readonly tokens: Float32Array;
  /** Weights of chunk features, as `index.rowStarts` has them. */
  readonly chunks: Float32Array;
}

/** A learner of segmentations into typed chunks. */
export interface ChunkLearner extends AnyLearner {
  /** Which kind of learner. */
  readonly kind: 'chunk';
  /** Kind of scores that its weights add up to. */
  readonly gives: 'chunks';
  /** Trains all weights. */
  train(
    problem: ChunkProblem,
    options: OptionValues,
    onIteration?: (report: IterationReport) => void,
  ): ChunkWeights;
}

/** A way to learn weights. */
export type Learner = BinaryLearner | MulticlassLearner | SequenceLearner | ChunkLearner;
