import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { checkOption, describeRange, type OptionValues } from '../../src/base/options.js';
import { decodersOf } from '../../src/decode/choose-decoder.js';
import { bestKernels } from '../../src/kernels/kernels.js';
import { laneCount } from '../../src/kernels/lane-count.js';
import type {
  BinaryLearner,
  EpochReport,
  IterationReport,
  Learner,
  SequenceLearner,
} from '../../src/learn/learner.js';
import { LEARNERS } from '../../src/learn/learners.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { explain } from '../../src/tag/explain.js';
import { Tagger } from '../../src/tag/tagger.js';
import { margin, selectProblems, separable, sequenceProblem } from '../learn/problems.js';
import { TRAINING, tinyProblem, trainTiny } from '../model/tiny.js';

const LINKS = ['identity', 'log-sigmoid', 'log-softmax'];

const labelCount = 5;
const toy = separable(labelCount, 60, 3);
const width = laneCount(labelCount);

const defaultsOf = (learner: Learner): OptionValues =>
  Object.fromEntries(learner.options.map((option) => [option.name, option.default as number]));

describe.each(Object.entries(LEARNERS))('learner %s', (name, learner) => {
  it('is named as in the table, describes itself and has a known link', () => {
    expect(learner.name).toBe(name);
    expect(learner.help).not.toBe('');
    expect(LINKS).toContain(learner.link);
  });

  it('declares its options: defaults are valid, and what is out of range is not', () => {
    const names = learner.options.map((option) => option.name);
    expect(new Set(names).size).toBe(names.length);
    for (const option of learner.options) {
      expect(option.help, option.name).not.toBe('');
      expect(option.default, option.name).toBeDefined();
      expect(checkOption(option, option.default)).toBe(option.default);
      if (option.kind === 'string') continue;
      const wrong = option.above ?? (option.min === undefined ? 'nonsense' : option.min - 1);
      expect(() => checkOption(option, wrong), option.name).toThrow(OptionError);
      expect(() => checkOption(option, wrong)).toThrow(`--${option.name}: expected ${describeRange(option)}`);
    }
  });
});

const BINARY = Object.values(LEARNERS).filter((learner) => learner.kind === 'binary');

describe.each(BINARY)('learner $name of binary problems', (learner: BinaryLearner) => {
  const defaults = defaultsOf(learner);

  it('learns a separable problem without an error, with its defaults', () => {
    const weights = learner.trainBlock(toy, defaults);
    toy.labels.forEach((label, n) => {
      const margins = Array.from({ length: labelCount }, (_, k) => margin(toy.rows, weights, width, n, k));
      expect(margins.indexOf(Math.max(...margins))).toBe(label);
    });
  });

  it.each([1, 3, 4, 5])('gives finite weights [D × W] for %i problems, zero in padded lanes', (problems) => {
    const block = selectProblems(toy, [...Array(problems).keys()]);
    const weights = learner.trainBlock(block, defaults);
    const lanes = laneCount(problems);
    expect(weights).toBeInstanceOf(Float32Array);
    expect(weights).toHaveLength(toy.rows.features * lanes);
    expect(weights.every(Number.isFinite)).toBe(true);
    weights.forEach((weight, at) => {
      if (at % lanes >= problems) expect(weight).toBe(0);
    });
    for (let k = 0; k < problems; k++)
      expect(weights.some((w, at) => at % lanes === k && w !== 0)).toBe(true);
  });

  it('gives the same weights for the same seed, and leaves its input alone', () => {
    const before = structuredClone(toy);
    const first = learner.trainBlock(toy, defaults);
    const second = learner.trainBlock(toy, defaults);
    expect(second).toEqual(first);
    expect(toy).toEqual(before);
  });

  it('reports every epoch, counted from 1', () => {
    const reports: EpochReport[] = [];
    learner.trainBlock(toy, defaults, (report) => reports.push(report));
    expect(reports.map(({ epoch }) => epoch)).toEqual(reports.map((_, i) => i + 1));
    expect(reports.length).toBeGreaterThan(0);
    for (const { epochs, gap, active } of reports) {
      expect(reports.length).toBeLessThanOrEqual(epochs);
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(active).toBeLessThanOrEqual(toy.labels.length);
    }
  });
});

// Those of chunks have tests of their own: test/model/chunk-level.test.ts.
const JOINT = Object.values(LEARNERS).filter(
  (learner) => learner.kind === 'multiclass' || learner.kind === 'sequence',
);

describe.each(JOINT)('learner $name of all labels at once', (learner) => {
  const options = defaultsOf(learner);
  // Those that need features of a certain make get some of that make.
  const problem = learner.defaults ? tinyProblem(learner.name) : sequenceProblem(5, [4, 1, 0, 7, 5], 3);
  const { labelCount } = problem;
  const width = laneCount(labelCount);
  const train = (kernels: 'plain' | 'simd' = 'plain', onIteration?: (report: IterationReport) => void) =>
    (learner as SequenceLearner).train({ ...problem, kernels }, options, onIteration);

  it('gives finite weights [D × W], zero in padded lanes', async () => {
    const weights = await train();
    expect(weights).toBeInstanceOf(Float32Array);
    expect(weights).toHaveLength(problem.rows.features * width);
    expect(weights.every(Number.isFinite)).toBe(true);
    weights.forEach((weight, at) => {
      if (at % width >= labelCount) expect(weight).toBe(0);
    });
    expect(weights.some((weight) => weight !== 0)).toBe(true);
  });

  it('gives the same weights for the same seed and any kernels, and leaves its input alone', async () => {
    const before = structuredClone(problem);
    const first = await train('plain');
    expect(await train('plain')).toEqual(first);
    if (bestKernels() === 'simd') expect(await train('simd')).toEqual(first);
    expect(problem).toEqual(before);
  });

  it('reports every iteration, counted from 1, with what it watches', async () => {
    const reports: IterationReport[] = [];
    await train('plain', (report) => reports.push(report));
    expect(reports.length).toBeGreaterThan(0);
    reports.forEach(({ iteration, iterations, measures }, i) => {
      expect(iteration).toBe(i + 1);
      expect(iteration).toBeLessThanOrEqual(iterations);
      expect(Object.values(measures).every(Number.isFinite)).toBe(true);
    });
  });

  it('prefers a decoder that can search its scores', () => {
    const fitting = decodersOf(learner.gives);
    expect(fitting.length).toBeGreaterThan(0);
    expect(fitting).toContain(learner.decoder ?? fitting[0]);
  });

  it.each(decodersOf(learner.gives))(
    'learns its training data by decoder %s, and so does the loaded model',
    async (decoder) => {
      for (const templates of learner.defaults ? [String(learner.defaults.templates)] : ['004', 'wide']) {
        const model = await trainTiny({ learner: learner.name, decoder, templates });
        expect(model.configuration.strategy).toBeUndefined();
        const taggers = [model, loadModel(saveModel(model))].map((each) => new Tagger(each));
        for (const { columns, spans } of TRAINING) {
          const [ours, loaded] = taggers.map((tagger) => tagger.label(columns));
          expect(ours.spans).toMatchObject(spans);
          expect(loaded).toEqual(ours);
          for (const confidence of ours.confidences) expect(confidence).toBeGreaterThan(0);
        }
        const [token] = explain(taggers[0], TRAINING[0].columns);
        expect(token.features.length).toBeGreaterThan(0);
      }
    },
  );
});
