import type { Comparison } from '../evaluate/compare.js';
import { farAbove } from '../evaluate/data-checks.js';
import type { LabelDivergence } from '../evaluate/label-divergence.js';
import type { AnovaResult } from '../evaluate/significance.js';
import type { Configuration } from '../model/configuration.js';
import type { ChunkScoresJson } from '../score/conlleval.js';
import type { WordScores } from '../score/word-scores.js';
import { curveBlocks, type LearningCurve } from './curve-report.js';
import { showP } from './p-value.js';
import type { Block, Cell, Report, Table } from './report.js';
import { spread } from './tune-report.js';

/** Figures of one test, as far as reports show them. */
export interface TestFigures {
  /** Scores on the test data. */
  readonly scores: ChunkScoresJson;
  /** Scores of words, where tokens are characters. */
  readonly words?: WordScores;
  /** Seconds to extract features and to train. */
  readonly trainingSeconds: number;
  /** Seconds to read the test file and to write its labels: what Wu et al. (2008) call routine, but for making features. */
  readonly routineSeconds: number;
  /** Seconds to label the test data once: to make features, to add their weights and to decide. */
  readonly labellingSeconds: number;
  /** Most memory, in megabytes. */
  readonly peakMegabytes: number;
  /** Bytes of the model file. */
  readonly modelBytes: number;
  /** Number of binary problems, or of labels. */
  readonly problems: number;
  /** Examples that all problems see together, as a multiple of the number of examples; of strategies only. */
  readonly trainingCost?: number;
  /** Problems that decisions would look at per token if all were right, by the labels of either data; of strategies only. */
  readonly expectedEvaluations?: readonly [training: number, test: number];
  /** Problems that a decision looked at, per token; of greedy decoding only. */
  readonly evaluations?: number;
  /** Share of each label, in percent of the tokens, in training and test data. */
  readonly labelShares?: Readonly<Record<string, readonly [training: number, test: number]>>;
  /** How far labels of training and test data are apart. */
  readonly divergence?: LabelDivergence;
}

/** Measurements of one configuration. */
export interface SystemResults {
  /** Name of the configuration. */
  readonly name: string;
  /** All of it. */
  readonly configuration: Configuration;
  /** On the test data. */
  readonly test?: TestFigures | undefined;
  /** Score of each fold. */
  readonly crossValidation?: readonly number[] | undefined;
}

/** Measurements on one corpus. */
export interface CorpusResults {
  /** Name of the corpus. */
  readonly name: string;
  /** By configuration. */
  readonly systems: readonly SystemResults[];
  /** Learning curves, if any. */
  readonly curves: readonly LearningCurve[];
  /** Every two systems on the test data, or each with the baseline. */
  readonly comparisons: readonly Comparison[];
  /** Name of the system that the others are tested against, if it is one. */
  readonly baseline?: string | undefined;
  /** Whether cross-validations differ. */
  readonly anova?: AnovaResult | undefined;
}

/** The report of an experiment. */
export function experimentReport(name: string, corpora: readonly CorpusResults[]): Report {
  return { title: name, blocks: corpora.flatMap(corpusBlocks) };
}

function corpusBlocks(results: CorpusResults): Block[] {
  const { name, systems, curves } = results;
  const tested = systems.flatMap(({ name: system, test }) => (test ? [{ system, test }] : []));
  return [
    ...(tested.length > 0 ? testBlocks(name, tested) : []),
    ...comparisonBlocks(results, tested),
    ...validationBlocks(results),
    ...(curves.length > 0
      ? [{ kind: 'heading', text: `${name}: learning curves` } as const, ...curveBlocks(curves)]
      : []),
  ];
}

/** Figures of the systems on the test data. */
function testBlocks(name: string, tested: readonly Tested[]): Block[] {
  const blocks: Block[] = [];
  blocks.push({ kind: 'heading', text: `${name}: test data` }, testTable(tested));
  if (tested.some(({ test }) => test.words !== undefined)) {
    blocks.push({ kind: 'heading', text: `${name}: words` }, wordTable(tested));
  }
  if (tested.some(({ test }) => test.trainingCost !== undefined)) {
    blocks.push({ kind: 'heading', text: `${name}: work of the strategies` }, costTable(tested));
  }
  const { divergence, labelShares } = tested[0].test;
  if (labelShares && tested.some(({ test }) => test.trainingCost !== undefined)) {
    blocks.push(
      { kind: 'heading', text: `${name}: labels, in percent of the tokens` },
      shareTable(labelShares),
    );
  }
  if (divergence) blocks.push({ kind: 'text', text: describeDivergence(tested[0].system, divergence) });
  const types = [...new Set(tested.flatMap(({ test }) => Object.keys(test.scores.types)))].sort();
  if (types.length > 1) {
    blocks.push(
      { kind: 'heading', text: `${name}: recall, precision and F by type` },
      typeTable(types, tested),
    );
  }
  return blocks;
}

/** Differences between systems on the test data. */
function comparisonBlocks(
  { name, comparisons, baseline }: CorpusResults,
  tested: readonly Tested[],
): Block[] {
  const blocks: Block[] = [];
  if (comparisons.length > 0 && baseline !== undefined) {
    blocks.push(
      { kind: 'heading', text: `${name}: against ${baseline}` },
      {
        kind: 'text',
        text: 'The sign is that of the configuration: ≫ and ≪ at p ≤ 0.01, > and < at p ≤ 0.05, ~ otherwise.',
      },
      baselineTable(comparisons),
    );
  } else if (comparisons.length > 0) {
    blocks.push(
      { kind: 'heading', text: `${name}: does F differ?` },
      {
        kind: 'text',
        text: 'Row against column by paired randomisation: ≫ and ≪ at p ≤ 0.01, > and < at p ≤ 0.05, ~ otherwise.',
      },
      signTable(
        tested.map(({ system }) => system),
        comparisons,
      ),
    );
  }
  return blocks;
}

/** Scores of cross-validations, and whether these differ. */
function validationBlocks({ name, systems, anova }: CorpusResults): Block[] {
  const blocks: Block[] = [];
  const validated = systems.filter(({ crossValidation }) => crossValidation !== undefined);
  if (validated.length > 0) {
    blocks.push(
      { kind: 'heading', text: `${name}: cross-validation` },
      {
        kind: 'table',
        columns: ['configuration', 'score', 'folds'],
        rows: validated.map(({ name: system, crossValidation = [] }) => [
          system,
          spread(crossValidation),
          crossValidation.map((score) => score.toFixed(2)).join(' '),
        ]),
      },
    );
    for (const { name: system, test, crossValidation = [] } of validated) {
      if (test && farAbove(test.scores.f1, crossValidation)) {
        blocks.push({
          kind: 'text',
          text: `${system}: F on the test data is far above cross-validation; do training and test data share sentences?`,
        });
      }
    }
  }
  if (anova) {
    const { f, between, within, p } = anova;
    blocks.push({
      kind: 'text',
      text: `One-way analysis of variance over folds: F(${between}, ${within}) = ${f.toFixed(3)}, p ${showP({ p })}.`,
    });
  }
  return blocks;
}

interface Tested {
  readonly system: string;
  readonly test: TestFigures;
}

function testTable(tested: readonly Tested[]): Table {
  return {
    kind: 'table',
    columns: [
      'configuration',
      'F',
      'precision',
      'recall',
      'accuracy',
      'training s',
      'reading and writing s',
      'labelling s',
      'tokens/s',
      'memory MB',
      'model kB',
    ],
    rows: tested.map(({ system, test: { scores, ...test } }) => [
      system,
      ...[scores.f1, scores.precision, scores.recall, scores.accuracy].map((rate) => rate.toFixed(2)),
      test.trainingSeconds.toFixed(1),
      test.routineSeconds.toFixed(2),
      test.labellingSeconds.toFixed(2),
      Math.round(scores.tokens / test.labellingSeconds),
      Math.round(test.peakMegabytes),
      Math.round(test.modelBytes / 1000),
    ]),
  };
}

function wordTable(tested: readonly Tested[]): Table {
  const rate = (value: number | undefined) => value?.toFixed(2) ?? '';
  return {
    kind: 'table',
    columns: ['configuration', 'F', 'precision', 'recall', 'OOV %', 'R_oov', 'R_iv', 'F with part of speech'],
    rows: tested.map(({ system, test: { words } }) => [
      system,
      ...[words?.f1, words?.precision, words?.recall, words?.oovRate].map(rate),
      ...[words?.recallOov, words?.recallIv, words?.tagged?.f1].map(rate),
    ]),
  };
}

function costTable(tested: readonly Tested[]): Table {
  return {
    kind: 'table',
    columns: [
      'configuration',
      'problems',
      'training, in N',
      'expected evaluations a token (training labels)',
      '(test labels)',
      'counted',
    ],
    rows: tested.map(({ system, test }) => [
      system,
      test.problems,
      test.trainingCost?.toFixed(2) ?? '',
      ...(test.expectedEvaluations ?? [undefined, undefined]).map((mean) => mean?.toFixed(2) ?? ''),
      test.evaluations?.toFixed(2) ?? '',
    ]),
  };
}

function describeDivergence(system: string, { nats, oneSided }: LabelDivergence): string {
  const leftOut = oneSided.length > 0 ? `; ${oneSided.join(', ')} are in one of them only and left out` : '';
  return `Weighted Jensen–Shannon divergence of training and test labels (as ${system} has them): ${nats.toFixed(5)} nats${leftOut}.`;
}

function typeTable(types: readonly string[], tested: readonly Tested[]): Table {
  return {
    kind: 'table',
    columns: ['type', ...tested.map(({ system }) => system)],
    rows: [...types, 'all'].map((type) => [
      type,
      ...tested.map(({ test: { scores } }) => {
        const { recall, precision, f1 } = type === 'all' ? scores : (scores.types[type] ?? NONE);
        return [recall, precision, f1].map((rate) => rate.toFixed(2)).join(' / ');
      }),
    ]),
  };
}

/** Scores of a type that a system neither found nor should have. */
const NONE = { recall: 0, precision: 0, f1: 0 };

function shareTable(shares: NonNullable<TestFigures['labelShares']>): Table {
  return {
    kind: 'table',
    columns: ['label', 'training', 'test'],
    rows: Object.entries(shares).map(([label, percent]) => [
      label,
      ...percent.map((share) => (share === 0 ? '0' : share.toPrecision(3))),
    ]),
  };
}

function baselineTable(comparisons: readonly Comparison[]): Table {
  return {
    kind: 'table',
    columns: [
      'configuration',
      'difference in F',
      '95 % interval',
      'paired randomisation',
      's-test',
      'McNemar',
    ],
    rows: comparisons.map(({ names, randomisation, sTest, mcNemar }) => [
      names[0],
      randomisation.difference.toFixed(2),
      randomisation.interval.map((bound) => bound.toFixed(2)).join(' … '),
      ...[randomisation, sTest, mcNemar].map((test) => `${test.sign} (p ${showP(test)})`),
    ]),
  };
}

function signTable(names: readonly string[], comparisons: readonly Comparison[]): Table {
  const cell = (row: string, column: string): Cell => {
    const pair = comparisons.find(({ names: [a, b] }) => a === row && b === column);
    if (!pair) return '';
    const { randomisation } = pair;
    return `${randomisation.sign} (p ${showP(randomisation)})`;
  };
  return {
    kind: 'table',
    columns: ['', ...names.slice(1)],
    rows: names.slice(0, -1).map((row) => [row, ...names.slice(1).map((column) => cell(row, column))]),
  };
}
