import { OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { INPUT_FORMATS, type InputFormat } from '../../data/formats/input-formats.js';
import type { RegionWork } from '../../jobs/label-region.js';
import { LABEL_FORMATS, type LabelFormat, type SentenceWriter } from '../../label/formats.js';
import { ColumnLabeller } from '../../label/label-columns.js';
import { LineLabeller } from '../../label/label-lines.js';
import { UnitLabeller } from '../../label/label-units.js';
import { ERROR_POLICIES, type ErrorPolicy, type Labeller, type LabelOptions } from '../../label/labeller.js';
import { WHOLE_RUNS } from '../../label/whole-runs.js';
import type { Model } from '../../model/model.js';
import { loadModel } from '../../model/model-file.js';
import { readModelBytes } from '../../node/corpora.js';
import { fileSize, readChunks, STANDARD_INPUT } from '../../node/files.js';
import type { LabelPool } from '../../node/label-pool.js';
import { unknownWordsOf } from '../../systems/found-words.js';
import { JoiningLabeller } from '../../systems/joining-labeller.js';
import { Tagger } from '../../tag/tagger.js';
import { TASKS } from '../../tasks/tasks.js';
import type { OffsetUnit } from '../../text/code-points.js';
import { learnAbbreviations } from '../../text/learn-abbreviations.js';
import type { SentenceOptions } from '../../text/text-scanner.js';
import { STANDARD_STREAM } from '../arguments.js';
import type { Command } from '../command.js';
import { JoinedOutput, LabelProgress } from '../label-output.js';
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
  threadsOption,
} from '../options.js';
import { isStandardOutput, OUTPUT_OPTION, openOutput } from '../output.js';
import { counted, warn } from '../render.js';
import { showsProgress, terminalColumns, usesColour } from '../terminal.js';
import { terminalView } from '../terminal-view.js';

const FORMATS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(LABEL_FORMATS).map(([name, { help }]) => [name, help])),
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
  OUTPUT_OPTION,
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
  threadsOption(
    'threads for column files; worth it from some 20 MB on; the output is the same for any number',
  ),
];

/** `spanwright label`. */
export const labelCommand: Command = {
  name: 'label',
  help: 'label text with a model; several inputs give one output; without any, reads standard input',
  positionals: ['[INPUT]', '[...]'],
  inThread: async ({ options, positionals }) =>
    !isStandardOutput(options.output) || (await isLarge(options, positionals)),
  groups: [
    { heading: 'Options', options: OPTIONS },
    { heading: 'Decoding', options: DECODER_OPTIONS },
  ],
  notes: `Formats:\n${Object.entries(FORMATS)
    .map(([name, help]) => `  ${name.padEnd(11)}${help}`)
    .join('\n')}\n\nExample: echo "The dog barks." | spanwright label --text`,
  async run({ options: given, positionals }) {
    const source = String(
      given.model ?? (given.text === true ? ENGLISH_CHUNKER : required(given, 'model', 'FILE')),
    );
    const options: OptionValues = { ...given, model: source };
    const bytes = await readModelBytes(source);
    const kind = readModelKind(bytes) ?? loadModel(bytes, source).configuration;
    const inputs = positionals.length === 0 ? [undefined] : positionals.map(inputNamed);
    const inputFormat = commonFormat(inputs.map((input) => [input, formatOfInput(options, input, kind)]));
    const format = formatOfOutput(options, inputFormat, kind);
    checkFormat(format, kind);
    const prepare = inputFormat === 'columns' ? columnRun : unitRun(inputFormat);
    const model: GivenModel = { source, bytes, load: () => (loaded ??= loadModel(bytes, source)) };
    let loaded: Model | undefined;
    const how = await sentenceOptions(options, inputFormat, kind);
    const prepareInput = (input: string | undefined) =>
      prepare(options, { ...labelOptions(options, input, format), ...how }, model, input);
    // What is wrong with the call is said before anything is written.
    let run = await prepareInput(inputs[0]);
    if (inputs[0] === undefined && process.stdin.isTTY) {
      process.stderr.write('spanwright: reading from the keyboard; end with Ctrl-D on a line of its own\n');
    }
    const output = new JoinedOutput(await openOutput(options), format);
    const progress = new LabelProgress(
      showsProgress() && !(isStandardOutput(options.output) && process.stdout.isTTY),
    );
    try {
      for (const [i, input] of inputs.entries()) {
        if (i > 0) run = await prepareInput(input);
        await output.next();
        await progress.next(input);
        const { badSentences, firstProblem } = await run(output, progress);
        progress.end();
        if (badSentences === 0) continue;
        const verb = options['on-error'] === 'skip' ? 'skipped' : 'kept unlabelled';
        const noun = inputFormat === 'jsonl' ? 'document' : 'sentence';
        warn(`${counted(badSentences, noun)} ${verb}; the first: ${firstProblem}`);
      }
      await output.commit();
      progress.summarise();
    } catch (error) {
      progress.end();
      await output.abandon();
      throw error;
    }
  },
};

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

/** Bytes of documents from which on starting a thread is little beside labelling them. */
const MANY_BYTES = 1e6;

/** Whether one of the inputs may ask for much memory at once: a large one that is not read line by line. */
async function isLarge(options: OptionValues, inputs: readonly string[]): Promise<boolean> {
  const isOfDocuments = (input: string) =>
    options.text === true || inputFormatOf(options, input) !== 'columns';
  const sizes = await Promise.all(inputs.filter(isOfDocuments).map(fileSize));
  return sizes.some((size) => size > MANY_BYTES);
}

/** Does the work once everything is checked. */
type Run = (
  output: JoinedOutput,
  progress: LabelProgress,
) => Promise<{ badSentences: number; firstProblem: string | undefined }>;

/** The model that labels. */
interface GivenModel {
  readonly source: string;
  readonly bytes: Uint8Array;
  /** Loads it, once for all inputs. */
  load(): Model;
}

/** Path of an input; - is standard input. */
function inputNamed(positional: string): string | undefined {
  return positional === STANDARD_STREAM ? undefined : positional;
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
    ...layoutOf(options),
  };
}

/** Prepares labelling of a column file. */
async function columnRun(
  options: OptionValues,
  how: LabelOptions,
  { source, bytes, load }: GivenModel,
  input: string | undefined,
): Promise<Run> {
  if (options['pos-model'] !== undefined) {
    throw new OptionError(
      'pos-model',
      '--pos-model is for inputs without parts of speech: --text, jsonl or conllu; a column file has its own, or gets ' +
        'them by labelling it with the part-of-speech model first',
    );
  }
  if (options['join-unknown'] === true) throw notJoined();
  const decoder = decoderOf(options);
  const threads = Number(options.threads ?? 1);
  if (threads > 1 && typeof how.format === 'function') {
    throw new OptionError('threads', '--threads: expected 1 with --format pretty');
  }
  const pool =
    threads > 1
      ? await labelPool(threads, { model: bytes, modelSource: source, decoder, options: how }, input)
      : undefined;
  const labeller = new ColumnLabeller(new Tagger(load(), decoder), how);
  const chunks = () => readChunks(input, encodingOf(options));
  if (!pool) return (output, progress) => labelHere(labeller, progress.watch(chunks(), labeller), output);
  return (output, progress) => pool.label(labeller, progress.watch(chunks()), (part) => output.write(part));
}

/** Threads for an input, started before this one reads the model if the input is known to be large. */
async function labelPool(threads: number, data: RegionWork, input: string | undefined): Promise<LabelPool> {
  const { LabelPool } = await import('../../node/label-pool.js');
  const pool = new LabelPool(threads, data);
  if (input !== undefined && LabelPool.isWorthThreads(await fileSize(input))) pool.start();
  return pool;
}

/** Prepares labelling of an input that is read unit by unit. */
function unitRun(inputFormat: Exclude<InputFormat, 'columns'>) {
  return async (
    options: OptionValues,
    how: LabelOptions,
    { load }: GivenModel,
    input: string | undefined,
  ): Promise<Run> => {
    const pipeline = await pipelineOf(options, load(), inputFormat === 'text');
    const writesLines = how.format === 'segmented' || how.format === 'tagged';
    const isOfLines = inputFormat === 'text' && writesLines;
    const labeller = options['join-unknown'] === true ? joining() : isOfLines ? lines() : units();
    return (output, progress) =>
      labelHere(labeller, progress.watch(readChunks(input, encodingOf(options)), labeller), output);

    function joining(): Labeller {
      if (!isOfLines || how.format !== 'segmented') throw notJoined();
      return new JoiningLabeller(pipeline.last, unknownWordsOf(pipeline.model), how);
    }
    function lines(): Labeller {
      return new LineLabeller(pipeline.last, how);
    }
    function units(): Labeller {
      return new UnitLabeller(pipeline, inputFormat, how, options.offsets as OffsetUnit | undefined);
    }
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

async function labelHere(labeller: Labeller, input: AsyncIterable<Uint8Array>, output: JoinedOutput) {
  // What one chunk gave is written while the next is labelled.
  let written = Promise.resolve();
  const write = async (bytes: Uint8Array) => {
    await written;
    written = output.write(bytes);
    // It may fail before it is waited for.
    written.catch(() => undefined);
  };
  for await (const chunk of input) {
    await write(labeller.push(chunk));
    if (labeller.stopped) break;
  }
  if (!labeller.stopped) await write(labeller.finish());
  await written;
  if (labeller.stopped) throw labeller.stopped;
  return { badSentences: labeller.badSentences, firstProblem: labeller.firstProblem?.message };
}
