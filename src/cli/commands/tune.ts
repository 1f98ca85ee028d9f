import { appendFile, readFile } from 'node:fs/promises';
import { InputError, OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { encodeUtf8 } from '../../base/utf8.js';
import type { Corpus } from '../../data/corpus.js';
import { crossValidate, meanAndDeviation, scoreFold, splitFolds } from '../../evaluate/cross-validation.js';
import { gridPoints, parseGrid, pointText } from '../../evaluate/grid.js';
import { CONFIGURATION_OPTIONS, type Configuration, partOptions } from '../../model/configuration.js';
import { writeBytes } from '../../node/files.js';
import { foldRunner } from '../../node/fold-pool.js';
import { blockRunner } from '../../node/thread-pool.js';
import type { Command } from '../command.js';
import { JSON_OPTION, readLabelled, required, TASK_OPTION, threadsOption } from '../options.js';
import { counted, duration } from '../render.js';
import {
  fillOf,
  INPUT_OPTIONS,
  modelGroups,
  resolveConfiguration,
  TRAIN_OPTION,
  withConfig,
} from '../training-options.js';

const DATA_OPTIONS: readonly OptionDeclaration[] = [
  TASK_OPTION,
  { ...TRAIN_OPTION, help: 'labelled data, parts of which are held out to score on' },
  ...INPUT_OPTIONS,
];

const SEARCH_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'grid',
    kind: 'string',
    placeholder: '"C=0.05,0.1 cut-off=1,2"',
    help: 'options of the model and the values to try; all combinations are',
  },
  {
    name: 'sample',
    kind: 'integer',
    min: 1,
    placeholder: 'N',
    help: 'try only N combinations, drawn at random',
  },
  {
    name: 'folds',
    kind: 'integer',
    min: 2,
    help: 'score by cross-validation; default: train on three quarters of the sentences, score on one',
  },
  {
    name: 'trace',
    kind: 'string',
    placeholder: 'FILE.jsonl',
    help: 'file that results are added to as they come; a search that was stopped goes on from it',
  },
  {
    name: 'output',
    kind: 'string',
    placeholder: 'CONFIG.json',
    help: 'file for the best configuration, which train --config takes',
  },
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  threadsOption('threads; no influence on the result'),
  { ...JSON_OPTION, help: 'result as JSON' },
];

/** What a configuration file for training may hold of the options given. */
const CONFIG_NAMES = [
  'task',
  'columns',
  'preset',
  ...[...CONFIGURATION_OPTIONS, ...partOptions()].map(({ name }) => name),
];

/** A combination and how it did. */
interface Trial {
  readonly point: OptionValues;
  /** F of each fold, or of the held-out quarter; of labels of single tokens, accuracy. */
  readonly scores: readonly number[];
}

/** `spanwright tune`. */
export const tuneCommand: Command = {
  name: 'tune',
  help: 'search for good options by scoring on parts of the training data that are held out',
  positionals: [],
  groups: [
    { heading: 'Data', options: DATA_OPTIONS },
    { heading: 'Search', options: SEARCH_OPTIONS },
    ...modelGroups('what the grid leaves alone'),
    { heading: 'Run', options: RUN_OPTIONS },
  ],
  notes:
    'Example: spanwright tune --task chunking --train train.txt --grid "C=0.05,0.1,0.2 cut-off=1,2" --threads 2',
  async run({ options: given }) {
    const options = await withConfig(given, tuneCommand);
    const task = required(options, 'task', 'NAME');
    const file = required(options, 'train', 'FILE');
    const axes = parseGrid(required(options, 'grid', '"C=0.05,0.1"'), [
      ...CONFIGURATION_OPTIONS,
      ...partOptions(),
    ]);
    const doubled = axes.find(({ name }) => given[name] !== undefined);
    if (doubled) throw new OptionError('grid', `--grid and --${doubled.name} contradict each other`);
    const seed = Number(options.seed ?? 1);
    const sample = options.sample === undefined ? undefined : { count: Number(options.sample), seed };
    const points = gridPoints(axes, sample);
    // All of them now: none that does not go together is to come up after an hour.
    const configurations: Configuration[] = [];
    for (const point of points) configurations.push(await resolvePoint(task, options, point));
    const [base] = configurations;
    const corpus = await readLabelled(file, options, base, await fillOf(options, base));
    const own = Object.fromEntries(
      CONFIG_NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
    );
    const trace = await openTrace(options, {
      sha256: corpus.sha256,
      folds: options.folds ?? 0,
      seed,
      options: own,
    });
    const started = performance.now();
    const trials: Trial[] = [];
    for (const [i, point] of points.entries()) {
      const known = trace.known.get(pointText(point));
      const scores = known ?? (await score(corpus, configurations[i], options, seed));
      if (known === undefined) await trace.add({ point, scores });
      trials.push({ point, scores });
      if (process.stderr.isTTY)
        process.stderr.write(`\r\x1b[K${i + 1} of ${counted(points.length, 'combination')}`);
    }
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const mean = ({ scores }: Trial) => meanAndDeviation(scores).mean;
    // Of equals the first.
    const best = trials.reduce((top, trial) => (mean(trial) > mean(top) ? trial : top));
    const winner = { ...own, ...best.point };
    if (options.output !== undefined) {
      await writeBytes(String(options.output), encodeUtf8(`${JSON.stringify(winner, null, 2)}\n`));
    }
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ trials, best: winner }, null, 2)}\n`
        : asText(trials, best, performance.now() - started),
    );
  },
};

async function resolvePoint(
  task: string,
  options: OptionValues,
  point: OptionValues,
): Promise<Configuration> {
  try {
    return await resolveConfiguration(task, { ...options, ...point });
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new OptionError('grid', `--grid: ${pointText(point)}: ${error.message}`);
  }
}

async function score(
  corpus: Corpus,
  configuration: Configuration,
  options: OptionValues,
  seed: number,
): Promise<number[]> {
  const threads = Number(options.threads ?? 1);
  const figure = configuration.scheme === 'token' ? 'accuracy' : 'f1';
  if (options.folds === undefined) {
    const [quarter] = splitFolds(corpus.starts.length - 1, 4, seed);
    const work = { corpus, configuration, decoders: [{}], train: { runBlocks: blockRunner(threads) } };
    const [scores] = await scoreFold(work, quarter);
    return [scores[figure]];
  }
  const [scores] = await crossValidate(corpus, configuration, {
    folds: Number(options.folds),
    seed,
    runFolds: threads > 1 ? foldRunner(threads) : undefined,
    train: { runBlocks: blockRunner(1) },
  });
  return scores.map((fold) => fold[figure]);
}

/** Results so far, and where more go. */
interface Trace {
  readonly known: ReadonlyMap<string, readonly number[]>;
  readonly add: (trial: Trial) => Promise<void>;
}

/** Opens the trace: a line that says what is searched, then a line a result. A last line cut short does not count. */
async function openTrace(options: OptionValues, search: object): Promise<Trace> {
  const known = new Map<string, readonly number[]>();
  if (options.trace === undefined) return { known, add: async () => undefined };
  const path = String(options.trace);
  const head = JSON.stringify(search);
  let text = '';
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  if (lines.length > 0 && lines[0] !== head) {
    const problem = 'expected the trace of this search, found one of other data or options';
    throw new InputError({ source: path, line: 1 }, problem);
  }
  for (const [i, line] of lines.slice(1).entries()) {
    try {
      const { point, scores } = JSON.parse(line) as Trial;
      known.set(pointText(point), scores);
    } catch {
      throw new InputError({ source: path, line: i + 2 }, 'expected a result of tune');
    }
  }
  await writeBytes(path, encodeUtf8([head, ...lines.slice(1)].map((line) => `${line}\n`).join('')));
  return { known, add: (trial) => appendFile(path, `${JSON.stringify(trial)}\n`) };
}

function asText(trials: readonly Trial[], best: Trial, elapsed: number): string {
  const names = Object.keys(best.point);
  const rows = trials.map((trial) => {
    const { mean, deviation } = meanAndDeviation(trial.scores);
    const spread = trial.scores.length > 1 ? `${mean.toFixed(2)} ± ${deviation.toFixed(2)}` : mean.toFixed(2);
    return [...names.map((name) => String(trial.point[name])), spread, trial === best ? 'best' : ''];
  });
  const table = [[...names, 'score', ''], ...rows];
  const widths = table[0].map((_, c) => Math.max(...table.map((row) => row[c].length)));
  const lines = table.map((row) =>
    row
      .map((cell, c) => cell.padEnd(widths[c]))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n${counted(trials.length, 'combination')} in ${duration(elapsed)}\n`;
}
