import type { KernelName } from '../kernels/kernels.js';
import type { Decide } from '../reduce/reduction.js';
import type { Link } from './link.js';
import type { TokenHistory } from './token-kinds.js';

/** Parts that a `Scorer` is made of. Index L of a history table stands for the start of the sentence. */
export interface ScorerParts {
  /** Number of labels, L. */
  readonly labels: number;
  /** Number of lanes, K; without `decide` lane c is label c, so K ≥ L. */
  readonly lanes: number;
  /** How label values become log scores. */
  readonly link: Link;
  /** The decision rule; absent for one-vs-all and all models with one lane per label. */
  readonly decide?: Decide | undefined;
  /** `[(L+1) × K]`, added by the label at −1. */
  readonly first?: Float32Array | undefined;
  /** `[(L+1) × K]`, added by the label at −2. */
  readonly second?: Float32Array | undefined;
  /** `[(L+1)² × K]`, added by both: row label₋₁ · (L+1) + label₋₂. */
  readonly pair?: Float32Array | undefined;
  /** Features that join a token with the label at −1. */
  readonly tokenHistory?: TokenHistory | undefined;
  /** Implementation of the inner loops; default plain. */
  readonly kernels?: KernelName | undefined;
}
