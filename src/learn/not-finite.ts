import { SpanwrightError } from '../base/errors.js';

/** The error of training whose numbers are no longer finite. */
export function notFinite(iteration: number, found: number): SpanwrightError {
  return new SpanwrightError(
    'not-finite',
    `training, iteration ${iteration}: expected a finite objective and gradient, found ${found}: weights have ` +
      'probably grown beyond all bounds, which a larger --l2 prevents',
  );
}
