import type { OptionValues } from '../base/options.js';
import type { TagSpelling } from '../data/tag-spelling.js';
import type { Link } from '../decode/link.js';
import type { FeatureIndex } from '../features/feature-index.js';
import type { KernelName } from '../kernels/kernels.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import type { ScoreKind } from '../reduce/score-kind.js';
import type { SchemeName } from '../tags/scheme.js';
import type { TagSet } from '../tags/tag-set.js';
import type { ChunkModel } from './chunk-model.js';
import type { Configuration } from './configuration.js';
import type { Knowledge } from './knowledge/kinds.js';
import type { SparseWeights } from './sparse-weights.js';

/** Unlabelled text that a model has seen. */
export interface RawTextRecord {
  /** Number of lines. */
  readonly lines: number;
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string;
}

/** Record of a model's training data. */
export interface TrainingRecord {
  /** Number of sentences. */
  readonly sentences: number;
  /** Number of tokens. */
  readonly tokens: number;
  /** SHA-256 of the training file's bytes, hexadecimal. */
  readonly sha256: string;
  /** Tag scheme of the training file; output is written in it. */
  readonly fileScheme: SchemeName;
  /** How the training file spells tags, and output does, where that is not as the scheme does. */
  readonly tagSpelling?: TagSpelling | undefined;
  /** Tags of the training file that do not follow its scheme, read as conlleval reads them. */
  readonly irregularTags: number;
  /** Raw text that accessor variety was measured on too. A model that has seen its test text there is transductive. */
  readonly rawText?: RawTextRecord | undefined;
  /** Record of the model that training went on from, if there was one. */
  readonly init?: TrainingRecord | undefined;
}

/** Scores on held-out data, in percent. */
export interface HeldOutScores {
  /** Share of tokens whose tag is right. */
  readonly accuracy: number;
  /** Share of predicted chunks that are right. */
  readonly precision: number;
  /** Share of gold chunks that were found. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. */
  readonly f1: number;
}

/** How a model's sums become the scores that a decoder searches. */
export interface ModelScores {
  /** Kind of the scores. */
  readonly kind: ScoreKind;
  /** How a sum becomes a log score along a path. */
  readonly link: Link;
}

/** A trained model: inert data. Make a `Tagger` of it to label. */
export interface Model {
  /** Everything that was decided before training. */
  readonly configuration: Configuration;
  /** How its sums become scores. */
  readonly scores: ModelScores;
  /** Labels L and which may follow which. */
  readonly tagSet: TagSet;
  /**
   * Features D; only those with a weight that is not 0.
   *
   * @internal
   */
  readonly features: FeatureIndex;
  /**
   * Number of binary problems P; for learners of all labels at once the number of labels.
   *
   * @internal
   */
  readonly problems: number;
  /**
   * The strategy's problems; none for learners of all labels at once.
   *
   * @internal
   */
  readonly code?: CodeMatrix | undefined;
  /**
   * Weight of each feature in each problem.
   *
   * @internal
   */
  readonly weights: SparseWeights;
  /**
   * Features and weights of whole chunks, if it scores them.
   *
   * @internal
   */
  readonly chunks?: ChunkModel | undefined;
  /** Record of its training data. */
  readonly training: TrainingRecord;
  /**
   * Knowledge besides weights.
   *
   * @internal
   */
  readonly knowledge: Knowledge;
  /**
   * First of two stages, whose labels this one reads; itself of one stage.
   *
   * @internal
   */
  readonly first?: Model | undefined;
  /** Name of the model, a file in the same folder, that fills the column `pos` where an input has none. */
  readonly posModel?: string | undefined;
  /** Temperature that margins and path scores are divided by for confidences, if it was fitted; see `fitTemperature`. */
  readonly temperature?: number | undefined;
  /** Bias of labels, if it was fitted; see `fitBias`. */
  readonly bias?: LabelBias | undefined;
  /** When unknown words are joined, if that was fitted and gained something; see `fitUnknownWords`. */
  readonly unknownWords?: UnknownWordThresholds | undefined;
  /** Scores on `--dev`, if there was any. */
  readonly dev?: HeldOutScores | undefined;
}

/** Types that a stage gives, ascending. */
export function stageTypes({ tagSet }: Model): readonly string[] {
  return [...tagSet.types].sort();
}

/** Which words that training data do not have are joined of several: those found so often with so much confidence. */
export interface UnknownWordThresholds {
  /** Confidence with which a word counts as found, 0 … 1. */
  readonly leastConfidence: number;
  /** How often it must be found, 1 … . */
  readonly leastCount: number;
}

/** What is added to the score of every label of a chunk, by the chunk's type: above 0 more chunks are found, below 0 fewer. */
export type LabelBias = Readonly<Record<string, number>>;

/** Decoder, its options and bias that differ from the model's own. */
export interface DecoderChoice {
  /** Name of a decoder whose history order is the model's. */
  readonly decoder?: string | undefined;
  /** Its options, where they are to differ from the defaults. */
  readonly options?: OptionValues | undefined;
  /** Bias of labels, one for all types or one each, in place of the model's. */
  readonly bias?: number | LabelBias | undefined;
  /** Implementation of the inner loops, which has no influence on results; default the best that there is. */
  readonly kernels?: KernelName | undefined;
}
