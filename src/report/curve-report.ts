import { checkArgument } from '../base/arguments.js';
import { meanAndDeviation } from '../evaluate/cross-validation.js';
import type { LineChart } from './chart.js';
import type { Block, Report } from './report.js';
import { spread } from './tune-report.js';

/** How a configuration does with a part of the training data. */
export interface CurvePoint {
  /** Percent of the training data. */
  readonly size: number;
  /** Training sentences, on average. */
  readonly sentences: number;
  /** Score of each fold. */
  readonly scores: readonly number[];
}

/** How one configuration does by size of the training data. */
export interface LearningCurve {
  /** Name of the configuration. */
  readonly name: string;
  /** By size, ascending. */
  readonly points: readonly CurvePoint[];
}

/** Learning curves as a table and in one plot, with the deviation over folds. */
export function curveReport(curves: readonly LearningCurve[]): Report {
  checkArgument('curves', curves, 'curves');
  return {
    title: 'Learning curves',
    blocks: curveBlocks(curves),
  };
}

/** A plot of learning curves, and a table. */
export function curveBlocks(curves: readonly LearningCurve[]): Block[] {
  return [
    { kind: 'chart', chart: curveChart(curves) },
    {
      kind: 'table',
      columns: ['configuration', 'percent', 'sentences', 'score'],
      rows: curves.flatMap(({ name, points }) =>
        points.map(({ size, sentences, scores }) => [name, size, sentences, spread(scores)]),
      ),
    },
  ];
}

function curveChart(curves: readonly LearningCurve[]): LineChart {
  return {
    kind: 'lines',
    title: 'Score by size of the training data',
    x: 'training sentences',
    y: 'score',
    series: curves.map(({ name, points }) => ({
      name,
      points: points.map(({ sentences, scores }) => {
        const { mean, deviation } = meanAndDeviation(scores);
        return { x: sentences, y: mean, deviation };
      }),
    })),
  };
}
