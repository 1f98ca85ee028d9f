import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../src/base/options.js';
import type { Span } from '../../src/data/span.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, corpusOf, TRAINING, trainTiny, UNSEEN } from '../model/tiny.js';

const COLUMNS = { word: ['the', 'old', 'dog', 'barks'], pos: ['DT', 'JJ', 'NN', 'VB'] };
const DOG = { start: 0, end: 3, type: 'NP' };

const MODELS: readonly (readonly [string, OptionValues])[] = [
  ['svm, hybrid', {}],
  ['svm, hybrid, read backward', { direction: 'backward', scheme: 'ioe2' }],
  ['svm, beam', { decoder: 'beam', beam: 40 }],
  ['svm, viterbi of order 2', { decoder: 'viterbi', order: 2 }],
  ['svm, viterbi of order 0', { decoder: 'viterbi', order: 0 }],
  ['maxent', { learner: 'maxent' }],
  ['crf', { learner: 'crf' }],
  ['perceptron, iobes', { learner: 'perceptron', scheme: 'iobes' }],
];

const plain = (spans: readonly Span[]) => spans.map(({ start, end, type }) => ({ start, end, type }));

describe.each(MODELS)('models of labels (%s)', (name, options) => {
  it('keep to constraints', async () => {
    const tagger = new Tagger(await trainTiny(options));
    const spans = (constraints?: Parameters<Tagger['label']>[1]) =>
      plain(tagger.label(COLUMNS, constraints).spans);
    expect(spans()).toContainEqual(DOG);
    expect(spans({ forbidden: [DOG] })).not.toContainEqual(DOG);
    expect(spans({ notBeginning: [{ token: 0 }] }).some(({ start }) => start === 0)).toBe(false);
    expect(spans({ notBeginning: [{ token: 0, type: 'NP' }] })).not.toContainEqual(DOG);
    const strange = { start: 1, end: 3, type: 'VP' };
    const constrained = tagger.label(COLUMNS, { required: [strange] });
    expect(plain(constrained.spans)).toContainEqual(strange);
    // Probabilities are among what the constraints leave.
    for (const { spans: others } of tagger.alternatives(5)) expect(plain(others)).toContainEqual(strange);
    expect(constrained.confidences.every((confidence) => confidence > 0 && confidence <= 1)).toBe(true);
    expect(spans()).toContainEqual(DOG);
  });

  it('give different labellings, the likely ones first, with their probabilities', async () => {
    const tagger = new Tagger(await trainTiny(options));
    for (const sentence of UNSEEN) {
      const { tags, spans } = tagger.label(sentence);
      const found = tagger.alternatives(20);
      if (!name.includes('hybrid')) {
        expect(found[0].tags).toEqual(tags);
        expect(found[0].spans).toEqual(plain(spans));
      }
      expect(new Set(found.map((other) => other.tags.join(' '))).size).toBe(found.length);
      const sum = found.reduce((total, { probability }) => total + probability, 0);
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThan(1.0001);
      for (const other of found)
        expect(tagger.model.tagSet.types).toEqual(
          expect.arrayContaining(other.spans.map(({ type }) => type)),
        );
    }
    tagger.label({ word: ['z'], pos: ['.'] });
    const all = tagger.alternatives(40);
    expect(all.length).toBeLessThan(40);
    expect(all.reduce((total, { probability }) => total + probability, 0)).toBeCloseTo(1, 4);
  });
});

it('greedy labelling keeps to constraints, with any strategy', async () => {
  const tagger = new Tagger(await trainTiny({ strategy: 'ovo' }));
  const { spans } = tagger.label(COLUMNS, { required: [{ start: 1, end: 3, type: 'VP' }] });
  expect(plain(spans)).toContainEqual({ start: 1, end: 3, type: 'VP' });
});

describe('alternatives', () => {
  it('are no more than the decoder keeps', async () => {
    const model = await trainTiny({ decoder: 'beam', beam: 3 });
    const tagger = new Tagger(model);
    tagger.label(COLUMNS);
    expect(tagger.alternatives(3)).toHaveLength(3);
    expect(() => tagger.alternatives(4)).toThrow(
      '--kbest 4: expected a number from 1 to 3, as many labellings as the decoder beam can give',
    );
    expect(() => new Tagger(model, { decoder: 'greedy' }).checkAlternatives(2)).toThrow(
      'from 1 to 1, as many labellings as the decoder greedy can give',
    );
    expect(() => tagger.checkAlternatives(0)).toThrow('--kbest 0: expected a number');
  });

  it.each(['crf', 'perceptron'])(
    'have the probabilities of scores divided by the temperature, which add up to 1: %s',
    async (learner) => {
      const model = await trainTiny({ learner });
      const [plain, even] = [model, { ...model, temperature: 3 }].map((own) => {
        const tagger = new Tagger(own);
        tagger.label({ word: ['dog'], pos: ['NN'] });
        return tagger.alternatives(40).map(({ probability }) => probability);
      });
      expect(even).toHaveLength(plain.length);
      const powers = plain.map((probability) => probability ** (1 / 3));
      const total = powers.reduce((sum, power) => sum + power, 0);
      even.forEach((probability, i) => {
        expect(probability).toBeCloseTo(powers[i] / total, 6);
      });
    },
  );

  it('of whole chunks add up to 1, and keep to constraints', async () => {
    const configuration = configure({
      task: 'chunking',
      preset: 'chunk-level',
      options: { 'cut-off': 1, epochs: 3 },
    });
    const tagger = new Tagger(await train(corpusOf(columnFile(TRAINING)), configuration));
    const { tags } = tagger.label({ word: ['the', 'dog'], pos: ['DT', 'NN'] });
    const all = tagger.alternatives(255);
    expect(all[0].tags).toEqual(tags);
    expect(all.reduce((total, { probability }) => total + probability, 0)).toBeCloseTo(1, 6);
    expect(new Set(all.map((other) => other.tags.join(' '))).size).toBe(all.length);
    tagger.label(COLUMNS, { required: [DOG] });
    for (const { spans } of tagger.alternatives(5)) expect(plain(spans)).toContainEqual(DOG);
  });
});
