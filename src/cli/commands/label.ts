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
import { loadModel } from '../../model/model-file.js';
import { fileSize, readBytes, readChunks, STANDARD_INPUT } from '../../node/files.js';
import type { LabelPool } from '../../node/label-pool.js';
import { unknownWordsOf } from '../../systems/found-words.js';
import { JoiningLabeller } from '../../systems/joining-labeller.js';
import { Tagger } from '../../tag/tagger.js';
import { TASKS } from '../../tasks/tasks.js';
import type { OffsetUnit } from '../../text/code-points.js';
import type { Command } from '../command.js';
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
  required,
  threadsOption,
} from '../options.js';
import { isStandardOutput, OUTPUT_OPTION, type Output, openOutput } from '../output.js';
import { counted, warn } from '../render.js';
import { terminalView } from '../terminal-view.js';

const FORMATS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(LABEL_FORMATS).map(([name, { help }]) => [name, help])),
  pretty:
    'for reading: coloured brackets, wrapped; without colours where output is no terminal or NO_COLOR is set',
};

const OPTIONS: readonly OptionDeclaration[] = [
  MODEL_OPTION,
  {
    name: 'text',
    kind: 'flag',
    help: 'input is raw text: short for --input-format text',
  },
  POS_MODEL_OPTION,
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
  help: 'label text with a model; without a file, reads standard input',
  positionals: ['[INPUT]'],
  groups: [
    { heading: 'Options', options: OPTIONS },
    { heading: 'Decoding', options: DECODER_OPTIONS },
  ],
  notes: `Formats:\n${Object.entries(FORMATS)
    .map(([name, help]) => `  ${name.padEnd(11)}${help}`)
    .join(
      '\n',
    )}\n\nExample: echo "The dog barks." | spanwright label --text --model models/english-chunk.safetensors`,
  async run({ options, positionals }) {
    const input = positionals[0];
    const source = required(options, 'model', 'FILE');
    const model = { source, bytes: await readBytes(source) };
    const kind = readModelKind(model.bytes) ?? loadModel(model.bytes, source).configuration;
    const inputFormat = formatOfInput(options, input, kind);
    const how: LabelOptions = {
      source: input ?? STANDARD_INPUT,
      format: formatOfOutput(options, inputFormat, kind),
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
    checkFormat(how.format, kind);
    const prepare = inputFormat === 'columns' ? columnRun : unitRun(inputFormat);
    const run = await prepare(options, how, model, input);
    if (input === undefined && process.stdin.isTTY) {
      process.stderr.write('spanwright: reading from the keyboard; end with Ctrl-D on a line of its own\n');
    }
    const output = await openOutput(options);
    try {
      const { badSentences, firstProblem } = await run(output);
      await output.commit();
      if (badSentences > 0) {
        const verb = how.onError === 'skip' ? 'skipped' : 'kept unlabelled';
        const noun = inputFormat === 'jsonl' ? 'document' : 'sentence';
        warn(`${counted(badSentences, noun)} ${verb}; the first: ${firstProblem}`);
      }
    } catch (error) {
      await output.abandon();
      throw error;
    }
  },
};

/** Does the work once everything is checked. */
type Run = (output: Output) => Promise<{ badSentences: number; firstProblem: string | undefined }>;

/** The bytes of the model. */
interface ModelBytes {
  readonly source: string;
  readonly bytes: Uint8Array;
}

/** Prepares labelling of a column file. */
async function columnRun(
  options: OptionValues,
  how: LabelOptions,
  { source, bytes }: ModelBytes,
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
  const labeller = new ColumnLabeller(new Tagger(loadModel(bytes, source), decoder), how);
  const chunks = () => readChunks(input, encodingOf(options));
  if (!pool) return (output) => labelHere(labeller, chunks(), output);
  return (output) => pool.label(labeller, chunks(), (part) => output.write(part));
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
    { source, bytes }: ModelBytes,
    input: string | undefined,
  ): Promise<Run> => {
    const pipeline = await pipelineOf(options, loadModel(bytes, source), inputFormat === 'text');
    const writesLines = how.format === 'segmented' || how.format === 'tagged';
    const isOfLines = inputFormat === 'text' && writesLines;
    if (options['join-unknown'] === true) {
      if (!isOfLines || how.format !== 'segmented') throw notJoined();
      const joining = new JoiningLabeller(pipeline.last, unknownWordsOf(pipeline.model), how);
      return (output) => labelHere(joining, readChunks(input, encodingOf(options)), output);
    }
    const labeller = isOfLines
      ? new LineLabeller(pipeline.last, how)
      : new UnitLabeller(pipeline, inputFormat, how, options.offsets as OffsetUnit | undefined);
    return (output) => labelHere(labeller, readChunks(input, encodingOf(options)), output);
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
  const format = String(options.format ?? (inputFormat === 'text' ? forText : inputFormat));
  if (format !== 'pretty') return format as LabelFormat;
  return terminalView({
    width: Math.max(20, process.stdout.columns ?? 80),
    // https://no-color.org: any value but the empty one.
    colour: toTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
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

async function labelHere(labeller: Labeller, input: AsyncIterable<Uint8Array>, output: Output) {
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
