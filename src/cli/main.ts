#!/usr/bin/env node
import { listNames, OptionError, quote, SpanwrightError } from '../base/errors.js';
import { VERSION } from '../base/version.js';
import { helpText, readArguments } from './arguments.js';
import type { Command } from './command.js';
import { compareCommand } from './commands/compare.js';
import { convertCommand } from './commands/convert.js';
import { crossvalCommand } from './commands/crossval.js';
import { curveCommand } from './commands/curve.js';
import { errorsCommand } from './commands/errors.js';
import { evaluateCommand } from './commands/evaluate.js';
import { experimentCommand } from './commands/experiment.js';
import { infoCommand } from './commands/info.js';
import { inspectCommand } from './commands/inspect.js';
import { labelCommand } from './commands/label.js';
import { trainCommand } from './commands/train.js';
import { tuneCommand } from './commands/tune.js';

/** All commands, by name. */
const COMMANDS: Readonly<Record<string, Command>> = {
  train: trainCommand,
  label: labelCommand,
  evaluate: evaluateCommand,
  crossval: crossvalCommand,
  compare: compareCommand,
  tune: tuneCommand,
  curve: curveCommand,
  errors: errorsCommand,
  experiment: experimentCommand,
  convert: convertCommand,
  inspect: inspectCommand,
  info: infoCommand,
};

/** Exit code for failures that are the program's or the machine's. */
const FAILED = 1;
/** Codes of such errors. */
const MACHINE_CODES = ['worker-died', 'no-memory'];
/** Exit code for a wrong call or bad input. */
const BAD_INPUT = 2;

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    process.stdout.write(overview());
    if (name === undefined) process.exitCode = BAD_INPUT;
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new OptionError(
      'command',
      `unknown command ${quote(name)}; expected ${listNames(Object.keys(COMMANDS))}`,
    );
  }
  if (rest.includes('--help')) {
    process.stdout.write(helpText(command));
    return;
  }
  await command.run(readArguments(command, rest));
}

function overview(): string {
  const commands = Object.values(COMMANDS).map(({ name, help }) => `  ${name.padEnd(12)}${help}`);
  return `usage: spanwright COMMAND [options]\n\nCommands:\n${commands.join('\n')}\n\nspanwright COMMAND --help tells more.\n`;
}

// A reader that has seen enough (| head) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : FAILED);
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
  } else {
    process.stderr.write(
      `spanwright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = FAILED;
  }
});
