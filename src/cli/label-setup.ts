/** What `label` and jobs share: options, formats, and what makes labellers of them. */
import { OptionError } from '../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../base/options.js';
import type { InputPosition } from '../data/formats/columns.js';
import { INPUT_FORMATS, type InputFormat } from '../data/formats/input-formats.js';
import { LABEL_FORMATS, type LabelFormat, type SentenceWriter } from '../label/formats.js';
import { ColumnLabeller } from '../label/label-columns.js';
import { LineLabeller } from '../label/label-lines.js';
import { UnitLabeller } from '../label/label-units.js';
import { ERROR_POLICIES, type ErrorPolicy, type Labeller, type LabelOptions } from '../label/labeller.js';
import type { Pipeline } from '../label/pipeline.js';
import { WHOLE_RUNS } from '../label/whole-runs.js';
import type { DecoderChoice, Model } from '../model/model.js';
import { loadModel } from '../model/model-file.js';
import { readModelBytes } from '../node/corpora.js';
import { STANDARD_INPUT } from '../node/files.js';
import { unknownWordsOf } from '../systems/found-words.js';
import { JoiningLabeller } from '../systems/joining-labeller.js';
import { Tagger } from '../tag/tagger.js';
import { TASKS } from '../tasks/tasks.js';
import type { OffsetUnit } from '../text/code-points.js';
import { learnAbbreviations } from '../text/learn-abbreviations.js';
import type { SentenceOptions } from '../text/text-scanner.js';
import type { OptionGroup } from './command.js';
import {
  COLUMN_OPTIONS,
  DECODER_OPTIONS,
  decoderOf,
  ENCODING_OPTION,
  encodingOf,
  INPUT_FORMAT_OPTION,
  inputFormatOf,
  layoutOf,
  MODEL_OPTION,
  type ModelKind,
  OFFSETS_OPTION,
  POS_MODEL_OPTION,
  pipelineOf,
  readModelKind,
  readText,
  required,
} from './options.js';
import { isStandardOutput } from './output.js';
import { terminalColumns, usesColour } from './terminal.js';
import { terminalView } from './terminal-view.js';

/** Output formats with their help. */
const FORMATS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(LABEL_FORMATS).map(([name, { help }]) => [name, help])),
  parquet: 'the spans of spans-jsonl as a Parquet table: doc, sentence, start, length, type, confidence',
  pretty: 'for reading: coloured brackets, wrapped; colours as --color says',
};

/** What labels English text where no model is named. */
const ENGLISH_CHUNKER = 'english-chunk';

const OPTIONS: readonly OptionDeclaration[] = [
  { ...MODEL_OPTION, help: `${MODEL_OPTION.help}; default with --text ${ENGLISH_CHUNKER}` },
  {
    name: 'text',
    short: 't',
    kind: 'flag',
    help: 'input is raw text: short for --input-format text',
  },
  POS_MODEL_OPTION,
  {
    name: 'lines',
    kind: 'flag',
    help: 'in raw text a line is a sentence',
  },
  {
    name: 'paragraphs',
    kind: 'flag',
    help: 'in raw text a line is a paragraph: no sentence goes on behind its end; default: behind blank lines and before items of lists',
  },
  {
    name: 'abbreviations',
    advanced: true,
    kind: 'string',
    placeholder: 'FILE',
    file: 'read',
    help: 'unlabelled text that abbreviations are learned from, whose full stops end no sentence (Kiss & Strunk 2006); may be INPUT',
  },
  {
    name: 'format',
    kind: 'choice',
    choices: Object.keys(FORMATS),
    help: 'output format; default the input’s; for text pretty on a terminal, else brackets; for models of characters segmented or tagged',
  },
  {
    name: 'join-unknown',
    advanced: true,
    kind: 'flag',
    help: 'with --text --format segmented: join unknown words that are found elsewhere in INPUT, by the thresholds of train --join-unknown',
  },
  { name: 'confidence', kind: 'flag', help: 'write confidences, 0 to 1' },
  {
    name: 'kbest',
    kind: 'integer',
    min: 1,
    max: 255,
    help: 'write the N best labellings of each sentence with their probabilities (--format json)',
  },
  {
    name: 'keep',
    advanced: true,
    kind: 'choice',
    choices: ['latin,digits', 'latin', 'digits', 'none'],
    default: 'latin,digits',
    help: 'runs of characters that words found in characters do not end inside of; never inside of a grapheme cluster',
  },
  {
    name: 'marginals',
    kind: 'flag',
    help: 'write the probabilities of all tags at each token (--format json)',
  },
  {
    name: 'line-by-line',
    advanced: true,
    kind: 'flag',
    help: 'one line of output for each line of input, each a text of its own: for Spark pipe(), GNU parallel and the like',
  },
  {
    name: 'on-error',
    advanced: true,
    kind: 'choice',
    choices: ERROR_POLICIES,
    default: 'stop',
    help: 'at a sentence or document that cannot be read: stop, skip it, or keep it unlabelled',
  },
  {
    ...INPUT_FORMAT_OPTION,
    choices: Object.keys(INPUT_FORMATS),
    help: 'input format; default by file extension (.jsonl, .conllu), else columns, or text with a model of characters',
  },
  ENCODING_OPTION,
  ...COLUMN_OPTIONS,
  OFFSETS_OPTION,
];

/** Options of `label` that decide what the output is. */
export const LABEL_GROUPS: readonly OptionGroup[] = [
  { heading: 'Options', options: OPTIONS },
  { heading: 'Decoding', options: DECODER_OPTIONS },
];

/** Output formats, for help. */
export const FORMAT_NOTES = `Formats:\n${Object.entries(FORMATS)
  .map(([name, help]) => `  ${name.padEnd(13)}${help}`)
  .join('\n')}`;

/** Place where a labeller begins. */
export interface LabelPlace {
  /** Input; undefined is standard input. */
  readonly input: string | undefined;
  /** Position in it, when it is not the start. */
  readonly from?: InputPosition | undefined;
}

/** Labelling with options that are checked: the model, the formats, and what makes labellers. */
export class LabelSetup {
  /** Options given, with the name of the model. */
  readonly options: OptionValues;
  /** Bytes of the model. */
  readonly bytes: Uint8Array;
  /** Format of all inputs. */
  readonly inputFormat: InputFormat;
  /** Whether the output is a table, made of records in {@link format}. */
  readonly isTable: boolean;
  /** Format of the output. */
  readonly format: LabelFormat | SentenceWriter;
  private readonly sentences: SentenceOptions;
  private model: Model | undefined;
  private ownTagger: Tagger | undefined;
  private pipeline: Pipeline | undefined;

  private constructor(
    options: OptionValues,
    bytes: Uint8Array,
    kind: ModelKind,
    sentences: SentenceOptions,
    inputFormat: InputFormat,
  ) {
    this.options = options;
    this.bytes = bytes;
    this.inputFormat = inputFormat;
    this.sentences = sentences;
    this.isTable = options.format === 'parquet';
    this.format = formatOfOutput(options, this.inputFormat, kind);
    checkFormat(this.format, kind);
  }

  /**
   * Reads the model, and finds out the formats.
   *
   * @param inputs paths; undefined is standard input.
   * @throws OptionError for options that contradict each other.
   */
  static async of(given: OptionValues, inputs: readonly (string | undefined)[]): Promise<LabelSetup> {
    const source = String(
      given.model ?? (given.text === true ? ENGLISH_CHUNKER : required(given, 'model', 'FILE')),
    );
    const bytes = await readModelBytes(source);
    const kind = readModelKind(bytes) ?? loadModel(bytes, source).configuration;
    const options = { ...given, model: source };
    const inputFormat = commonFormat(inputs.map((input) => [input, formatOfInput(options, input, kind)]));
    const sentences = await sentenceOptions(options, inputFormat, kind);
    return new LabelSetup(options, bytes, kind, sentences, inputFormat);
  }

  /** Name of the model. */
  get source(): string {
    return String(this.options.model);
  }

  /** The decoder asked for. */
  get decoder(): DecoderChoice {
    return decoderOf(this.options);
  }

  /** The model, loaded once. */
  load(): Model {
    this.model ??= loadModel(this.bytes, this.source);
    return this.model;
  }

  /** Options of a labeller. */
  at(place: LabelPlace): LabelOptions {
    return { ...labelOptions(this.options, place.input, this.format), ...this.sentences, from: place.from };
  }

  /** What labels column files, made ready once. */
  get tagger(): Tagger {
    this.ownTagger ??= new Tagger(this.load(), this.decoder);
    return this.ownTagger;
  }

  /** @throws OptionError for options that are not for column files. */
  checkColumns(): void {
    const { options } = this;
    if (options['pos-model'] !== undefined) {
      throw new OptionError(
        'pos-model',
        '--pos-model is for inputs without parts of speech: --text, jsonl or conllu; a column file has its own, or gets ' +
          'them by labelling it with the part-of-speech model first',
      );
    }
    if (options['join-unknown'] === true) throw notJoined();
  }

  /** Labeller of a column file. */
  columnLabeller(how: LabelOptions): ColumnLabeller {
    this.checkColumns();
    return new ColumnLabeller(this.tagger, how);
  }

  /** Labeller of an input that is read unit by unit. */
  async unitLabeller(inputFormat: Exclude<InputFormat, 'columns'>, how: LabelOptions): Promise<Labeller> {
    const { options } = this;
    const pipeline = await this.pipelineFor(inputFormat);
    const writesLines = how.format === 'segmented' || how.format === 'tagged';
    const isOfLines = inputFormat === 'text' && writesLines;
    if (options['join-unknown'] === true) {
      if (!isOfLines || how.format !== 'segmented') throw notJoined();
      return new JoiningLabeller(pipeline.last, unknownWordsOf(pipeline.model), how);
    }
    if (isOfLines) return new LineLabeller(pipeline.last, how);
    return new UnitLabeller(pipeline, inputFormat, how, options.offsets as OffsetUnit | undefined);
  }

  /** The models that label inputs of a format, made ready once. */
  async pipelineFor(inputFormat: InputFormat): Promise<Pipeline> {
    this.pipeline ??= await pipelineOf(this.options, this.load(), inputFormat === 'text');
    return this.pipeline;
  }
}

/** What `--lines`, `--paragraphs` and `--abbreviations` say. @throws OptionError where nothing is cut into sentences of English. */
async function sentenceOptions(
  { lines, paragraphs, abbreviations, encoding }: OptionValues,
  format: InputFormat,
  { tokens }: ModelKind,
): Promise<SentenceOptions> {
  const given = Object.entries({ lines, paragraphs, abbreviations }).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  if (given.length > 0 && ((format !== 'text' && format !== 'jsonl') || tokens === 'characters')) {
    throw new OptionError(given[0], `--${given[0]}: expected raw text of words (--text, or jsonl)`);
  }
  if (lines === true && paragraphs === true) {
    throw new OptionError('lines', '--lines and --paragraphs contradict each other');
  }
  return {
    layout: lines === true ? 'lines' : paragraphs === true ? 'paragraphs' : 'text',
    ...(abbreviations !== undefined && {
      abbreviations: learnAbbreviations(await readText(String(abbreviations), encodingOf({ encoding }))),
    }),
  };
}

/** The format of all inputs. @throws OptionError where they have several, which one output cannot have. */
function commonFormat(inputs: readonly (readonly [string | undefined, InputFormat])[]): InputFormat {
  const [[first, format]] = inputs;
  const other = inputs.find(([, own]) => own !== format);
  if (other === undefined) return format;
  throw new OptionError(
    'input-format',
    `expected inputs of one format, found ${format} (${first ?? STANDARD_INPUT}) and ${other[1]} ` +
      `(${other[0] ?? STANDARD_INPUT}); --input-format names one for all`,
  );
}

function labelOptions(
  options: OptionValues,
  input: string | undefined,
  format: LabelFormat | SentenceWriter,
): LabelOptions {
  return {
    source: input ?? STANDARD_INPUT,
    format,
    confidence: options.confidence === true,
    kbest: options.kbest as number | undefined,
    marginals: options.marginals === true,
    wholeRuns: WHOLE_RUNS.filter((run) =>
      String(options.keep ?? WHOLE_RUNS)
        .split(',')
        .includes(run),
    ),
    onError: (options['on-error'] ?? 'stop') as ErrorPolicy,
    lineByLine: options['line-by-line'] === true,
    ...layoutOf(options),
  };
}

function notJoined(): OptionError {
  return new OptionError(
    'join-unknown',
    '--join-unknown: expected --text --format segmented and a model of characters',
  );
}

/** The input's format: given, by the file's extension, or for models of characters raw text, else columns. */
function formatOfInput(options: OptionValues, input: string | undefined, { tokens }: ModelKind): InputFormat {
  if (options.text !== true) {
    const format = inputFormatOf(options, input);
    return options['input-format'] === undefined && format === 'columns' && tokens === 'characters'
      ? 'text'
      : format;
  }
  if (options['input-format'] !== undefined && options['input-format'] !== 'text') {
    throw new OptionError(
      'text',
      `--text and --input-format ${options['input-format']} contradict each other`,
    );
  }
  return 'text';
}

function formatOfOutput(
  options: OptionValues,
  inputFormat: InputFormat,
  { task, tokens }: ModelKind,
): LabelFormat | SentenceWriter {
  const toTerminal = isStandardOutput(options.output) && process.stdout.isTTY;
  // What training read; it has no place for confidences, nor do labels of single characters part a text.
  const asTrained = tokens === 'characters' && options.confidence !== true && TASKS[task]?.inputFormat;
  const forText = asTrained || (toTerminal ? 'pretty' : 'brackets');
  const own = Object.hasOwn(LABEL_FORMATS, inputFormat) ? inputFormat : 'columns';
  const format = String(options.format ?? (inputFormat === 'text' ? forText : own));
  if (format === 'parquet') return 'spans-jsonl';
  if (format !== 'pretty') return format as LabelFormat;
  return terminalView({
    width: terminalColumns(),
    colour: usesColour(options.color, toTerminal),
  });
}

/** @throws OptionError for a format that writes nothing but chunks, where a model leaves tokens out of them. */
function checkFormat(format: LabelFormat | SentenceWriter, { tokens }: ModelKind): void {
  if ((format !== 'segmented' && format !== 'tagged') || tokens === 'characters') return;
  throw new OptionError(
    'format',
    `--format ${format}: expected a model of characters, all of which are in words; tokens outside chunks would be lost`,
  );
}
