import { checkArgument } from '../base/arguments.js';
import { Random } from '../base/random.js';
import type { Fold } from '../data/folds.js';

/** A part of a fold's training sentences. */
export interface CurveFold extends Fold {
  /** Percent of the fold's training sentences that this one keeps. */
  readonly size: number;
  /** Number of the fold, from 0. */
  readonly fold: number;
}

/**
 * Makes the folds of a learning curve: each fold with growing parts of its training sentences, while what is scored
 * stays the same. Of a fold, smaller parts are within larger ones.
 *
 * @param sizes percent of the training sentences, above 0 to 100; at least one sentence is kept.
 * @returns the parts, fold by fold, in the order of `sizes`.
 */
export function curveFolds(folds: readonly Fold[], sizes: readonly number[], seed: number): CurveFold[] {
  checkArgument('folds', folds, 'folds');
  checkArgument('sizes', sizes, 'numbers');
  return folds.flatMap(({ training, heldOut }, fold) => {
    const order = training.slice();
    new Random(seed + fold).shuffle(order);
    return sizes.map((size) => {
      const kept = Math.max(1, Math.round((training.length * size) / 100));
      return { training: order.slice(0, kept).sort(), heldOut, size, fold };
    });
  });
}
