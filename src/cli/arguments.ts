import { parseArgs } from 'node:util';
import { listNames, OptionError, quote } from '../base/errors.js';
import {
  checkOption,
  describeRange,
  nearestName,
  type OptionDeclaration,
  type OptionValue,
} from '../base/options.js';
import type { Arguments, Command } from './command.js';

const HELP_OPTION: OptionDeclaration = { name: 'help', short: 'h', kind: 'flag', help: 'show this help' };

/** Options that every command has. */
const COMMON_OPTIONS: readonly OptionDeclaration[] = [
  { name: 'quiet', short: 'q', kind: 'flag', help: 'leave out progress and summaries on standard error' },
  {
    name: 'color',
    kind: 'choice',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'colours: on terminals, always or never; NO_COLOR and FORCE_COLOR say the same',
  },
  HELP_OPTION,
];

/** What a name of an environment variable begins with that gives an option. */
const VARIABLE_PREFIX = 'SPANWRIGHT_';

/** Names standard input or output where a file is taken. */
export const STANDARD_STREAM = '-';

/**
 * Reads a command's arguments by its option declarations.
 *
 * @throws OptionError for unknown options, missing or bad values, and surplus arguments.
 */
export function readArguments(command: Command, argv: readonly string[]): Arguments {
  const declarations = declarationsOf(command);
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      declarations.map(({ name, kind, short }) => [
        name,
        { type: kind === 'flag' ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: Record<string, OptionValue> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const declaration = byName.get(token.name);
    if (declaration === undefined) {
      // What was typed: -epochs is read as letters of their own.
      const typed = argv[token.index].split('=')[0];
      const meant = nearestName(typed.replace(/^-+/, ''), [...byName.keys()]);
      throw new OptionError(
        token.name,
        `unknown option ${typed}; ${meant === undefined ? '' : `did you mean --${meant}? `}` +
          `spanwright ${command.name} --help lists those there are`,
      );
    }
    if (Object.hasOwn(options, token.name))
      throw new OptionError(token.name, `--${token.name} is given twice`);
    if (declaration.kind === 'flag') options[token.name] = checkOption(declaration, token.value ?? true);
    else if (token.value === undefined) {
      throw new OptionError(
        token.name,
        `--${token.name}: expected ${describeRange(declaration)}, found nothing`,
      );
    } else options[token.name] = checkOption(declaration, token.value);
  }
  for (const declaration of declarations) readVariable(declaration, options);
  const repeats = command.positionals.at(-1) === '[...]';
  if (positionals.length > command.positionals.length && !repeats) {
    throw new OptionError(
      'arguments',
      `unexpected argument ${quote(positionals[command.positionals.length])}; ${usageLine(command)}`,
    );
  }
  // A single input that may be left out is standard input.
  const isInput = command.positionals.length === 1 && command.positionals[0].startsWith('[');
  return { options, positionals: positionals.filter((path) => !isInput || path !== STANDARD_STREAM) };
}

/** All options of a command. */
export function declarationsOf({ groups }: Command): OptionDeclaration[] {
  return [...groups.flatMap((group) => group.options), ...COMMON_OPTIONS];
}

/** The environment variable that gives an option: `SPANWRIGHT_POS_MODEL` for `--pos-model`. */
function variableOf({ name }: OptionDeclaration): string {
  return VARIABLE_PREFIX + name.toUpperCase().replaceAll('-', '_');
}

/** Takes an option that is not given from its environment variable. Where to write is told by the command line alone. */
function readVariable(declaration: OptionDeclaration, options: Record<string, OptionValue>): void {
  const { name, file } = declaration;
  const variable = variableOf(declaration);
  const value = process.env[variable];
  if (value === undefined || value === '' || file === 'written' || Object.hasOwn(options, name)) return;
  try {
    options[name] = checkOption(declaration, value);
  } catch (error) {
    throw new OptionError(name, `${variable}, for ${(error as Error).message}`);
  }
}

/** `usage: spanwright label [options] [INPUT]`. */
export function usageLine(command: Command): string {
  return `usage: ${['spanwright', command.name, '[options]', ...command.positionals].join(' ')}`;
}

/** Column where the help of options begins. */
const HELP_COLUMN = 30;

/** How help is shown. */
export interface HelpOptions {
  /** Whether options that few need are listed too. */
  readonly all: boolean;
  /** Characters to a line. */
  readonly width: number;
}

/** A command's `--help`, made from its declarations. */
export function helpText(command: Command, { all, width }: HelpOptions): string {
  const lines = [usageLine(command), '', ...wrap(`${capitalise(command.help)}.`, width)];
  const groups = command.groups.flatMap((group) => (all && group.parts ? group.parts : [group]));
  let hidden = 0;
  for (const { heading, options, parts } of groups) {
    const listed = all ? options : options.filter(({ advanced }) => !advanced && !parts);
    hidden += options.length - listed.length;
    if (listed.length > 0)
      lines.push('', `${heading}:`, ...listed.flatMap((option) => helpLines(option, width)));
  }
  lines.push('', 'Other:', ...COMMON_OPTIONS.flatMap((option) => helpLines(option, width)));
  if (hidden > 0)
    lines.push(...helpLines({ name: 'help all', kind: 'flag', help: `list ${hidden} more options` }, width));
  if (command.notes) lines.push('', ...command.notes.split('\n').flatMap((line) => wrap(line, width)));
  return `${lines.join('\n')}\n`;
}

function helpLines(declaration: OptionDeclaration, width: number): string[] {
  const { name, short, kind, help } = declaration;
  const value = kind === 'flag' ? '' : ` ${placeholder(declaration)}`;
  const notes: string[] = [];
  if (kind === 'choice' && value.trim() === 'NAME') notes.push(listNames(declaration.choices ?? []));
  if (declaration.default !== undefined && kind !== 'flag') notes.push(`default ${declaration.default}`);
  const left = `  ${short === undefined ? '' : `-${short}, `}--${name}${value}`;
  const text = notes.length > 0 ? `${help} (${notes.join('; ')})` : help;
  const lines = wrap(`${' '.repeat(HELP_COLUMN)}${text}`, width);
  if (left.length + 2 > HELP_COLUMN) return [left, ...lines];
  return [left.padEnd(HELP_COLUMN) + lines[0].slice(HELP_COLUMN), ...lines.slice(1)];
}

/**
 * A line cut at blanks into lines of at most `width` characters where words allow it; all are indented as the first.
 * Examples stay whole, to be copied.
 */
function wrap(line: string, width: number): string[] {
  if (line.startsWith('Example: ')) return [line];
  // Tables of names and their help: what follows goes under the help.
  const indent = /^ *(\S+ {2,})?/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let current = line.slice(0, indent);
  let isEmpty = true;
  for (const word of line.slice(indent).split(' ')) {
    if (!isEmpty && current.length + 1 + word.length > width) {
      lines.push(current);
      current = ' '.repeat(indent);
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}

function placeholder(declaration: OptionDeclaration): string {
  if (declaration.placeholder) return declaration.placeholder;
  if (declaration.kind === 'choice') {
    const choices = (declaration.choices ?? []).join('|');
    return choices.length <= 24 ? choices : 'NAME';
  }
  return declaration.kind === 'string' ? 'TEXT' : 'N';
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
