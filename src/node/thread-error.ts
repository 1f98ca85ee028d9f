import { InputError, ModelFileError, OptionError, SpanwrightError } from '../base/errors.js';
import { FileError } from './files.js';

const CLASSES = [InputError, OptionError, ModelFileError, FileError, SpanwrightError, RangeError];

/** An error as it comes from a thread, or from a process as JSON. */
export interface SentError {
  /** Name of its class. */
  readonly name: string;
  /** Its message. */
  readonly message: string;
  /** Where it was thrown. */
  readonly stack?: string | undefined;
  /** Code that tells errors apart, if it has one. */
  readonly code?: unknown;
}

/** An error as it can be sent: with all its members, which neither JSON nor a message between threads keeps by itself. */
export function toSend(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { ...error, name, message, stack };
}

/** Gives an error of a thread or process back the class that it had there: on the way it keeps its members alone. */
export function threadError(sent: SentError): Error {
  const { name, code } = sent;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new SpanwrightError(
      'no-memory',
      'expected more memory than Node gives to objects: raise its limit, as with NODE_OPTIONS=--max-old-space-size=8000 (MB)',
    );
  }
  const error: Error = sent instanceof Error ? sent : Object.assign(new Error(), sent);
  const own = CLASSES.find((candidate) => candidate.name === name);
  return own ? Object.setPrototypeOf(error, own.prototype) : error;
}
