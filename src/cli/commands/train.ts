import { listNames, OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { Sha256 } from '../../base/sha256.js';
import type { Corpus } from '../../data/corpus.js';
import { ANY_COLUMNS, SKIPPED_COLUMN } from '../../data/corpus.js';
import { fitBias } from '../../evaluate/fit-bias.js';
import { fitTemperature } from '../../evaluate/fit-temperature.js';
import { fitUnknownWords } from '../../evaluate/fit-unknown-words.js';
import { ACCESSOR_VARIETY_COLUMNS } from '../../features/accessor-variety.js';
import { readsAccessorVariety } from '../../features/derived-columns.js';
import type { Resources } from '../../features/resource.js';
import { parseView } from '../../features/views.js';
import { scoreModel } from '../../label/score-model.js';
import { scoreWords } from '../../label/score-words.js';
import { LEARNERS } from '../../learn/learners.js';
import type { Configuration } from '../../model/configuration.js';
import type { HeldOutScores, Model, UnknownWordThresholds } from '../../model/model.js';
import { saveModel } from '../../model/model-file.js';
import { loadModelFile } from '../../node/corpora.js';
import { openCheckpoint } from '../../node/file-checkpoint.js';
import { AtomicFile } from '../../node/files.js';
import { freeMemory } from '../../node/free-memory.js';
import { blockRunner } from '../../node/thread-pool.js';
import { accuracyTable, type ChunkScores, conllevalTable } from '../../score/conlleval.js';
import { type WordScores, wordTable } from '../../score/word-scores.js';
import { trySettings } from '../../systems/choose-settings.js';
import { trainStages } from '../../systems/stages.js';
import { Tagger } from '../../tag/tagger.js';
import { checkTags } from '../../tags/check-tags.js';
import { WITHOUT_POS } from '../../tasks/configure.js';
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
import { byteSize, counted, duration, progressDisplay, say, warn } from '../render.js';
import { RESOURCE_OPTIONS, resourceHash, resourcesOf } from '../resources.js';
import { StateFiles } from '../state-files.js';
import {
  alternativesOf,
  capabilityTable,
  fillOf,
  INPUT_OPTIONS,
  modelGroups,
  TRAIN_OPTION,
  withConfig,
} from '../training-options.js';

const DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  TRAIN_OPTION,
  {
    name: 'model',
    short: 'm',
    kind: 'string',
    placeholder: 'OUT',
    file: 'written',
    help: 'file to write the model to',
  },
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
  ...RESOURCE_OPTIONS,
  ...INPUT_OPTIONS,
  {
    name: 'calibrate',
    kind: 'flag',
    help: 'calibrate confidences on a tenth of the data, held out from a second training',
  },
  {
    name: 'tune-bias',
    kind: 'number',
    above: 0,
    placeholder: 'BETA',
    help: 'give labels of chunks the bias with the highest F-beta in five-fold cross-validation; 1 weighs precision and recall alike, 2 favours recall',
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
    const configurations = await alternativesOf(task, options);
    const target = await AtomicFile.create(output);
    try {
      const started = performance.now();
      const inputs = await readInputs(trainFile, options, configurations[0]);
      const wanted = await choose(configurations, inputs, options);
      const configuration = options.tokenizer === undefined ? withCharacters(wanted, inputs.corpus) : wanted;
      const { model, state } = await trainModel(output, options, configuration, inputs);
      const elapsed = performance.now() - started;
      const scored = scoreHeldOut(model, inputs.dev);
      const kept: Model = { ...model, ...(scored && { dev: pickScores(scored.words ?? scored.scores) }) };
      const bytes = saveModel(kept);
      await target.write(bytes);
      await target.commit();
      await state?.remove();
      if (inputs.unread !== undefined) warn(inputs.unread);
      for (const problem of doubtsAbout(kept, configuration, trainFile, options)) warn(problem);
      warnOfTypesSeenOnce(inputs.corpus, configuration.scheme, trainFile);
      if (options.json === true) {
        const result = {
          kind: 'trained',
          model: output,
          bytes: bytes.length,
          seconds: elapsed / 1000,
          temperature: kept.temperature,
          bias: kept.bias,
          unknownWords: kept.unknownWords,
          dev: kept.dev,
        };
        say(`${JSON.stringify(result)}\n`);
      } else {
        say(summary(kept, output, bytes.length, elapsed));
        if (options['join-unknown'] === true) say(joiningText(kept.unknownWords));
        if (scored) say(`\n${options.dev}:\n${tableOf(scored, configuration)}`);
      }
    } catch (error) {
      await target.abandon();
      throw error;
    }
  },
};

/** The configuration with characters as tokens of raw text, where all words are single characters and some of them not ASCII. */
function withCharacters(configuration: Configuration, corpus: Corpus): Configuration {
  if (configuration.tokens === 'characters' || configuration.tokenizer !== undefined) return configuration;
  const words = corpus.alphabets[corpus.columns.indexOf('word')]?.toArray() ?? [];
  const isOfCharacters = words.every((word) => [...word].length === 1) && words.some((word) => word > '\x7f');
  return isOfCharacters ? { ...configuration, tokenizer: 'characters' } : configuration;
}

/** All that training reads. */
interface TrainInputs {
  readonly corpus: Corpus;
  readonly dev: Corpus | undefined;
  /** Model to go on from. */
  readonly init: Model | undefined;
  readonly rawText: RawText | undefined;
  readonly resources: Resources | undefined;
  /** Warning of columns of the file that are not read. */
  readonly unread: string | undefined;
}

async function readInputs(
  trainFile: string,
  options: OptionValues,
  configuration: Configuration,
): Promise<TrainInputs> {
  const fill = await fillOf(options, configuration);
  const init = options.init === undefined ? undefined : await loadModelFile(String(options.init));
  const corpus = await readLabelled(trainFile, options, configuration, { fill, marks: 'learn' });
  const unread = await unreadColumns(trainFile, options, configuration);
  const dev =
    options.dev === undefined
      ? undefined
      : await readLabelled(String(options.dev), options, configuration, { fill });
  if (dev) {
    checkTags(dev, configuration.scheme);
    warnOfSharedSentences(corpus, dev, trainFile, String(options.dev));
  }
  const resources = await resourcesOf(options);
  return { corpus, dev, init, unread, rawText: await rawTextOf(options, configuration), resources };
}

/** The best of some configurations on held-out data. */
async function choose(
  configurations: readonly Configuration[],
  { corpus, resources }: TrainInputs,
  options: OptionValues,
): Promise<Configuration> {
  if (configurations.length === 1) return configurations[0];
  const runBlocks = blockRunner(Number(options.threads ?? 1));
  const tried = await trySettings(corpus, configurations, { resources, runBlocks });
  const [{ configuration }] = tried;
  if (options.json === true) return configuration;
  const list = tried.map(
    (one) => `${one.configuration.scheme} ${one.configuration.direction} ${one.f1.toFixed(2)}`,
  );
  if (tried.length > 1) say(`F on held-out data: ${list.join(', ')}\n`);
  return configuration;
}

/** Fits what is to be fitted, then trains; the state is what `--resume` keeps beside the output. */
async function trainModel(
  output: string,
  options: OptionValues,
  configuration: Configuration,
  { corpus, init, rawText, resources }: TrainInputs,
): Promise<{ model: Model; state: StateFiles | undefined }> {
  const display = progressDisplay(options.json === true);
  const threads = Number(options.threads ?? 1);
  const how = {
    onProgress: display.listener,
    init,
    rawText,
    resources,
    runBlocks: blockRunner(threads),
    blocksAtOnce: threads,
    fitMemory: megabytesOf(options['fit-memory']),
    maxMemory: megabytesOf(options['max-memory']) ?? freeMemory(),
  };
  const fitted =
    options['tune-bias'] === undefined
      ? undefined
      : await fitBias(corpus, configuration, Number(options['tune-bias']), how);
  const bias = fitted?.bias;
  const temperature =
    options.calibrate === true ? await fitTemperature(corpus, configuration, how, bias) : undefined;
  const unknownWords =
    options['join-unknown'] === true ? await fitUnknownWords(corpus, configuration, how) : undefined;
  const state =
    options.resume === true
      ? await StateFiles.of(
          output,
          configuration,
          corpus,
          options,
          rawText?.sha256 ?? (resources && resourceHash(resources)),
        )
      : undefined;
  const onNotKept = warnOnce(
    (problem) => `--resume: training goes on, but its state is not kept: ${problem}`,
  );
  const isOfBlocks = LEARNERS[configuration.learner].kind === 'binary';
  const trained = await trainStages(corpus, configuration, {
    ...how,
    checkpoint: state && !isOfBlocks ? openCheckpoint(state.file(0), onNotKept) : undefined,
    runBlocks: blockRunner(threads, state?.file, onNotKept),
  });
  display.end();
  const posModel = options['pos-model'];
  if (fitted && options.json !== true) {
    const list = Object.entries(fitted.bias).map(([type, value]) => `${type} ${value}`);
    say(
      `F${options['tune-bias']} in cross-validation ${fitted.before.toFixed(2)}, with bias ${fitted.after.toFixed(2)}: ` +
        `${list.join(', ') || 'none is better'}\n`,
    );
  }
  const model: Model = {
    ...trained,
    ...(posModel !== undefined && { posModel: posModelName(String(posModel)) }),
    ...(temperature !== undefined && { temperature }),
    ...(bias && { bias }),
    ...(unknownWords && { unknownWords }),
  };
  return { model, state };
}

/** Scores on held-out data: of words where tokens are characters, else of chunks or labels. */
type HeldOut = { words: WordScores; scores?: undefined } | { words?: undefined; scores: ChunkScores };

function scoreHeldOut(model: Model, dev: Corpus | undefined): HeldOut | undefined {
  if (dev === undefined) return undefined;
  const tagger = new Tagger(model);
  return model.configuration.tokens === 'characters'
    ? { words: scoreWords(tagger, dev) }
    : { scores: scoreModel(tagger, dev) };
}

function tableOf({ words, scores }: HeldOut, { scheme }: Configuration): string {
  if (words) return wordTable(words);
  return scheme === 'token' ? accuracyTable(scores) : conllevalTable(scores);
}

/** Mean length above which sentences are doubted, in tokens. */
const LONG_SENTENCES = 200;

/** Warnings about a trained model that may not be what was meant. */
function doubtsAbout(
  model: Model,
  { columns, templates, cutOff: wanted }: Configuration,
  trainFile: string,
  options: OptionValues,
): string[] {
  const doubts: string[] = [];
  if (options.templates === undefined && templates.name === WITHOUT_POS) {
    doubts.push(
      `--columns ${columns.join()}: no column is named pos, so features are those of words alone: --templates ${WITHOUT_POS}`,
    );
  }
  const given = options.columns === undefined ? columns : String(options.columns).split(',');
  const renamed = given.find((name, c) => name !== columns[c]);
  if (renamed !== undefined) {
    doubts.push(`--columns: the column ${renamed} holds the words, and is called word in the model`);
  }
  const views = templates.templates.flatMap(({ nodes }) =>
    nodes.flatMap((node) => ('view' in node ? [node.view] : [])),
  );
  const read = new Set(views.map((view) => parseView(view).column));
  const unnamed = [SKIPPED_COLUMN, ANY_COLUMNS];
  const unread = columns.slice(0, -1).filter((name) => !unnamed.includes(name) && !read.has(name));
  if (unread.length > 0) {
    const list = unread.join(', ');
    doubts.push(
      `no template reads the column ${list}: --templates default,FILE adds templates such as ${unread[0]}[0] to those of the preset`,
    );
  }
  if (model.configuration.templates.templates.length < templates.templates.length) {
    doubts.push(
      `${counted(model.tagSet.tags.length, 'label')}: templates that read two labels back are left out, since pairs of more than 254 are not counted`,
    );
  }
  const { cutOff } = model.configuration;
  if (model.features.size === 0) {
    doubts.push(
      `${trainFile}: no feature is frequent enough for cut-off ${cutOff}: the model labels all tokens alike`,
    );
  }
  const { tags } = model.tagSet;
  if (tags.length === 1) {
    doubts.push(`${trainFile}: ${tags[0]} is the only label, so it is all that the model can say`);
  }
  if (cutOff > wanted) {
    doubts.push(`--fit-memory ${options['fit-memory']}: the cut-off is ${cutOff}, not ${wanted}`);
  }
  const { irregularTags, fileScheme, sentences, tokens } = model.training;
  if (tokens > LONG_SENTENCES * sentences) {
    doubts.push(
      `${trainFile}: ${counted(tokens, 'token')} in ${counted(sentences, 'sentence')}: are the blank lines between sentences missing?`,
    );
  }
  if (irregularTags > 0) {
    doubts.push(
      `${trainFile}: ${counted(irregularTags, 'tag')} not as ${fileScheme} has it, read as conlleval does`,
    );
  }
  return doubts;
}

/** Warns of the first of several problems alike. */
function warnOnce(describe: (problem: string) => string): (problem: string) => void {
  let warned = false;
  return (problem) => {
    if (!warned) warn(describe(problem));
    warned = true;
  };
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
