import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OptionDeclaration, OptionValue, OptionValues } from '../../base/options.js';
import { describeRange } from '../../base/options.js';
import { encodeUtf8 } from '../../base/utf8.js';
import { FileError, fileSize, writeBytes } from '../../node/files.js';
import { configure } from '../../tasks/configure.js';
import { CONFIGURATION_OPTIONS, partOptions } from '../../tasks/parts.js';
import type { Command } from '../command.js';
import { TASK_OPTION } from '../options.js';
import { isStandardOutput, OUTPUT_OPTION } from '../output.js';
import { PRESET_OPTION } from '../training-options.js';

const SCHEMA = fileURLToPath(new URL('../schemas/configuration.schema.json', import.meta.url));
/** Where the file goes if nothing is said. */
const USUAL_NAME = 'spanwright.json';
const USUAL_TASK = 'chunking';
/** Characters to a line of comments. */
const WIDTH = 100;

/** `spanwright init`. */
export const initCommand: Command = {
  name: 'init',
  help: 'write a configuration file with every common option, its default and what it does',
  positionals: [],
  groups: [
    {
      heading: 'Options',
      options: [
        { ...TASK_OPTION, default: USUAL_TASK },
        PRESET_OPTION,
        { ...OUTPUT_OPTION, help: `output file; - is standard output; default ${USUAL_NAME}` },
      ],
    },
  ],
  notes: `Example: spanwright init --task entities && spanwright train --config ${USUAL_NAME} --train train.txt --model model.safetensors`,
  async run({ options }) {
    const path = String(options.output ?? USUAL_NAME);
    if (options.output !== undefined && isStandardOutput(options.output)) {
      process.stdout.write(configurationText(options, '.'));
      return;
    }
    if ((await fileSize(path)) > 0) throw new FileError(path, 'expected a new file, found one that is there');
    await writeBytes(path, encodeUtf8(configurationText(options, dirname(resolve(path)))));
    process.stdout.write(`wrote ${path}\n`);
  },
};

/** A configuration with comments. @param folder where the file is to lie. */
function configurationText({ task = USUAL_TASK, preset }: OptionValues, folder: string): string {
  const { options, templates, cutOff, columns, ...rest } = configure({
    task: String(task),
    ...(preset !== undefined && { preset: String(preset) }),
  });
  const defaults: Readonly<Record<string, unknown>> = {
    ...rest,
    ...options,
    columns: columns.join(','),
    templates: templates.name,
    'cut-off': cutOff,
  };
  const schema = relative(folder, SCHEMA).split(sep).join('/');
  // Options of learners, strategies and decoders that are not chosen would be refused.
  const members = [...CONFIGURATION_OPTIONS, ...partOptions().filter(({ name }) => name in options)].filter(
    ({ advanced }) => !advanced,
  );
  const lines = members.flatMap((member) =>
    memberLines(member, (defaults[member.name] ?? member.default) as OptionValue),
  );
  return `{
  // For spanwright train --config and the other commands that train. What is commented out is
  // what holds anyway; spanwright train --help all lists the options of other learners and decoders.
  "$schema": ${JSON.stringify(schema.startsWith('.') ? schema : `./${schema}`)},
  "task": ${JSON.stringify(task)},${preset === undefined ? '' : `\n  "preset": ${JSON.stringify(preset)},`}
${lines.join('\n')}
}
`;
}

function memberLines(member: OptionDeclaration, value: OptionValue | undefined): string[] {
  const help = `${member.help}: ${describeRange(member)}`;
  const shown = value === undefined ? `(none)` : `${JSON.stringify(value)},`;
  return ['', ...wrapped(help).map((line) => `  // ${line}`), `  // "${member.name}": ${shown}`];
}

function wrapped(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (lines[last] !== '' && lines[last].length + word.length >= WIDTH) lines.push(word);
    else lines[last] += lines[last] === '' ? word : ` ${word}`;
  }
  return lines;
}
