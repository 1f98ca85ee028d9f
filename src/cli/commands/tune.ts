import { OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { encodeUtf8 } from '../../base/utf8.js';
import type { Corpus } from '../../data/corpus.js';
import { splitFolds } from '../../data/folds.js';
import { crossValidate, meanAndDeviation, scoreFold } from '../../evaluate/cross-validation.js';
import { gridPoints, parseGrid, pointText, type Trial } from '../../evaluate/grid.js';
import type { Configuration } from '../../model/configuration.js';
import { writeBytes } from '../../node/files.js';
import { foldRunner } from '../../node/fold-pool.js';
import { freeMemory } from '../../node/free-memory.js';
import { blockRunner } from '../../node/thread-pool.js';
import { joinTrace, openTrace, settleAll, type Trace, type TraceOptions } from '../../node/trace.js';
import { tableToText } from '../../report/report.js';
import { trialTable, tuneReport } from '../../report/tune-report.js';
import { CONFIGURATION_OPTIONS, partOptions } from '../../tasks/parts.js';
import type { Command } from '../command.js';
import { fingerprint, readingOf } from '../fingerprint.js';
import { JSON_OPTION, readLabelled, required, threadsOption } from '../options.js';
import { counted, counter, duration, say } from '../render.js';
import { REPORT_OPTION, reportPath, writeReport } from '../report-file.js';
import {
  fillOf,
  HELD_OUT_DATA_OPTIONS,
  modelGroups,
  ownOptions,
  resolvePoints,
  withConfig,
} from '../training-options.js';

const SEARCH_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'grid',
    kind: 'string',
    placeholder: '"C=0.05,0.1 cut-off=1,2"',
    help: 'options and the values to try, in all combinations',
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
    help: 'score by cross-validation with this many folds; default: train on three quarters of the sentences, score on the rest',
  },
  {
    name: 'trace',
    kind: 'string',
    placeholder: 'FILE.jsonl',
    file: 'written',
    help: 'file that collects results; an interrupted search continues from it',
  },
  {
    name: 'join',
    kind: 'flag',
    help: '--trace names a folder that any number of processes share, on any machines: each does what no other is at',
  },
  {
    name: 'output',
    kind: 'string',
    placeholder: 'CONFIG.json',
    file: 'written',
    help: 'file for the best configuration, for train --config',
  },
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  threadsOption('threads; no influence on the result'),
  { ...JSON_OPTION, help: 'results as JSON' },
  REPORT_OPTION,
];

/** `spanwright tune`. */
export const tuneCommand: Command = {
  name: 'tune',
  help: 'search for good options on held-out parts of the training data',
  positionals: [],
  inThread: true,
  groups: [
    { heading: 'Data', options: HELD_OUT_DATA_OPTIONS },
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
    const report = reportPath(options);
    const seed = Number(options.seed ?? 1);
    const sample = options.sample === undefined ? undefined : { count: Number(options.sample), seed };
    const points = gridPoints(axes, sample);
    const configurations = await resolvePoints(task, options, points, given);
    const [base] = configurations;
    const corpus = await readLabelled(file, options, base, { fill: await fillOf(options, base) });
    const own = ownOptions(options);
    const trace = await openTraceOf(options, { partsOf: 'tune', isResult: areScores });
    const reading = await readingOf(file, options, base);
    const started = performance.now();
    const progress = counter(points.length, 'combination');
    const parts = points.map((point, i) => ({
      key: fingerprint({
        data: [corpus.sha256],
        reading: [reading],
        configuration: configurations[i],
        how: { folds: options.folds ?? null, seed },
      }),
      part: pointText(point),
      make: () => score(corpus, configurations[i], options, seed),
    }));
    const results = await settleAll(trace, parts, progress.step);
    const trials: Trial[] = points.map((point, i) => ({ point, scores: results[i] }));
    progress.end();
    const mean = ({ scores }: Trial) => meanAndDeviation(scores).mean;
    // Of equals the first.
    const best = trials.reduce((top, trial) => (mean(trial) > mean(top) ? trial : top));
    const winner = { ...own, ...best.point };
    if (report !== undefined) await writeReport(report, tuneReport(axes, trials, best));
    if (options.output !== undefined) {
      await writeBytes(String(options.output), encodeUtf8(`${JSON.stringify(winner, null, 2)}\n`));
    }
    say(
      options.json === true
        ? `${JSON.stringify({ trials, best: winner }, null, 2)}\n`
        : `${tableToText(trialTable(trials, best))}${counted(points.length, 'combination')} in ${duration(performance.now() - started)}\n`,
    );
  },
};

/** The trace that `--trace` and `--join` name. */
async function openTraceOf<T>({ trace, join }: OptionValues, how: TraceOptions<T>): Promise<Trace<T>> {
  if (join !== true) return openTrace(trace === undefined ? undefined : String(trace), how);
  if (trace === undefined)
    throw new OptionError('join', '--join: expected --trace DIR, the folder that is shared');
  return joinTrace(String(trace), how);
}

function areScores(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((score) => typeof score === 'number');
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
    const train = { runBlocks: blockRunner(threads), blocksAtOnce: threads, maxMemory: freeMemory() };
    const work = { corpus, configuration, decoders: [{}], train };
    const [scores] = await scoreFold(work, quarter);
    return [scores[figure]];
  }
  const [scores] = await crossValidate(corpus, configuration, {
    folds: Number(options.folds),
    seed,
    runFolds: threads > 1 ? foldRunner(threads) : undefined,
    train: { runBlocks: blockRunner(1), maxMemory: freeMemory(threads) },
  });
  return scores.map((fold) => fold[figure]);
}
