import { basename } from 'node:path';
import { InputError, OptionError, SpanwrightError } from '../base/errors.js';
import type { OptionDeclaration, OptionValue, OptionValues } from '../base/options.js';
import { decodeUtf8, findInvalidUtf8 } from '../base/utf8.js';
import { DECODERS } from '../decode/decoders.js';
import type { TemplateSet } from '../features/template.js';
import { TEMPLATE_SETS } from '../features/template-sets.js';
import { readTemplates } from '../features/template-syntax.js';
import { partOptions } from '../model/configuration.js';
import type { DecoderChoice, Model } from '../model/model.js';
import { loadModelFile } from '../node/corpora.js';
import { readBytes } from '../node/files.js';
import { TASKS } from '../tasks/tasks.js';

/** `--model`. */
export const MODEL_OPTION: OptionDeclaration = {
  name: 'model',
  kind: 'string',
  placeholder: 'FILE',
  help: 'model file',
};

/** `--input-format`. */
export const INPUT_FORMAT_OPTION: OptionDeclaration = {
  name: 'input-format',
  kind: 'choice',
  choices: ['columns'],
  help: 'how the input is read; default by task, then by file extension',
};

/** `--separator`. */
export const SEPARATOR_OPTION: OptionDeclaration = {
  name: 'separator',
  kind: 'choice',
  choices: ['blanks', 'tab'],
  default: 'blanks',
  help: 'what parts columns: runs of spaces and tabs, or single tabs (cells may then hold spaces)',
};

/** `--json`. */
export const JSON_OPTION: OptionDeclaration = { name: 'json', kind: 'flag', help: 'machine-readable output' };

/** `--task`. */
export const TASK_OPTION: OptionDeclaration = {
  name: 'task',
  kind: 'choice',
  choices: Object.keys(TASKS),
  help: 'what is labelled; decides columns and defaults',
};

const OWN_DECODER_OPTIONS = Object.values(DECODERS).flatMap(({ options }) => options.map(({ name }) => name));

/** Options of labelling with another decoder than the model's. */
export const DECODER_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'decoder',
    kind: 'choice',
    choices: Object.keys(DECODERS),
    help: 'label with this decoder instead of the model’s',
  },
  ...partOptions().filter(({ name }) => OWN_DECODER_OPTIONS.includes(name)),
];

/** An option that must be there. @throws OptionError when it is not. */
export function required(options: OptionValues, name: string, placeholder: string): string {
  const value = options[name];
  if (value === undefined) throw new OptionError(name, `--${name} ${placeholder} is required`);
  return String(value);
}

/** The model that `--model` names. */
export async function modelOf(options: OptionValues): Promise<Model> {
  return loadModelFile(required(options, 'model', 'FILE'));
}

/** The decoder that `--decoder` and its options name. */
export function decoderOf(options: OptionValues): DecoderChoice {
  const own: Record<string, OptionValue> = {};
  for (const name of OWN_DECODER_OPTIONS) if (options[name] !== undefined) own[name] = options[name];
  return {
    decoder: options.decoder === undefined ? undefined : String(options.decoder),
    options: Object.keys(own).length > 0 ? own : undefined,
  };
}

/** A text file that must be UTF-8. @throws InputError with the offset of the first invalid byte. */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  const invalid = findInvalidUtf8(bytes);
  if (invalid >= 0) throw new InputError({ source: path, byte: invalid }, 'expected UTF-8 text');
  return decodeUtf8(bytes).replace(/^\uFEFF/, '');
}

/** `--templates`: nothing for a set by name, else the set read from a file. */
export async function templatesOf(
  value: string,
  columns: readonly string[],
): Promise<TemplateSet | undefined> {
  if (Object.hasOwn(TEMPLATE_SETS, value)) return undefined;
  try {
    // A model names its templates, but holds no path of the machine it was trained on.
    return { ...readTemplates(await readText(value), value, columns), name: basename(value) };
  } catch (error) {
    if (!(error instanceof SpanwrightError) || error.code !== 'bad-file') throw error;
    const names = Object.keys(TEMPLATE_SETS).join(', ');
    throw new OptionError('templates', `--templates: expected ${names} or a file; ${error.message}`);
  }
}
