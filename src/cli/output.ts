import { once } from 'node:events';
import { OptionError } from '../base/errors.js';
import type { OptionDeclaration, OptionValue } from '../base/options.js';
import { AtomicFile, sameFileAmong } from '../node/files.js';
import { STANDARD_STREAM } from './arguments.js';
import type { Arguments, Command } from './command.js';

/** `--output` of commands that write standard output where it is not given. */
export const OUTPUT_OPTION: OptionDeclaration = {
  name: 'output',
  short: 'o',
  kind: 'string',
  placeholder: 'FILE',
  file: 'written',
  help: 'output file; default, or -: standard output',
};

/** Where a command writes: a file that appears whole or not at all, or standard output. */
export interface Output {
  /** Writes bytes; they may be reused once this resolves. */
  write(bytes: Uint8Array): Promise<void>;
  /** Another input begins; absent where that makes no difference. */
  next?(): void;
  /** Ends well. */
  commit(): Promise<void>;
  /** Ends without a file. */
  abandon(): Promise<void>;
}

/** The output of `--output`, standard output where none is given. */
export async function openOutput({ output }: Arguments['options']): Promise<Output> {
  return isStandardOutput(output) ? standardOutput : AtomicFile.create(String(output));
}

/** Whether a command is told to write a file, or a folder of files. */
export function writesFile({ groups }: Pick<Command, 'groups'>, { options }: Arguments): boolean {
  const written = groups.flatMap((group) => group.options).filter(({ file }) => file === 'written');
  return written.some(({ name }) => options[name] !== undefined && !isStandardOutput(options[name]));
}

/** Whether that is what `--output` says; its device, opened by name, would overwrite a file that is appended to. */
export function isStandardOutput(output: OptionValue | undefined): boolean {
  return output === undefined || output === STANDARD_STREAM || output === '/dev/stdout';
}

const standardOutput: Output = {
  async write(bytes) {
    if (bytes.length === 0) return;
    // A copy, since the stream may hold on to it after the caller has moved on.
    if (!process.stdout.write(bytes.slice())) await once(process.stdout, 'drain');
  },
  async commit() {},
  async abandon() {},
};

/**
 * Refuses to write a file that is read: what it held would be lost.
 *
 * @throws OptionError naming both.
 */
export async function refuseOverwriting(
  { groups }: Pick<Command, 'groups'>,
  { options, positionals }: Arguments,
): Promise<void> {
  const files = groups.flatMap((group) => group.options).filter(({ name }) => options[name] !== undefined);
  const read = new Map(positionals.map((path) => [path, path]));
  if (positionals.length === 0) read.set('/dev/stdin', 'standard input');
  for (const { name, file } of files) {
    if (file === 'read') read.set(String(options[name]), `--${name} ${options[name]}`);
  }
  // What is appended to a file while that is read is read too, without end.
  const appended = await sameFileAmong(process.stdout.fd, [...read.keys()]);
  if (appended !== undefined) {
    throw new OptionError(
      'output',
      `standard output: expected another file than those that are read, found that of ${read.get(appended)}`,
    );
  }
  for (const { name, file } of files) {
    if (file !== 'written') continue;
    const same = await sameFileAmong(String(options[name]), [...read.keys()]);
    if (same === undefined) continue;
    throw new OptionError(
      name,
      `--${name} ${options[name]}: expected another file than those that are read, found that of ${read.get(same)}`,
    );
  }
}
