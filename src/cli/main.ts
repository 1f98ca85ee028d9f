#!/usr/bin/env node
import { isOutOfMemory, listNames, OptionError, quote, SpanwrightError } from '../base/errors.js';
import { nearestName } from '../base/options.js';
import { VERSION } from '../base/version.js';
import { writeProblem } from '../node/files.js';
import { helpText, readArguments } from './arguments.js';
import { COMMANDS } from './command-table.js';
import { refuseOverwriting, writesFile } from './output.js';
import { beQuiet, terminalColumns } from './terminal.js';

/** Exit code once a command is done. */
const DONE = 0;
/** Exit code for failures that are the program's or the machine's. */
const FAILED = 1;
/** Codes of such errors. */
const MACHINE_CODES = ['worker-died', 'no-memory', 'disk-failed'];
/** Exit code for a wrong call or bad input. */
const BAD_INPUT = 2;

/** Runs a command; returns the exit code of what went well. */
async function main(argv: readonly string[]): Promise<number> {
  const { name, rest } = commandOf(argv);
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`);
    return DONE;
  }
  if (name === 'help' && rest.length > 0) {
    const asked = commandOf(rest);
    return main([...(asked.name ?? '').split(' '), '--help', ...asked.rest]);
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await overview());
    return name === undefined ? BAD_INPUT : DONE;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    const names = Object.keys(COMMANDS);
    const meant = nearestName(name, names);
    const ofTwoWords = names.filter((own) => own.startsWith(`${name} `));
    if (ofTwoWords.length > 0) {
      const found = rest.length === 0 ? 'nothing' : quote(rest[0]);
      const seconds = listNames(ofTwoWords.map((own) => own.slice(name.length + 1)));
      throw new OptionError('command', `spanwright ${name}: expected ${seconds}, found ${found}`);
    }
    throw new OptionError(
      'command',
      `unknown command ${quote(name)}; ${meant === undefined ? '' : `did you mean ${meant}? `}there are ${listNames(names)}`,
    );
  }
  const command = await COMMANDS[name]();
  const helpAt = rest.findIndex((argument) => argument === '--help' || argument === '-h');
  if (helpAt >= 0) {
    process.stdout.write(helpText(command, { all: rest[helpAt + 1] === 'all', width: helpWidth() }));
    return DONE;
  }
  const args = readArguments(command, rest);
  if (args.options.quiet === true) beQuiet();
  await refuseOverwriting(command, args);
  writesFiles = writesFile(command, args);
  const { inThread = false } = command;
  const isThreaded = typeof inThread === 'function' ? await inThread(args) : inThread;
  if (isThreaded) await (await import('./run-in-thread.js')).runInThread(command, args);
  else await command.run(args);
  return DONE;
}

/** The command that arguments begin with, of one word or two, and the arguments behind it. */
function commandOf(argv: readonly string[]): { name: string | undefined; rest: string[] } {
  const [first, second, ...others] = argv;
  const name = `${first} ${second}`;
  if (Object.hasOwn(COMMANDS, name)) return { name, rest: others };
  return { name: first, rest: argv.slice(1) };
}

/** Characters to a line of help. */
function helpWidth(): number {
  return Math.max(60, terminalColumns());
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const commands = all.map(({ name, help }) => `  ${name.padEnd(12)}${help}`);
  return `usage: spanwright COMMAND [options]\n\nCommands:\n${commands.join('\n')}\n\nspanwright help COMMAND tells more.\n`;
}

/** Whether the command's work is more than what it writes to standard output. */
let writesFiles = false;

// A reader that has seen enough (| head) is no failure, as long as nothing but reading was wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && !writesFiles) process.exit(DONE);
  process.stderr.write(`spanwright: ${(writeProblem('standard output', error) as Error).message}\n`);
  process.exit(FAILED);
});

// Whatever ends the process before the command does, its exit code says that the work is not done.
process.exitCode = FAILED;
const sayUnfinished = () => process.stderr.write('spanwright: ended before its work was done\n');
process.once('beforeExit', sayUnfinished);
main(process.argv.slice(2))
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      const { code, message } = describeFailure(error);
      process.stderr.write(`spanwright: ${message}\n`);
      process.exitCode = code;
    },
  )
  .finally(() => process.off('beforeExit', sayUnfinished));

function describeFailure(error: unknown): { code: number; message: string } {
  if (error instanceof SpanwrightError) {
    return { code: MACHINE_CODES.includes(error.code) ? FAILED : BAD_INPUT, message: error.message };
  }
  if (isOutOfMemory(error)) {
    return { code: FAILED, message: `expected more free memory than there is: ${error.message}` };
  }
  return { code: FAILED, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
