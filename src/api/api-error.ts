import { type ErrorCode, SpanwrightError } from '../base/errors.js';

/** A request that is refused. */
export class ApiError extends SpanwrightError {
  /** Status of the answer. */
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string) {
    super(code, message);
    this.status = status;
  }
}
