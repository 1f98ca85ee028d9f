import { OptionError } from '../../base/errors.js';
import type { OptionDeclaration } from '../../base/options.js';
import { splitFolds } from '../../data/folds.js';
import { strataOf } from '../../evaluate/cross-validation.js';
import { gridPoints, parseGrid, pointText } from '../../evaluate/grid.js';
import { measureCurve } from '../../node/curve.js';
import { openTrace } from '../../node/trace.js';
import { curveReport, type LearningCurve } from '../../report/curve-report.js';
import { reportToText } from '../../report/report.js';
import { CONFIGURATION_OPTIONS, partOptions } from '../../tasks/parts.js';
import type { Command } from '../command.js';
import { fingerprint, readingOf } from '../fingerprint.js';
import { JSON_OPTION, readLabelled, required, threadsOption } from '../options.js';
import { counter, say } from '../render.js';
import { REPORT_OPTION, reportPath, writeReport } from '../report-file.js';
import {
  fillOf,
  HELD_OUT_DATA_OPTIONS,
  modelGroups,
  resolvePoints,
  STRATIFIED_OPTION,
  withConfig,
} from '../training-options.js';

const CURVE_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'sizes',
    kind: 'string',
    placeholder: '10,25,50,100',
    default: '10,20,40,70,100',
    help: 'percentages of the training sentences to train on',
  },
  {
    name: 'grid',
    kind: 'string',
    placeholder: '"decoder=greedy,hybrid"',
    help: 'options and values; one curve for each combination',
  },
  { name: 'folds', kind: 'integer', default: 5, min: 2, help: 'number of folds, each held out in turn' },
  STRATIFIED_OPTION,
  {
    name: 'trace',
    kind: 'string',
    placeholder: 'FILE.jsonl',
    file: 'written',
    help: 'file that collects results; an interrupted run continues from it',
  },
];

const RUN_OPTIONS: readonly OptionDeclaration[] = [
  threadsOption('trainings under way at a time; no influence on the result'),
  { ...JSON_OPTION, help: 'results as JSON' },
  REPORT_OPTION,
];

/** `spanwright curve`. */
export const curveCommand: Command = {
  name: 'curve',
  help: 'measure learning curves: scores by amount of training data',
  positionals: [],
  inThread: true,
  groups: [
    { heading: 'Data', options: HELD_OUT_DATA_OPTIONS },
    { heading: 'Curves', options: CURVE_OPTIONS },
    ...modelGroups('what the grid leaves alone'),
    { heading: 'Run', options: RUN_OPTIONS },
  ],
  notes:
    'Example: spanwright curve --task chunking --train train.txt --grid "decoder=greedy,hybrid" --report curve.svg',
  async run({ options: given }) {
    const options = await withConfig(given, curveCommand);
    const task = required(options, 'task', 'NAME');
    const file = required(options, 'train', 'FILE');
    const report = reportPath(options);
    const sizes = parseSizes(String(options.sizes ?? '10,20,40,70,100'));
    const axes =
      options.grid === undefined
        ? []
        : parseGrid(String(options.grid), [...CONFIGURATION_OPTIONS, ...partOptions()]);
    const points = gridPoints(axes);
    const configurations = await resolvePoints(task, options, points, given);
    const [base] = configurations;
    const corpus = await readLabelled(file, options, base, { fill: await fillOf(options, base) });
    const folds = Number(options.folds ?? 5);
    const stratified = options.stratified === true;
    const split = splitFolds(
      corpus.starts.length - 1,
      folds,
      base.seed,
      stratified ? strataOf(corpus, base.scheme) : undefined,
    );
    const trace = await openTrace(options.trace === undefined ? undefined : String(options.trace), {
      partsOf: 'curve',
      isResult: (value): value is number => typeof value === 'number',
    });
    const reading = await readingOf(file, options, base);
    const progress = counter(points.length * sizes.length * folds, 'training');
    const curves: LearningCurve[] = [];
    for (const [i, configuration] of configurations.entries()) {
      const name = pointText(points[i]) || task;
      const keyOf = (size: number, fold: number) =>
        fingerprint({
          data: [corpus.sha256],
          reading: [reading],
          configuration,
          how: { folds, stratified, seed: base.seed, size, fold },
        });
      curves.push(
        await measureCurve(corpus, configuration, {
          name,
          sizes,
          split,
          threads: Number(options.threads ?? 1),
          known: (size, fold) => trace.known.get(keyOf(size, fold)),
          onResult: ({ size, fold, score }) =>
            trace.add(keyOf(size, fold), `${name} ${size} % fold ${fold + 1}`, score),
          onProgress: progress.step,
        }),
      );
    }
    progress.end();
    const shown = curveReport(curves);
    if (report !== undefined) await writeReport(report, shown);
    say(options.json === true ? `${JSON.stringify({ curves }, null, 2)}\n` : reportToText(shown));
  },
};

/** The percentages of `--sizes`, ascending. */
function parseSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => size > 0 && size <= 100)) return sizes.sort((a, b) => a - b);
  throw new OptionError(
    'sizes',
    `--sizes: expected percentages above 0 to 100 such as 10,50,100, found "${text}"`,
  );
}
