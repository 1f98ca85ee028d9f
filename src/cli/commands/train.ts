import { platform, totalmem } from 'node:os';
import { listNames, OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { Sha256 } from '../../base/sha256.js';
import type { Corpus } from '../../data/corpus.js';
import { fitTemperature } from '../../evaluate/fit-temperature.js';
import { fitUnknownWords } from '../../evaluate/fit-unknown-words.js';
import { ACCESSOR_VARIETY_COLUMNS } from '../../features/accessor-variety.js';
import { readsAccessorVariety } from '../../features/derived-columns.js';
import { scoreModel } from '../../label/score-model.js';
import { scoreWords } from '../../label/score-words.js';
import { LEARNERS } from '../../learn/learners.js';
import type { Configuration } from '../../model/configuration.js';
import type { HeldOutScores, Model, UnknownWordThresholds } from '../../model/model.js';
import { saveModel } from '../../model/model-file.js';
import { loadModelFile } from '../../node/corpora.js';
import { openCheckpoint } from '../../node/file-checkpoint.js';
import { AtomicFile } from '../../node/files.js';
import { blockRunner } from '../../node/thread-pool.js';
import { accuracyTable, conllevalTable } from '../../score/conlleval.js';
import { wordTable } from '../../score/word-scores.js';
import { Tagger } from '../../tag/tagger.js';
import { checkTags } from '../../tags/check-tags.js';
import { WITHOUT_POS } from '../../tasks/configure.js';
import { train } from '../../train/train.js';
import type { RawText } from '../../train/train-options.js';
import { STANDARD_STREAM } from '../arguments.js';
import type { Command } from '../command.js';
import { unreadColumns, warnOfSharedSentences, warnOfTypesSeenOnce } from '../data-warnings.js';
import {
  encodingOf,
  JSON_OPTION,
  posModelName,
  readLabelled,
  readText,
  required,
  TASK_OPTION,
  threadsOption,
} from '../options.js';
import { byteSize, counted, duration, progressDisplay, warn } from '../render.js';
import { StateFiles } from '../state-files.js';
import {
  capabilityTable,
  fillOf,
  INPUT_OPTIONS,
  modelGroups,
  resolveConfiguration,
  TRAIN_OPTION,
  withConfig,
} from '../training-options.js';

const DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  TRAIN_OPTION,
  { name: 'model', kind: 'string', placeholder: 'OUT', file: 'written', help: 'file to write the model to' },
  {
    name: 'init',
    advanced: true,
    kind: 'string',
    placeholder: 'MODEL',
    help: 'model to continue from: its features and weights are kept, those of the new data added',
  },
  {
    name: 'dev',
    kind: 'string',
    placeholder: 'FILE',
    file: 'read',
    help: 'held-out data to score the model on',
  },
  {
    name: 'raw-text',
    advanced: true,
    kind: 'string',
    placeholder: 'FILE',
    file: 'read',
    help: 'unlabelled text for accessor variety; a model that has seen its test text here is transductive',
  },
  ...INPUT_OPTIONS,
  {
    name: 'calibrate',
    kind: 'flag',
    help: 'calibrate confidences on a tenth of the data, held out from a second training',
  },
  {
    name: 'join-unknown',
    advanced: true,
    kind: 'flag',
    help: 'segmentation: fit the thresholds for joining unknown words on a tenth of the data, held out from a second training',
  },
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'resume',
    kind: 'flag',
    help: 'save the state of training beside OUT, and continue from it after an interruption',
  },
  threadsOption('training threads; the model is the same for any number'),
  {
    name: 'fit-memory',
    advanced: true,
    kind: 'integer',
    min: 1,
    placeholder: 'MB',
    help: 'raise the cut-off until training a block of problems fits into this; reading and feature extraction need more',
  },
  {
    name: 'max-memory',
    advanced: true,
    kind: 'integer',
    min: 1,
    placeholder: 'MB',
    help: 'refuse to train if that needs more than this beside the data; default the free memory',
  },
  { ...JSON_OPTION, help: 'progress and results as JSON, one object per line' },
];

/** `spanwright train`. */
export const trainCommand: Command = {
  name: 'train',
  help: 'train a model on labelled data',
  positionals: [],
  inThread: true,
  groups: [
    { heading: 'Data', options: DATA_OPTIONS },
    ...modelGroups(),
    { heading: 'Run', options: RUN_OPTIONS },
  ],
  notes: `${capabilityTable()}

Example: spanwright train --task chunking --train train.txt --model chunker.safetensors --dev test.txt`,
  async run({ options: given }) {
    const options = await withConfig(given, trainCommand);
    const task = required(options, 'task', 'NAME');
    const trainFile = required(options, 'train', 'FILE');
    const output = required(options, 'model', 'OUT');
    if (output === STANDARD_STREAM) {
      throw new OptionError(
        'model',
        '--model: expected a file; standard output is for the report of training',
      );
    }
    const configuration = await resolveConfiguration(task, options);
    const target = await AtomicFile.create(output);
    try {
      const started = performance.now();
      const fill = await fillOf(options, configuration);
      const init = options.init === undefined ? undefined : await loadModelFile(String(options.init));
      const corpus = await readLabelled(trainFile, options, configuration, fill);
      const unread = await unreadColumns(trainFile, options, configuration);
      const dev =
        options.dev === undefined
          ? undefined
          : await readLabelled(String(options.dev), options, configuration, fill);
      if (dev) {
        checkTags(dev, configuration.scheme);
        warnOfSharedSentences(corpus, dev, trainFile, String(options.dev));
      }
      const data = { output, corpus, init };
      const { trained, state } = await learnModel(options, configuration, data);
      const elapsed = performance.now() - started;
      const isOfCharacters = configuration.tokens === 'characters';
      const words = dev && isOfCharacters ? scoreWords(new Tagger(trained), dev) : undefined;
      const scores = dev && !isOfCharacters ? scoreModel(new Tagger(trained), dev) : undefined;
      const heldOut = words ?? scores;
      const model: Model = { ...trained, ...(heldOut && { dev: pickScores(heldOut) }) };
      const bytes = saveModel(model);
      await target.write(bytes);
      await target.commit();
      await state?.remove();
      warnOfModel(options, configuration, model, corpus, unread);
      report(options, configuration, { model, bytes: bytes.length, elapsed, words, scores });
    } catch (error) {
      await target.abandon();
      throw error;
    }
  },
};

/** Corpus and model that training starts from, and the file that its own model goes to. */
interface TrainingData {
  readonly output: string;
  readonly corpus: Corpus;
  readonly init: Model | undefined;
}

/** Trains a model and fits what is fitted on held-out data; `state` are the files that training can go on from. */
async function learnModel(
  options: OptionValues,
  configuration: Configuration,
  { output, corpus, init }: TrainingData,
): Promise<{ trained: Model; state: StateFiles | undefined }> {
  const rawText = await rawTextOf(options, configuration);
  const display = progressDisplay(options.json === true);
  const threads = Number(options.threads ?? 1);
  const how = {
    onProgress: display.listener,
    init,
    rawText,
    runBlocks: blockRunner(threads),
    blocksAtOnce: threads,
    fitMemory: megabytesOf(options['fit-memory']),
    maxMemory: megabytesOf(options['max-memory']) ?? freeMemory(),
  };
  const temperature =
    options.calibrate === true ? await fitTemperature(corpus, configuration, how) : undefined;
  const unknownWords =
    options['join-unknown'] === true ? await fitUnknownWords(corpus, configuration, how) : undefined;
  const state =
    options.resume === true
      ? await StateFiles.of(output, configuration, corpus, options, rawText?.sha256)
      : undefined;
  const onNotKept = warnOnce(
    (problem) => `--resume: training goes on, but its state is not kept: ${problem}`,
  );
  const isOfBlocks = LEARNERS[configuration.learner].kind === 'binary';
  const learned = await train(corpus, configuration, {
    ...how,
    checkpoint: state && !isOfBlocks ? openCheckpoint(state.file(0), onNotKept) : undefined,
    runBlocks: blockRunner(threads, state?.file, onNotKept),
  });
  display.end();
  const posModel = options['pos-model'];
  const trained: Model = {
    ...learned,
    ...(posModel !== undefined && { posModel: posModelName(String(posModel)) }),
    ...(temperature !== undefined && { temperature }),
    ...(unknownWords && { unknownWords }),
  };
  return { trained, state };
}

/** Warns of a model that may not be what was wanted. */
function warnOfModel(
  options: OptionValues,
  configuration: Configuration,
  model: Model,
  corpus: Corpus,
  unread: string | undefined,
): void {
  const trainFile = String(options.train);
  if (options.templates === undefined && configuration.templates.name === WITHOUT_POS) {
    warn(
      `--columns ${configuration.columns.join()}: no column is named pos, so features are those of words alone: --templates ${WITHOUT_POS}`,
    );
  }
  if (unread !== undefined) warn(unread);
  warnOfTypesSeenOnce(corpus, configuration.scheme, trainFile);
  const { tags } = model.tagSet;
  if (model.features.size === 0)
    warn(
      `${trainFile}: no feature is frequent enough for cut-off ${model.configuration.cutOff}: the model labels all tokens alike`,
    );
  if (tags.length === 1)
    warn(`${trainFile}: ${tags[0]} is the only label, so it is all that the model can say`);
  const { cutOff } = model.configuration;
  if (cutOff > configuration.cutOff) {
    warn(`--fit-memory ${options['fit-memory']}: the cut-off is ${cutOff}, not ${configuration.cutOff}`);
  }
  const { irregularTags, fileScheme } = model.training;
  if (irregularTags > 0) {
    warn(
      `${trainFile}: ${counted(irregularTags, 'tag')} not as ${fileScheme} has it, read as conlleval does`,
    );
  }
}

/** A trained model, and its scores on held-out data. */
interface Trained {
  readonly model: Model;
  readonly bytes: number;
  readonly elapsed: number;
  readonly words: ReturnType<typeof scoreWords> | undefined;
  readonly scores: ReturnType<typeof scoreModel> | undefined;
}

/** Says what was trained. */
function report(
  options: OptionValues,
  configuration: Configuration,
  { model, bytes, elapsed, words, scores }: Trained,
): void {
  const output = String(options.model);
  const { unknownWords } = model;
  if (options.json === true) {
    const result = {
      kind: 'trained',
      model: output,
      bytes,
      seconds: elapsed / 1000,
      temperature: model.temperature,
      unknownWords,
      dev: model.dev,
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } else {
    process.stdout.write(summary(model, output, bytes, elapsed));
    if (options['join-unknown'] === true) process.stdout.write(joiningText(unknownWords));
    if (words) process.stdout.write(`\n${options.dev}:\n${wordTable(words)}`);
    if (scores) {
      const table = configuration.scheme === 'token' ? accuracyTable(scores) : conllevalTable(scores);
      process.stdout.write(`\n${options.dev}:\n${table}`);
    }
  }
}

/** Warns of the first of several problems alike. */
function warnOnce(describe: (problem: string) => string): (problem: string) => void {
  let warned = false;
  return (problem) => {
    if (!warned) warn(describe(problem));
    warned = true;
  };
}

/** Bytes that the machine has free; macOS does not say what its caches would give back. */
function freeMemory(): number {
  return platform() === 'darwin' ? totalmem() : process.availableMemory();
}

function megabytesOf(value: OptionValues[string] | undefined): number | undefined {
  return value === undefined ? undefined : 1e6 * Number(value);
}

/** The text of `--raw-text`. @throws OptionError where no template reads what would be made of it. */
async function rawTextOf(
  options: OptionValues,
  { templates, columns }: Configuration,
): Promise<RawText | undefined> {
  if (options['raw-text'] === undefined) return undefined;
  if (!readsAccessorVariety(templates, columns)) {
    throw new OptionError(
      'raw-text',
      `--raw-text: expected templates that read ${listNames(ACCESSOR_VARIETY_COLUMNS.columns)}, found ${templates.name}`,
    );
  }
  const hash = new Sha256();
  const text = await readText(String(options['raw-text']), encodingOf(options), (bytes) =>
    hash.update(bytes),
  );
  return { lines: text.split(/\r?\n/).filter((line) => line !== ''), sha256: hash.hex() };
}

function pickScores({ accuracy, precision, recall, f1 }: HeldOutScores): HeldOutScores {
  return { accuracy, precision, recall, f1 };
}

function joiningText(thresholds: UnknownWordThresholds | undefined): string {
  if (thresholds === undefined) return 'joining unknown words gains nothing on held-out data: left out\n';
  const { leastConfidence, leastCount } = thresholds;
  return `unknown words are joined if found ${leastCount} times or more with a confidence of ${leastConfidence} or more\n`;
}

function summary(model: Model, output: string, bytes: number, elapsed: number): string {
  const { training, configuration, tagSet, features, problems, temperature } = model;
  const { learner, strategy, decoder } = configuration;
  const labels = counted(tagSet.tags.length, 'label');
  return (
    `trained on ${counted(training.sentences, 'sentence')} (${counted(training.tokens, 'token')}) in ${duration(elapsed)}: ` +
    `${[learner, strategy, decoder].filter((part) => part !== undefined).join(', ')}; ` +
    `${configuration.scheme} ${configuration.direction}, ` +
    `${strategy === undefined ? labels : `${labels}, ${counted(problems, 'problem')}`}, ` +
    `${counted(features.size, 'feature')}${temperature === undefined ? '' : `; confidences at temperature ${temperature}`}\nwrote ${output} (${byteSize(bytes)})\n`
  );
}
