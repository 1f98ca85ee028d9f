import type { OptionDeclaration, OptionValues } from '../base/options.js';

/**
 * A multiclass strategy as data: which binary problem sees which label as positive, as negative, or not at all.
 */
export interface CodeMatrix {
  /** Number of labels L. */
  readonly labels: number;
  /** Number of binary problems P. */
  readonly problems: number;
  /** [L × P] of +1, 0, −1. */
  readonly signs: Int8Array;
}

/**
 * A multiclass strategy's decision rule: turns the margins [K] of the binary problems into one value per label in
 * `out` [L]. A label may be chosen where `legal[legalAt + label]` is not 0; each of those must get a finite value,
 * the rest are ignored.
 */
export type Decide = (margins: Float32Array, legal: Uint8Array, legalAt: number, out: Float64Array) => void;

/** A way to build a multiclass decision from binary problems (paper 001). */
export interface Reduction {
  /** Name for `--strategy`. */
  readonly name: string;
  /** One line of help. */
  readonly help: string;
  /** Its own options. */
  readonly options: readonly OptionDeclaration[];
  /** Decoders whose path scores make sense with its decisions. */
  readonly decoders: readonly string[];
  /** The problems for L labels. */
  code(labels: number, options: OptionValues): CodeMatrix;
  /** The decision rule; nothing when problem k's margin is label k's score. */
  readonly decide?: (code: CodeMatrix, options: OptionValues) => Decide;
}
