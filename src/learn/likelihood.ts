import type { Vector } from './lbfgs.js';

/** The part of a log-linear model's likelihood that lies above the scores of the rows. */
export interface Likelihood {
  /**
   * Turns the scores [N × W] into residuals, each label's probability less 1 if it is the gold one; lanes beyond L
   * become 0.
   *
   * @param weights [D × W]
   * @returns the negative log-likelihood.
   */
  residuals(weights: Vector, scores: Float32Array): number;
  /** Adds to the gradient [D × W] what features get that are in no row. */
  addGradient?(gradient: Vector): void;
}
