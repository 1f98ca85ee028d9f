#!/usr/bin/env node
import { isOutOfMemory, listNames, OptionError, quote, SpanwrightError } from '../base/errors.js';
import { VERSION } from '../base/version.js';
import { writeProblem } from '../node/files.js';
import { helpText, readArguments } from './arguments.js';
import type { Command } from './command.js';
import { refuseOverwriting } from './output.js';

/** All commands, by name; read when they are called, since reading them all takes longer than labelling a page of text. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  train: async () => (await import('./commands/train.js')).trainCommand,
  label: async () => (await import('./commands/label.js')).labelCommand,
  evaluate: async () => (await import('./commands/evaluate.js')).evaluateCommand,
  crossval: async () => (await import('./commands/crossval.js')).crossvalCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  tune: async () => (await import('./commands/tune.js')).tuneCommand,
  curve: async () => (await import('./commands/curve.js')).curveCommand,
  errors: async () => (await import('./commands/errors.js')).errorsCommand,
  experiment: async () => (await import('./commands/experiment.js')).experimentCommand,
  convert: async () => (await import('./commands/convert.js')).convertCommand,
  inspect: async () => (await import('./commands/inspect.js')).inspectCommand,
  info: async () => (await import('./commands/info.js')).infoCommand,
};

/** Exit code for failures that are the program's or the machine's. */
const FAILED = 1;
/** Codes of such errors. */
const MACHINE_CODES = ['worker-died', 'no-memory'];
/** Exit code for a wrong call or bad input. */
const BAD_INPUT = 2;

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await overview());
    if (name === undefined) process.exitCode = BAD_INPUT;
    return;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new OptionError(
      'command',
      `unknown command ${quote(name)}; expected ${listNames(Object.keys(COMMANDS))}`,
    );
  }
  const command = await COMMANDS[name]();
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(helpText(command));
    return;
  }
  const args = readArguments(command, rest);
  await refuseOverwriting(command, args);
  await command.run(args);
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const commands = all.map(({ name, help }) => `  ${name.padEnd(12)}${help}`);
  return `usage: spanwright COMMAND [options]\n\nCommands:\n${commands.join('\n')}\n\nspanwright COMMAND --help tells more.\n`;
}

// A reader that has seen enough (| head) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`spanwright: ${(writeProblem('standard output', error) as Error).message}\n`);
  process.exit(FAILED);
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(code));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof SpanwrightError) {
    process.stderr.write(`spanwright: ${error.message}\n`);
    process.exitCode = MACHINE_CODES.includes(error.code) ? FAILED : BAD_INPUT;
  } else if (isOutOfMemory(error)) {
    process.stderr.write(`spanwright: expected more free memory than there is: ${error.message}\n`);
    process.exitCode = FAILED;
  } else {
    process.stderr.write(
      `spanwright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = FAILED;
  }
});
