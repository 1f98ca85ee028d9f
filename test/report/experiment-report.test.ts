import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/evaluate/compare.js';
import { curveReport } from '../../src/report/curve-report.js';
import {
  type CorpusResults,
  experimentReport,
  type SystemResults,
  type TestFigures,
} from '../../src/report/experiment-report.js';
import type { Report } from '../../src/report/report.js';
import { trialTable, tuneReport } from '../../src/report/tune-report.js';

/** Figures that all differ, so that one in the place of another shows. */
function figures(at: number, more: Partial<TestFigures> = {}): TestFigures {
  const rates = { precision: at + 1, recall: at + 2, f1: at + 3 };
  const scores = {
    sentences: 5,
    tokens: 1000,
    gold: 9,
    predicted: 8,
    correct: 7,
    accuracy: at + 4,
    ...rates,
  };
  const types = {
    NP: { gold: 9, predicted: 8, correct: 7, precision: at + 5, recall: at + 6, f1: at + 7 },
    ...(at > 80 && {
      VP: { gold: 0, predicted: 1, correct: 0, precision: at + 8, recall: at + 9, f1: at + 10 },
    }),
  };
  return {
    scores: { ...scores, types } as unknown as TestFigures['scores'],
    trainingSeconds: 12.34,
    routineSeconds: 0.567,
    labellingSeconds: 0.25,
    peakMegabytes: 123.6,
    modelBytes: 4567,
    problems: 22,
    ...more,
  };
}

const system = (name: string, more: Partial<SystemResults>) => ({ name, ...more }) as SystemResults;
const corpus = (more: Partial<CorpusResults>): CorpusResults => ({
  name: 'mine',
  systems: [],
  curves: [],
  comparisons: [],
  ...more,
});

/** A report's blocks: texts, headings, rows of tables, titles of charts. */
const contents = ({ blocks }: Report) =>
  blocks.map((block) => {
    if (block.kind === 'table') return [block.columns, ...block.rows].map((row) => row.join(' | '));
    return block.kind === 'chart' ? `chart: ${block.chart.title}` : block.text;
  });

const comparison = (names: [string, string], difference: number, p: number) =>
  ({
    names,
    randomisation: {
      difference,
      interval: [difference - 1, difference + 1],
      p,
      sign: difference > 0 ? '>' : '<',
    },
    sTest: { p: p / 2, sign: '~' },
    mcNemar: { p: p / 4, sign: '≫' },
  }) as unknown as Comparison;

describe('experimentReport', () => {
  it('tells of test data what was measured, each figure in its column', () => {
    const results = corpus({
      systems: [
        system('one', { test: figures(70) }),
        system('two', { test: figures(81) }),
        system('none', {}),
      ],
    });
    expect(contents(experimentReport('all', [results]))).toEqual([
      'mine: test data',
      [
        'configuration | F | precision | recall | accuracy | training s | reading and writing s | labelling s | tokens/s | memory MB | model kB',
        'one | 73.00 | 71.00 | 72.00 | 74.00 | 12.3 | 0.57 | 0.25 | 4000 | 124 | 5',
        'two | 84.00 | 82.00 | 83.00 | 85.00 | 12.3 | 0.57 | 0.25 | 4000 | 124 | 5',
      ],
      'mine: recall, precision and F by type',
      [
        'type | one | two',
        'NP | 76.00 / 75.00 / 77.00 | 87.00 / 86.00 / 88.00',
        'VP | 0.00 / 0.00 / 0.00 | 90.00 / 89.00 / 91.00',
        'all | 72.00 / 71.00 / 73.00 | 83.00 / 82.00 / 84.00',
      ],
    ]);
    expect(experimentReport('all', [results]).title).toBe('all');
    // Of a single type a table would say nothing new.
    const single = corpus({ systems: [system('one', { test: figures(70) })] });
    expect(contents(experimentReport('all', [single]))).toHaveLength(2);
  });

  it('tells of words, of work and of labels where they were measured', () => {
    const words = {
      f1: 1,
      precision: 2,
      recall: 3,
      oovRate: 4,
      recallOov: 5,
      recallIv: 6,
      tagged: { f1: 7 },
    };
    const test = figures(70, {
      words: words as unknown as NonNullable<TestFigures['words']>,
      trainingCost: 2.888,
      expectedEvaluations: [3.111, 4.222],
      evaluations: 5.333,
      labelShares: { O: [50, 0.12345], 'B-X': [0, 12.345] },
      divergence: { nats: 0.000641, oneSided: ['B-X', 'I-X'] },
    });
    const results = corpus({ systems: [system('one', { test }), system('two', { test: figures(70) })] });
    expect(contents(experimentReport('all', [results])).slice(2)).toEqual([
      'mine: words',
      [
        'configuration | F | precision | recall | OOV % | R_oov | R_iv | F with part of speech',
        'one | 1.00 | 2.00 | 3.00 | 4.00 | 5.00 | 6.00 | 7.00',
        'two |  |  |  |  |  |  | ',
      ],
      'mine: work of the strategies',
      [
        'configuration | problems | training, in N | expected evaluations a token (training labels) | (test labels) | counted',
        'one | 22 | 2.89 | 3.11 | 4.22 | 5.33',
        'two | 22 |  |  |  | ',
      ],
      'mine: labels, in percent of the tokens',
      ['label | training | test', 'O | 50.0 | 0.123', 'B-X | 0 | 12.3'],
      'Weighted Jensen–Shannon divergence of training and test labels (as one has them): 0.00064 nats; B-X, I-X are in one of them only and left out.',
    ]);
  });

  it('tells of cross-validation, warns of test scores far above it, and tests whether scores differ', () => {
    const systems = [
      system('one', { crossValidation: [70, 71], test: figures(70) }),
      system('two', { crossValidation: [81], test: figures(70) }),
      system('three', {}),
    ];
    const anova = { f: 22.2222, between: 9, within: 90, p: 0.02 } as NonNullable<CorpusResults['anova']>;
    const report = (more: Partial<CorpusResults>) =>
      contents(experimentReport('all', [corpus({ systems, ...more })])).slice(2);
    const [heading, table, ...texts] = report({});
    expect(heading).toBe('mine: cross-validation');
    expect(table).toEqual([
      'configuration | score | folds',
      'one | 70.50 ± 0.71 | 70.00 71.00',
      'two | 81.00 | 81.00',
    ]);
    expect(texts).toEqual([
      'one: F on the test data is far above cross-validation; do training and test data share sentences?',
    ]);
    expect(report({ anova }).slice(3)).toEqual([
      'One-way analysis of variance over folds: F(9, 90) = 22.222, p = 0.0200.',
    ]);
  });

  it('compares every two systems, or all with a baseline', () => {
    const systems = ['a', 'b', 'c'].map((name) => system(name, { test: figures(70) }));
    const comparisons = [comparison(['a', 'b'], 2, 0.04), comparison(['b', 'c'], -3, 0.2)];
    const report = (more: Partial<CorpusResults>) =>
      contents(experimentReport('all', [corpus({ systems, comparisons, ...more })])).slice(2);
    expect(report({})).toEqual([
      'mine: does F differ?',
      'Row against column by paired randomisation: ≫ and ≪ at p ≤ 0.01, > and < at p ≤ 0.05, ~ otherwise.',
      [' | b | c', 'a | > (p = 0.0400) | ', 'b |  | < (p = 0.2000)'],
    ]);
    expect(report({ baseline: 'b', comparisons: comparisons.slice(0, 1) })).toEqual([
      'mine: against b',
      'The sign is that of the configuration: ≫ and ≪ at p ≤ 0.01, > and < at p ≤ 0.05, ~ otherwise.',
      [
        'configuration | difference in F | 95 % interval | paired randomisation | s-test | McNemar',
        'a | 2.00 | 1.00 … 3.00 | > (p = 0.0400) | ~ (p = 0.0200) | ≫ (p = 0.0100)',
      ],
    ]);
    expect(report({ comparisons: [] })).toEqual([]);
  });
});

describe('reports of curves and searches', () => {
  const points = [
    { size: 50, sentences: 10, scores: [80, 82] },
    { size: 100, sentences: 20, scores: [90] },
  ];

  it('curveReport has a plot and a table of every point', () => {
    const report = curveReport([{ name: 'one', points }]);
    const [chart, table] = report.blocks;
    expect(contents(report)).toEqual([
      'chart: Score by size of the training data',
      [
        'configuration | percent | sentences | score',
        'one | 50 | 10 | 81.00 ± 1.41',
        'one | 100 | 20 | 90.00',
      ],
    ]);
    expect(table.kind).toBe('table');
    expect(chart.kind === 'chart' && chart.chart.kind === 'lines' && chart.chart.series).toMatchObject([
      {
        name: 'one',
        points: [
          { x: 10, y: 81 },
          { x: 20, y: 90 },
        ],
      },
    ]);
  });

  it('tuneReport has the best, and a plot over the first axis of several numbers', () => {
    const axes = [
      { name: 'decoder', values: ['greedy'] },
      { name: 'seed', values: [1] },
      { name: 'C', values: [0.2, 0.1] },
    ];
    const trials = [
      { point: { decoder: 'greedy', seed: 1, C: 0.2 }, scores: [90, 92] },
      { point: { decoder: 'greedy', seed: 1, C: 0.1 }, scores: [80] },
    ] as Parameters<typeof tuneReport>[1];
    const report = tuneReport(axes as Parameters<typeof tuneReport>[0], trials, trials[0]);
    const [text, plot, table] = contents(report);
    expect(text).toBe('Best of 2: decoder=greedy seed=1 C=0.2, 91.00 ± 1.41.');
    expect(plot).toBe('chart: Score by C');
    expect(table).toEqual([
      'decoder | seed | C | score | ',
      'greedy | 1 | 0.2 | 91.00 ± 1.41 | best',
      'greedy | 1 | 0.1 | 80.00 | ',
    ]);
    const chart = report.blocks[1];
    expect(chart.kind === 'chart' && chart.chart.kind === 'lines' && chart.chart.series).toMatchObject([
      {
        name: 'decoder=greedy seed=1',
        points: [
          { x: 0.1, y: 80 },
          { x: 0.2, y: 91 },
        ],
      },
    ]);
    expect(tuneReport([], trials, trials[0]).blocks.map(({ kind }) => kind)).toEqual(['text', 'table']);
    expect(trialTable(trials, trials[1]).rows.map((row) => row.at(-1))).toEqual(['', 'best']);
  });
});
