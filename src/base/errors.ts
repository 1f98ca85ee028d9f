/** What kinds of errors there are: the stable part of a message. */
export type ErrorCode =
  /** Data that cannot be read. */
  | 'bad-input'
  /** Data in which something is odd. */
  | 'odd-data'
  /** A tag that is none. */
  | 'bad-tag'
  /** An option, name or argument that does not exist or makes no sense. */
  | 'bad-option'
  /** A model file that cannot be used. */
  | 'bad-model'
  /** A file that cannot be read or written. */
  | 'bad-file'
  /** Systems that cannot be compared. */
  | 'bad-comparison'
  /** Systems that labelled different texts. */
  | 'different-text'
  /** A sentence without a legal labelling. */
  | 'no-legal-path'
  /** Weights that are not finite. */
  | 'not-finite'
  /** Memory that the machine does not have. */
  | 'no-memory'
  /** A disk that is full or broken. */
  | 'disk-failed'
  /** A thread or process that ended early. */
  | 'worker-died'
  /** A request over HTTP that is not as the interface has it. */
  | 'bad-request'
  /** Something asked for by a name that stands for nothing. */
  | 'not-found'
  /** A request or document larger than what is taken. */
  | 'too-large'
  /** A request by somebody who may not make it. */
  | 'forbidden'
  /** A change that started from a state which is no longer the last one. */
  | 'conflict'
  /** More requests at a time than are worked on. */
  | 'busy';

/**
 * The errors this package throws on purpose. Each has a stable `code`; its message says where (file:line or
 * option), what was expected and what was found.
 */
export class SpanwrightError extends Error {
  /** Stable machine-readable identifier, for example `bad-input`. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(shortened(printable(message)));
    this.name = new.target.name;
    this.code = code;
  }
}

/** Where in an input a problem stands. */
export interface InputPlace {
  /** File name, or `<stdin>` and the like for other sources. */
  readonly source: string;
  /** Line number, from 1. */
  readonly line?: number | undefined;
  /** Byte offset from the start of the input, from 0. */
  readonly byte?: number | undefined;
}

/** Data that cannot be read: a malformed line, an unknown tag, invalid UTF-8. */
export class InputError extends SpanwrightError {
  /** Where the problem stands. */
  readonly place: InputPlace;

  constructor(place: InputPlace, problem: string) {
    super('bad-input', `${describePlace(place)}: ${problem}`);
    this.place = place;
  }
}

/** An option, name or value that does not exist or makes no sense here. */
export class OptionError extends SpanwrightError {
  /** The option's name, without dashes. */
  readonly option: string;

  constructor(option: string, problem: string) {
    super('bad-option', problem);
    this.option = option;
  }
}

/** A model file that cannot be used: truncated, damaged, or of an unknown version. */
export class ModelFileError extends SpanwrightError {
  constructor(source: string, problem: string) {
    super('bad-model', `${source}: ${problem}`);
  }
}

/** Whether an error is the engine's, for memory that it could not have. */
export function isOutOfMemory(error: unknown): error is RangeError {
  return error instanceof RangeError && !/call stack/.test(error.message);
}

function describePlace(place: InputPlace): string {
  const line = place.line === undefined ? place.source : `${place.source}:${place.line}`;
  return place.byte === undefined ? line : `${line} (byte ${place.byte})`;
}

/** `a, b or c`, for messages that list valid names. */
export function listNames(names: readonly string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}

/** The entry of a table of implementations, or an {@link OptionError} that lists the valid names. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string, option: string): T {
  if (typeof name === 'string' && Object.hasOwn(table, name)) return table[name];
  throw new OptionError(
    option,
    `--${option}: expected ${listNames(Object.keys(table))}, found ${show(name)}`,
  );
}

/** A message in which nothing from an input can steer a terminal: control and direction characters as escapes. */
function printable(message: string): string {
  return message.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escaped);
}

/** As messages are, but with their lines and tabs: what is written for people. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A message that names of any length leave readable: what is too long loses its middle. */
export function shortened(message: string): string {
  return message.length <= 900 ? message : `${message.slice(0, 680)} ... ${message.slice(-200)}`;
}

/** A string as it is shown in messages: quoted, control characters escaped, long ones cut. */
export function quote(value: string): string {
  return JSON.stringify(cut(value));
}

/** Any value as it is shown in messages: strings quoted, others as JSON, long ones cut, `none` for nothing. */
export function show(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return quote(value);
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // A BigInt, or an object that holds itself.
  }
  return cut(json ?? `a value of type ${typeof value}`);
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
