import type { OptionDeclaration } from '../../base/options.js';
import { crossValidate, meanAndDeviation } from '../../evaluate/cross-validation.js';
import { foldRunner } from '../../node/fold-pool.js';
import { blockRunner } from '../../node/thread-pool.js';
import type { ChunkScores } from '../../score/conlleval.js';
import type { Command } from '../command.js';
import { warnOfMissingTypes } from '../data-warnings.js';
import { JSON_OPTION, readLabelled, required, TASK_OPTION, threadsOption } from '../options.js';
import { counted, counter, duration } from '../render.js';
import {
  fillOf,
  INPUT_OPTIONS,
  modelGroups,
  resolveConfiguration,
  STRATIFIED_OPTION,
  TRAIN_OPTION,
  withConfig,
} from '../training-options.js';

const DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  { ...TRAIN_OPTION, help: 'labelled data, all of which is trained on and scored in turn' },
  ...INPUT_OPTIONS,
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'folds',
    kind: 'integer',
    default: 10,
    min: 2,
    help: 'parts of nearly equal size, by sentence; --seed decides which sentence is in which',
  },
  STRATIFIED_OPTION,
  threadsOption('folds under way at a time; no influence on the result'),
  { ...JSON_OPTION, help: 'result as JSON' },
];

const FIGURES = ['accuracy', 'precision', 'recall', 'f1'] as const;

/** `spanwright crossval`. */
export const crossvalCommand: Command = {
  name: 'crossval',
  help: 'cross-validate a configuration: train on all folds but one, score that one, in turn',
  positionals: [],
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
    const corpus = await readLabelled(file, options, configuration, await fillOf(options, configuration));
    const folds = Number(options.folds ?? 10);
    const threads = Number(options.threads ?? 1);
    const started = performance.now();
    const progress = counter(folds, 'fold');
    const [scores] = await crossValidate(corpus, configuration, {
      folds,
      seed: configuration.seed,
      stratified: options.stratified === true,
      runFolds: threads > 1 ? foldRunner(threads) : undefined,
      train: { runBlocks: blockRunner(1) },
      onFold: progress.step,
    });
    progress.end();
    warnOfMissingTypes(scores);
    process.stdout.write(json ? asJson(scores) : asText(scores, performance.now() - started));
  },
};

function asJson(scores: readonly ChunkScores[]): string {
  const pick = (choose: (name: (typeof FIGURES)[number]) => number) =>
    Object.fromEntries(FIGURES.map((name) => [name, choose(name)]));
  const spread = (name: (typeof FIGURES)[number]) => meanAndDeviation(scores.map((score) => score[name]));
  const report = {
    folds: scores.map((score) => ({
      sentences: score.sentences,
      tokens: score.tokens,
      ...pick((name) => score[name]),
    })),
    mean: pick((name) => spread(name).mean),
    deviation: pick((name) => spread(name).deviation),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function asText(scores: readonly ChunkScores[], elapsed: number): string {
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(10)}${cells.map((cell) => cell.padStart(10)).join('')}\n`;
  let text = row('fold', ['sentences', ...FIGURES]);
  scores.forEach((score, fold) => {
    const figures = FIGURES.map((name) => score[name].toFixed(2));
    text += row(String(fold + 1), [String(score.sentences), ...figures]);
  });
  const spreads = FIGURES.map((name) => meanAndDeviation(scores.map((score) => score[name])));
  text += row('mean', ['', ...spreads.map(({ mean }) => mean.toFixed(2))]);
  text += row('deviation', ['', ...spreads.map(({ deviation }) => deviation.toFixed(2))]);
  return `${text}${counted(scores.length, 'fold')} in ${duration(elapsed)}\n`;
}
