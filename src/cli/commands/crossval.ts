import type { OptionDeclaration } from '../../base/options.js';
import { VERSION } from '../../base/version.js';
import {
  crossValidate,
  type FoldScores,
  type MeanAndDeviation,
  meanAndDeviation,
} from '../../evaluate/cross-validation.js';
import { foldRunner } from '../../node/fold-pool.js';
import { freeMemory } from '../../node/free-memory.js';
import { blockRunner } from '../../node/thread-pool.js';
import type { Command } from '../command.js';
import { warnOfMissingTypes } from '../data-warnings.js';
import { JSON_OPTION, readLabelled, required, TASK_OPTION, threadsOption } from '../options.js';
import { counted, counter, duration, say } from '../render.js';
import { RESOURCE_OPTIONS, resourcesOf } from '../resources.js';
import {
  fillOf,
  INPUT_OPTIONS,
  modelGroups,
  ownOptions,
  resolveConfiguration,
  STRATIFIED_OPTION,
  TRAIN_OPTION,
  withConfig,
} from '../training-options.js';

const DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  { ...TRAIN_OPTION, help: 'labelled data' },
  ...RESOURCE_OPTIONS,
  ...INPUT_OPTIONS,
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'folds',
    kind: 'integer',
    default: 10,
    min: 2,
    help: 'number of folds, of nearly equal numbers of sentences drawn by --seed',
  },
  STRATIFIED_OPTION,
  {
    name: 'folds-by',
    kind: 'choice',
    choices: ['sentence', 'document'],
    default: 'sentence',
    help: 'what folds are made of: sentences, or whole documents (--document N sentences where the input marks none)',
  },
  threadsOption('folds under way at a time; no influence on the result'),
  { ...JSON_OPTION, help: 'results as JSON' },
];

const FIGURES = ['accuracy', 'precision', 'recall', 'f1'] as const;
/** Of words, where tokens are characters. */
const WORD_FIGURES = ['oovRate', 'recallOov', 'recallIv'] as const;

/** Figures shown of a fold, by name. */
function figuresOf(scores: FoldScores): Record<string, number> {
  const { words } = scores;
  return Object.fromEntries([
    ...FIGURES.map((name) => [name, scores[name]]),
    ...(words ? WORD_FIGURES.map((name) => [name, words[name] ?? 0]) : []),
  ]);
}

/** `spanwright crossval`. */
export const crossvalCommand: Command = {
  name: 'crossval',
  help: 'cross-validate a configuration',
  positionals: [],
  inThread: true,
  groups: [
    { heading: 'Data', options: DATA_OPTIONS },
    ...modelGroups(),
    { heading: 'Run', options: RUN_OPTIONS },
  ],
  notes: 'Example: spanwright crossval --task chunking --train train.txt --threads 2 --C 0.2',
  async run({ options: given }) {
    const options = await withConfig(given, crossvalCommand);
    const task = required(options, 'task', 'NAME');
    const file = required(options, 'train', 'FILE');
    const json = options.json === true;
    const configuration = await resolveConfiguration(task, options);
    const corpus = await readLabelled(file, options, configuration, {
      fill: await fillOf(options, configuration),
    });
    const folds = Number(options.folds ?? 10);
    const threads = Number(options.threads ?? 1);
    const started = performance.now();
    const progress = counter(folds, 'fold');
    const [scores] = await crossValidate(corpus, configuration, {
      folds,
      seed: configuration.seed,
      stratified: options.stratified === true,
      runFolds: threads > 1 ? foldRunner(threads) : undefined,
      byDocument: options['folds-by'] === 'document',
      train: {
        runBlocks: blockRunner(1),
        resources: await resourcesOf(options),
        maxMemory: freeMemory(threads),
      },
      onFold: progress.step,
    });
    progress.end();
    warnOfMissingTypes(scores);
    // What compare needs to know whether two are of the same folds, and who reads the file, of what they are.
    const made = {
      version: VERSION,
      data: { file, sha256: corpus.sha256 },
      seed: configuration.seed,
      stratified: options.stratified === true,
      options: ownOptions(options),
    };
    say(json ? asJson(scores, made) : asText(scores, performance.now() - started));
  },
};

function asJson(scores: readonly FoldScores[], made: object): string {
  const spreads = Object.entries(spreadsOf(scores));
  const report = {
    ...made,
    folds: scores.map((score) => ({
      sentences: score.sentences,
      tokens: score.tokens,
      ...figuresOf(score),
    })),
    mean: Object.fromEntries(spreads.map(([name, { mean }]) => [name, mean])),
    deviation: Object.fromEntries(spreads.map(([name, { deviation }]) => [name, deviation])),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function asText(scores: readonly FoldScores[], elapsed: number): string {
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(10)}${cells.map((cell) => cell.padStart(10)).join('')}\n`;
  const shown = (figures: readonly number[]) => figures.map((figure) => figure.toFixed(2));
  const spreads = spreadsOf(scores);
  let text = row('fold', ['sentences', ...Object.keys(spreads)]);
  scores.forEach((score, fold) => {
    text += row(String(fold + 1), [String(score.sentences), ...shown(Object.values(figuresOf(score)))]);
  });
  text += row('mean', ['', ...shown(Object.values(spreads).map(({ mean }) => mean))]);
  text += row('deviation', ['', ...shown(Object.values(spreads).map(({ deviation }) => deviation))]);
  return `${text}${counted(scores.length, 'fold')} in ${duration(elapsed)}\n`;
}

/** Mean and deviation of each figure, by name. */
function spreadsOf(scores: readonly FoldScores[]): Record<string, MeanAndDeviation> {
  const folds = scores.map(figuresOf);
  const names = Object.keys(folds[0]);
  return Object.fromEntries(names.map((name) => [name, meanAndDeviation(folds.map((fold) => fold[name]))]));
}
