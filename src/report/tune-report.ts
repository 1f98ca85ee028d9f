import { checkArgument } from '../base/arguments.js';
import { meanAndDeviation } from '../evaluate/cross-validation.js';
import { type GridAxis, pointText, type Trial } from '../evaluate/grid.js';
import type { ChartPoint, LineChart } from './chart.js';
import type { Report, Table } from './report.js';

/** The combinations that were tried and how they did, the best one named. */
export function trialTable(trials: readonly Trial[], best: Trial): Table {
  const names = Object.keys(best.point);
  return {
    kind: 'table',
    columns: [...names, 'score', ''],
    rows: trials.map((trial) => [
      ...names.map((name) => String(trial.point[name])),
      spread(trial.scores),
      trial === best ? 'best' : '',
    ]),
  };
}

/** The report of a search: a table, and a plot over the first axis of numbers, a line for each combination of the rest. */
export function tuneReport(axes: readonly GridAxis[], trials: readonly Trial[], best: Trial): Report {
  checkArgument('axes', axes, 'axes');
  checkArgument('trials', trials, 'trials');
  checkArgument('best', best, 'object');
  const axis = axes.find(
    ({ values }) => values.length > 1 && values.every((value) => typeof value === 'number'),
  );
  const chart = axis && trialChart(axis, trials);
  return {
    title: 'Search for options',
    blocks: [
      { kind: 'text', text: `Best of ${trials.length}: ${pointText(best.point)}, ${spread(best.scores)}.` },
      ...(chart ? [{ kind: 'chart' as const, chart }] : []),
      trialTable(trials, best),
    ],
  };
}

function trialChart({ name }: GridAxis, trials: readonly Trial[]): LineChart {
  const series = new Map<string, ChartPoint[]>();
  for (const { point, scores } of trials) {
    const { [name]: x, ...rest } = point;
    const line = series.get(pointText(rest)) ?? [];
    series.set(pointText(rest), line);
    const { mean, deviation } = meanAndDeviation(scores);
    line.push({ x: Number(x), y: mean, ...(scores.length > 1 && { deviation }) });
  }
  return {
    kind: 'lines',
    title: `Score by ${name}`,
    x: name,
    y: 'score',
    series: [...series].map(([line, points]) => ({ name: line, points: points.sort((a, b) => a.x - b.x) })),
  };
}

/** `94.47 ± 0.22`, or a single score. */
export function spread(scores: readonly number[]): string {
  const { mean, deviation } = meanAndDeviation(scores);
  return scores.length > 1 ? `${mean.toFixed(2)} ± ${deviation.toFixed(2)}` : mean.toFixed(2);
}
