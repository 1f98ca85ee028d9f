import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { InputError, listNames, OptionError, quote, SpanwrightError } from '../base/errors.js';
import type { OptionDeclaration, OptionValue, OptionValues } from '../base/options.js';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import { type Corpus, placeOf } from '../data/corpus.js';
import { findBadByte } from '../data/formats/bad-bytes.js';
import type { ColumnLayout, Separator } from '../data/formats/columns.js';
import { IMPORTS, type ImportName, importNamed } from '../data/formats/imports.js';
import type { InputFormat } from '../data/formats/input-formats.js';
import { formatOfExtension, LABELLED_FORMATS } from '../data/formats/input-formats.js';
import { type Encoding, encodingNamed } from '../data/formats/transcoder.js';
import { PHRASE_KINDS, type PhraseKind } from '../data/formats/tree-phrases.js';
import { DECODERS } from '../decode/decoders.js';
import { type TemplateSet, templateName } from '../features/template.js';
import { TEMPLATE_SETS, templateSetByName } from '../features/template-sets.js';
import { readTemplates } from '../features/template-syntax.js';
import { Pipeline } from '../label/pipeline.js';
import { UnitCorpusBuilder, type UnitCorpusOptions } from '../label/unit-corpus.js';
import { BUNDLED_MODEL_NAMES } from '../model/bundled-models.js';
import type { Configuration } from '../model/configuration.js';
import type { DecoderChoice, LabelBias, Model } from '../model/model.js';
import { loadModelFile, modelPath, readColumnsFile, readCorpus } from '../node/corpora.js';
import { type BytesListener, fileSize, readBytes, readChunks, STANDARD_INPUT } from '../node/files.js';
import { PACKED_EXTENSION } from '../node/packed.js';
import { Tagger } from '../tag/tagger.js';
import { withPlainTags } from '../tags/spelling.js';
import { TASKS } from '../tasks/tasks.js';
import type { OffsetUnit } from '../text/code-points.js';
import { STANDARD_STREAM } from './arguments.js';
import { counted, warn } from './render.js';

/** `--model`. */
export const MODEL_OPTION: OptionDeclaration = {
  name: 'model',
  short: 'm',
  kind: 'string',
  placeholder: 'FILE',
  file: 'read',
  help: `model: a file, or one of the package’s: ${BUNDLED_MODEL_NAMES.join(', ')}`,
};

/** `--input-format` where labels are in the input. */
export const INPUT_FORMAT_OPTION: OptionDeclaration = {
  name: 'input-format',
  kind: 'choice',
  choices: [...LABELLED_FORMATS, ...Object.keys(IMPORTS)],
  help: `input format; default by file extension (.jsonl, .conllu, .mrg, .ptb) or content, else the task’s; ${Object.entries(
    IMPORTS,
  )
    .map(([name, { help }]) => `${name}: ${help}`)
    .join('; ')}`,
};

/** `--offsets`. */
export const OFFSETS_OPTION: OptionDeclaration = {
  name: 'offsets',
  advanced: true,
  kind: 'choice',
  choices: ['utf16', 'code-points'],
  default: 'utf16',
  help: 'unit of start and end in JSONL input',
};

/** `--phrases`. */
export const PHRASES_OPTION: OptionDeclaration = {
  name: 'phrases',
  kind: 'choice',
  choices: Object.keys(PHRASE_KINDS),
  default: 'conll',
  help: `phrases of trees that are chunks; ${Object.entries(PHRASE_KINDS)
    .map(([name, help]) => `${name}: ${help}`)
    .join('; ')}`,
};

/** `--on-error` where labels are read. */
export const ON_ERROR_OPTION: OptionDeclaration = {
  name: 'on-error',
  advanced: true,
  kind: 'choice',
  choices: ['stop', 'skip'],
  default: 'stop',
  help: 'at a JSONL or CoNLL-U document that cannot be read: stop, or skip it',
};

/** `--encoding`. */
export const ENCODING_OPTION: OptionDeclaration = {
  name: 'encoding',
  advanced: true,
  kind: 'string',
  placeholder: 'NAME',
  default: 'utf-8',
  help: 'encoding of texts and labelled data, such as windows-1252, utf-16le, gb18030 or euc-jp; output is UTF-8',
};

/** Value of `--encoding`. @throws OptionError for a name that stands for none. */
export function encodingOf(options: OptionValues): Encoding | undefined {
  return options.encoding === undefined ? undefined : encodingNamed(String(options.encoding));
}

/** `--pos-model`. */
export const POS_MODEL_OPTION: OptionDeclaration = {
  name: 'pos-model',
  kind: 'string',
  placeholder: 'FILE',
  file: 'read',
  help: 'model that adds parts of speech where the input has none',
};

/** Options of column files. */
export const COLUMN_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'separator',
    kind: 'choice',
    choices: ['blanks', 'tab'],
    default: 'blanks',
    help: 'column separator: runs of spaces and tabs, or single tabs (cells may then hold spaces)',
  },
  {
    name: 'comments',
    advanced: true,
    kind: 'string',
    placeholder: 'START',
    help: "start of lines in column files that are comments, such as '#'; they stay where they are",
  },
  {
    name: 'header',
    advanced: true,
    kind: 'integer',
    min: 0,
    default: 0,
    placeholder: 'LINES',
    help: 'lines before the first token of a column file that are no tokens',
  },
];

/** What {@link COLUMN_OPTIONS} say. */
export function layoutOf(options: OptionValues): ColumnLayout {
  return {
    separator: options.separator as Separator | undefined,
    comments: options.comments as string | undefined,
    header: options.header as number | undefined,
  };
}

/** `--json`. */
export const JSON_OPTION: OptionDeclaration = { name: 'json', kind: 'flag', help: 'machine-readable output' };

/** `--task`. */
export const TASK_OPTION: OptionDeclaration = {
  name: 'task',
  kind: 'choice',
  choices: Object.keys(TASKS),
  help: 'kind of labelling; decides columns and defaults',
};

/** The options of all decoders, each name once. */
const DECODER_OPTIONS_BY_NAME = new Map(
  Object.values(DECODERS)
    .flatMap(({ options }) => options)
    .map((option) => [option.name, option]),
);

/** Options of labelling with another decoder than the model's. */
export const DECODER_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'decoder',
    kind: 'choice',
    choices: Object.keys(DECODERS),
    help: 'decoder to use instead of the model’s',
  },
  ...[...DECODER_OPTIONS_BY_NAME.values()].map(({ default: _, ...option }) => ({
    ...option,
    advanced: true as const,
    help: `${option.help} (default as the model was trained)`,
  })),
  {
    name: 'bias',
    kind: 'string',
    placeholder: 'N',
    help: 'added to the scores of labels of chunks: above 0 finds more of them, below 0 fewer; PER=0.2,ORG=0.4 for single types (default as fitted by train --tune-bias)',
  },
];

/** The input format: given, by the file's extension, or the task's. */
export function inputFormatOf(options: OptionValues, path: string | undefined, task = ''): InputFormat {
  if (options['input-format'] !== undefined) return options['input-format'] as InputFormat;
  return (
    formatOfExtension(extname((path ?? '').replace(PACKED_EXTENSION, ''))) ??
    TASKS[task]?.inputFormat ??
    'columns'
  );
}

/** `--threads`. @param help what they do. */
export function threadsOption(help: string): OptionDeclaration {
  return { name: 'threads', kind: 'integer', default: 1, min: 1, max: 64, help };
}

/** An option that must be there. @throws OptionError when it is not. */
export function required(options: OptionValues, name: string, placeholder: string): string {
  const value = options[name];
  if (value === undefined) throw new OptionError(name, `--${name} ${placeholder} is required`);
  return String(value);
}

/** Usual extension of model files; they may have any name. */
const MODEL_EXTENSION = '.safetensors';

/** Parts of a configuration that decide how input is read and output written. */
export type ModelKind = Pick<Configuration, 'task' | 'tokens'>;

/** Reads task and tokens from the header of a model file alone; undefined where that is no sound model. */
export function readModelKind(bytes: Uint8Array): ModelKind | undefined {
  try {
    const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
    const header = JSON.parse(decodeUtf8(bytes.subarray(8, 8 + length)));
    return JSON.parse(header.__metadata__.configuration) as ModelKind;
  } catch {
    return undefined;
  }
}

/** The model that `--model` names. */
export async function modelOf(options: OptionValues): Promise<Model> {
  return loadModelFile(required(options, 'model', 'FILE'));
}

/**
 * Reads a labelled file in the format that options or its extension say.
 *
 * @param named its path; nothing, or -, is standard input.
 * @param configuration says which columns are wanted, and whether labels are those of tokens.
 * @param how what fills columns that the input lacks, and what chunks marked in documents are for: `score` (default) where
 *   some of the sentences are scored, `learn` where all are trained on.
 */
export async function readLabelled(
  named: string | undefined,
  options: OptionValues,
  {
    task,
    columns,
    tokens,
    tokenizer,
    scheme,
  }: Pick<Configuration, 'columns' | 'scheme'> & Partial<Configuration>,
  { fill, marks = 'score' }: Pick<UnitCorpusOptions, 'fill' | 'marks'> = {},
): Promise<Corpus> {
  const path = named === STANDARD_STREAM ? undefined : named;
  const imported = await importedFormat(options, path);
  const format = imported ? 'jsonl' : inputFormatOf(options, path, task);
  if (format === 'columns') {
    if (options['on-error'] === 'skip') {
      throw new OptionError(
        'on-error',
        '--on-error: expected stop for a column file; skip is for jsonl and conllu',
      );
    }
    return withPlainTags(
      await readColumnsFile(path, { ...layoutOf(options), columns }, encodingOf(options)),
      scheme,
    );
  }
  const offsets = options.offsets as OffsetUnit | undefined;
  const phrases = options.phrases as PhraseKind | undefined;
  const skipBad = options['on-error'] === 'skip';
  const builder = new UnitCorpusBuilder(format, {
    columns,
    tokens,
    tokenizer,
    scheme,
    offsets,
    phrases,
    fill,
    marks,
    skipBad,
    source: path ?? STANDARD_INPUT,
  });
  const corpus = withPlainTags(
    imported
      ? await readImported(imported, path, options, builder)
      : await readCorpus(path, encodingOf(options), builder),
    scheme,
  );
  if (builder.firstProblem) {
    warn(`${counted(builder.badUnits, 'document')} left out; the first: ${builder.firstProblem.message}`);
  }
  for (const [answer, count] of builder.notAccepted) {
    warn(`${counted(count, 'document')} left out: "answer" is ${answer}`);
  }
  const { missed = [] } = corpus;
  if (missed.length > 0) {
    const place = placeOf(corpus, missed[0].sentence, 0);
    warn(
      `${counted(missed.length, 'gold chunk')} that no tokens are, so that none can be found; the first: ` +
        new InputError(place, missed[0].reason).message,
    );
  }
  return corpus;
}

/** The format of another tool that `--input-format` names, or that a file whose extension says no other begins like. */
export async function importedFormat(
  options: OptionValues,
  path: string | undefined,
): Promise<ImportName | undefined> {
  const given = options['input-format'];
  if (given !== undefined) return Object.hasOwn(IMPORTS, String(given)) ? (given as ImportName) : undefined;
  if (path === undefined || formatOfExtension(extname(path)) || (await fileSize(path)) === 0)
    return undefined;
  for await (const chunk of readChunks(path, encodingOf(options))) {
    return importNamed(decodeUtf8(chunk.subarray(0, 1 << 16)), extname(path));
  }
  return undefined;
}

/** Reads a file of another tool. */
async function readImported(
  name: ImportName,
  path: string | undefined,
  options: OptionValues,
  builder: UnitCorpusBuilder,
): Promise<Corpus> {
  const encoding = encodingOf(options);
  const { beside, read } = IMPORTS[name];
  if (beside !== undefined && path === undefined) {
    throw new OptionError(
      'input-format',
      `--input-format ${name}: expected a file, beside which FILE${beside} stands`,
    );
  }
  const other = beside === undefined ? undefined : path?.replace(/\.[^./]*$/, '') + beside;
  const file = {
    text: await readText(path, encoding),
    beside: other === undefined ? undefined : await readText(other, encoding),
  };
  const { lines, notes } = read(file, path ?? STANDARD_INPUT);
  for (const note of notes) warn(note);
  builder.push(encodeUtf8(lines.map((line) => `${line}\n`).join('')));
  return builder.finish();
}

/** The model that `--pos-model` names, or that a model says stands beside it; nothing where there is neither. */
export async function posModelOf(options: OptionValues, model: Model): Promise<Model | undefined> {
  const path = posModelFile(options, model);
  return path === undefined ? undefined : loadModelFile(path);
}

/** The file, or bundled model, of {@link posModelOf}. */
export function posModelFile(
  options: OptionValues,
  { posModel }: Pick<Model, 'posModel'>,
): string | undefined {
  if (options['pos-model'] !== undefined) return String(options['pos-model']);
  if (posModel === undefined) return undefined;
  const path = posModelPath(options, posModel);
  return existsSync(path) ? path : undefined;
}

/** Name by which a model refers to the one that adds parts of speech: its file name without the usual extension. */
export function posModelName(path: string): string {
  return basename(path, MODEL_EXTENSION);
}

function posModelPath(options: OptionValues, name: string): string {
  const path = join(dirname(modelPath(String(options.model))), name);
  return existsSync(path + MODEL_EXTENSION) || extname(name) === '' ? path + MODEL_EXTENSION : path;
}

/**
 * The models that label an input which need not have all columns: that of `--model`, before it the one that fills in
 * parts of speech if there is one.
 *
 * @param model that of `--model`.
 * @param wordsOnly whether the input has nothing but words.
 * @throws OptionError where that leaves a column unfilled that the model reads.
 */
export async function pipelineOf(options: OptionValues, model: Model, wordsOnly: boolean): Promise<Pipeline> {
  const tagger = new Tagger(model, decoderOf(options));
  if (tagger.inputColumns.every((name) => name === 'word')) return new Pipeline([tagger]);
  const first = await posModelOf(options, model);
  const pipeline = new Pipeline(first ? [first, tagger] : [tagger]);
  const missing = pipeline.inputColumns.filter((name) => name !== 'word');
  if (missing.length > 0 && (wordsOnly || options['pos-model'] !== undefined)) {
    const fills = first ? `fills the column ${pipeline.earlier[0].labelColumn}` : undefined;
    const named =
      model.posModel === undefined
        ? 'the model names none'
        : `the model names ${model.posModel}, but there is no ${posModelPath(options, model.posModel)}`;
    throw new OptionError(
      'pos-model',
      `${options.model} reads the column ${listNames(missing)}, which the input does not have: expected --pos-model ` +
        `with a model that fills it; ${fills ? `the one given ${fills}` : named}`,
    );
  }
  return pipeline;
}

/** The decoder that `--decoder` and its options name. */
export function decoderOf(options: OptionValues): DecoderChoice {
  const own: Record<string, OptionValue> = {};
  for (const name of DECODER_OPTIONS_BY_NAME.keys())
    if (options[name] !== undefined) own[name] = options[name];
  return {
    decoder: options.decoder === undefined ? undefined : String(options.decoder),
    options: Object.keys(own).length > 0 ? own : undefined,
    bias: biasFrom(options.bias),
  };
}

/** Reads `--bias`: a number for all types, or one each. */
function biasFrom(given: OptionValue | undefined): number | LabelBias | undefined {
  if (given === undefined) return undefined;
  const text = String(given);
  const refuse = (found: string): OptionError =>
    new OptionError('bias', `--bias: expected a number, or TYPE=NUMBER,…, found ${quote(found)}`);
  const numberOf = (part: string) => {
    const value = part.trim() === '' ? Number.NaN : Number(part);
    if (!Number.isFinite(value)) throw refuse(text);
    return value;
  };
  if (!text.includes('=')) return numberOf(text);
  return Object.fromEntries(
    text.split(',').map((part) => {
      const at = part.lastIndexOf('=');
      if (at < 1) throw refuse(part);
      return [part.slice(0, at), numberOf(part.slice(at + 1))];
    }),
  );
}

const NEWLINE = 10;

/**
 * A text file, or standard input.
 *
 * @param onBytes told its bytes as they are in the file.
 * @throws InputError with the place of the first byte that no text has.
 */
export async function readText(
  path: string | undefined,
  encoding?: Encoding,
  onBytes?: BytesListener,
): Promise<string> {
  const source = path ?? STANDARD_INPUT;
  const bytes = await readBytes(path, encoding, onBytes);
  const bad = findBadByte(bytes);
  if (bad) {
    const line = 1 + bytes.subarray(0, bad.at).filter((byte) => byte === NEWLINE).length;
    throw new InputError({ source, line, byte: bad.at }, bad.problem);
  }
  return decodeUtf8(bytes).replace(/^\uFEFF/, '');
}

/**
 * `--templates`: nothing for a set by name, else the set read from a file, or the templates of several sets and files, each
 * once.
 *
 * @param presets gives the templates of the preset, which `default` stands for.
 */
export async function templatesOf(
  value: string,
  columns: readonly string[],
  presets: () => TemplateSet,
): Promise<TemplateSet | undefined> {
  if (Object.hasOwn(TEMPLATE_SETS, value)) return undefined;
  const sets: TemplateSet[] = [];
  for (const part of value.split(',')) {
    if (part === 'default') sets.push(presets());
    else if (Object.hasOwn(TEMPLATE_SETS, part)) sets.push(templateSetByName(part));
    else sets.push(await readTemplateFile(part, columns));
  }
  const byName = new Map(sets.flatMap(({ templates }) => templates.map((own) => [templateName(own), own])));
  for (const note of sets.flatMap(({ notes = [] }) => notes)) warn(`--templates: ${note}`);
  return { name: sets.map(({ name }) => name).join(','), templates: [...byName.values()] };
}

async function readTemplateFile(path: string, columns: readonly string[]): Promise<TemplateSet> {
  try {
    // A model names its templates, but holds no path of the machine it was trained on.
    return { ...readTemplates(await readText(path), path, columns), name: basename(path) };
  } catch (error) {
    if (!(error instanceof SpanwrightError) || error.code !== 'bad-file') throw error;
    const names = ['default', ...Object.keys(TEMPLATE_SETS)].join(', ');
    throw new OptionError('templates', `--templates: expected ${names} or a file; ${error.message}`);
  }
}
