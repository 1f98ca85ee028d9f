import type { OptionDeclaration, OptionValues } from '../base/options.js';
import type { TagSet } from '../tags/tag-set.js';

/**
 * A multiclass strategy as data: which binary problem sees which label as positive, as negative, or not at all. The
 * decision rules read all they need from it: who meets whom, in what order, and which way a tree branches.
 */
export interface CodeMatrix {
  /** Number of labels L. */
  readonly labels: number;
  /** Number of binary problems P. */
  readonly problems: number;
  /** [L × P] of +1, 0, −1. */
  readonly signs: Int8Array;
}

/** Most problems of a strategy: lanes of weights are numbered in 16 bits. */
export const MOST_PROBLEMS = 65_535;

/** Statistics of training data that strategies lay out their problems by. */
export interface LabelStatistics {
  /** Labels and which may follow which. */
  readonly tagSet: TagSet;
  /** [L] how often each label occurs. */
  readonly counts: Uint32Array;
  /**
   * [L × L] inner products of the sums of each label's examples, over features that read no label; made when asked
   * for.
   */
  readonly products: () => Float64Array;
  /** Seed of the run. */
  readonly seed: number;
}

/**
 * A multiclass strategy's decision rule: turns the margins [K] of the binary problems into one value per label in
 * `out` [L]. A label may be chosen where `legal[legalAt + label]` is not 0; each of those must get a finite value,
 * the rest are ignored.
 *
 * @returns how many margins it had to look at.
 */
export type Decide = (margins: Float32Array, legal: Uint8Array, legalAt: number, out: Float64Array) => number;

/** The margins of a token, as rules look at them one after the other: known before, or found when asked for. */
export interface Margins {
  /** Looks at the margin of a problem. */
  at(problem: number): number;
}

/** Chooses a label by looking at margins one after the other; there is a legal one. */
export type Choose = (margins: Margins, legal: Uint8Array, legalAt: number) => number;

/** A way to build a multiclass decision from binary problems (Wu et al. 2008). */
export interface Reduction {
  /** Name for `--strategy`. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Its own options. */
  readonly options: readonly OptionDeclaration[];
  /** Margins where each label has a score from which probabilities can be read; else decisions. */
  readonly gives: 'margins' | 'decisions';
  /**
   * The problems.
   *
   * @throws OptionError where the strategy cannot be used with such labels.
   */
  code(data: LabelStatistics, options: OptionValues): CodeMatrix;
  /**
   * Makes the decision rule; absent when problem k's margin is label k's score.
   *
   * @throws Error for a code matrix that is none of this strategy.
   */
  readonly decide?: (code: CodeMatrix, options: OptionValues) => Decide;
  /** The same for rules that look at margins one after the other and stop early. */
  readonly choose?: (code: CodeMatrix) => Choose;
  /** Set where the strategy is defined by which labels may follow the one before, so that its costs count no others. */
  readonly constrained?: true;
}
