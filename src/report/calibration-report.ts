import { checkArgument } from '../base/arguments.js';
import type { Calibration } from '../evaluate/calibration.js';
import type { ModelCalibration } from '../evaluate/measure-calibration.js';
import type { LineChart } from './chart.js';
import type { Report } from './report.js';

/** A reliability diagram, expected calibration errors, and the numbers behind the diagram. */
export function calibrationReport(calibration: ModelCalibration): Report {
  checkArgument('calibration', calibration, 'calibration');
  const { tokens, chunks } = calibration;
  const kinds = Object.entries({ tokens, ...(chunks && { chunks }) });
  return {
    title: 'Calibration of confidences',
    blocks: [
      {
        kind: 'table',
        columns: ['of', 'count', 'mean confidence', 'right', 'expected calibration error'],
        rows: kinds.map(([name, one]) => [
          name,
          one.count,
          percent(one.confidence),
          percent(one.accuracy),
          percent(one.expectedError),
        ]),
      },
      { kind: 'chart', chart: reliabilityDiagram(kinds) },
      { kind: 'heading', text: 'By confidence' },
      {
        kind: 'table',
        columns: ['of', 'from', 'to', 'count', 'mean confidence', 'right'],
        rows: kinds.flatMap(([name, { bins }]) =>
          bins.map(({ from, to, count, confidence, accuracy }) => [
            name,
            percent(from),
            percent(to),
            count,
            percent(confidence),
            percent(accuracy),
          ]),
        ),
      },
    ],
  };
}

/** Plot of accuracy by confidence; error bars are standard errors. */
function reliabilityDiagram(kinds: readonly (readonly [string, Calibration])[]): LineChart {
  return {
    kind: 'lines',
    title: 'Reliability diagram',
    x: 'confidence',
    y: 'share that is right',
    series: [
      ...kinds.map(([name, { bins }]) => ({
        name,
        points: bins.map(({ confidence, accuracy, count }) => ({
          x: confidence,
          y: accuracy,
          deviation: Math.sqrt((accuracy * (1 - accuracy)) / count),
        })),
      })),
      {
        name: 'as it should be',
        points: [
          { x: 0, y: 0 },
          { x: 1, y: 1 },
        ],
      },
    ],
  };
}

/** A share in percent. */
function percent(share: number): string {
  return (100 * share).toFixed(2);
}
