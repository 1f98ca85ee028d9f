import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import { watchTemporaries } from '../node/temporary-files.js';
import { threadError } from '../node/thread-error.js';
import { STANDARD_STREAM } from './arguments.js';
import type { Arguments, Command } from './command.js';

/** Command for a thread to run. */
export interface ThreadCommand {
  /** Name of the command. */
  readonly name: string;
  /** Its arguments. */
  readonly args: Arguments;
  /** Properties of the standard streams that say whether they are terminals; those of a thread are none. */
  readonly terminals: Readonly<Record<'stdin' | 'stdout' | 'stderr', object>>;
}

/**
 * Runs a command in a thread of its own, so that this one hears of signals, and ends the process, whatever the command is
 * at: the handlers of a thread wait until its work gives them a turn.
 *
 * @throws what the command throws.
 */
export async function runInThread({ name, positionals }: Command, args: Arguments): Promise<void> {
  watchTemporaries();
  const readsInput =
    (positionals[0]?.startsWith('[') && args.positionals.length === 0) ||
    [...args.positionals, ...Object.values(args.options)].includes(STANDARD_STREAM);
  const workerData: ThreadCommand = { name, args, terminals: terminalsOf(process) };
  const worker = new Worker(new URL('./command-thread.js', import.meta.url), {
    workerData,
    stdin: readsInput,
    stdout: true,
    stderr: true,
  });
  worker.stdout.pipe(process.stdout);
  worker.stderr.pipe(process.stderr);
  if (readsInput && worker.stdin) {
    // The command may end before it has read all.
    worker.stdin.on('error', () => undefined);
    process.stdin.pipe(worker.stdin);
  }
  let failure: Error | undefined;
  worker.on('error', (error) => {
    failure = threadError(error);
  });
  const code = await new Promise<number>((resolve) => worker.once('exit', resolve));
  if (readsInput) process.stdin.destroy();
  await Promise.all([worker.stdout, worker.stderr].map((stream) => finished(stream)));
  if (failure) throw failure;
  if (code !== 0) throw new SpanwrightError('worker-died', `${name} ended early with exit code ${code}`);
}

function terminalsOf({ stdin, stdout, stderr }: NodeJS.Process): ThreadCommand['terminals'] {
  const { isTTY, columns } = stdout;
  return {
    stdin: { isTTY: stdin.isTTY },
    stdout: { isTTY, columns },
    stderr: { isTTY: stderr.isTTY, columns: stderr.columns },
  };
}
