import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { Random } from '../../src/base/random.js';
import { readColumns } from '../../src/data/corpus.js';
import { fitBias } from '../../src/evaluate/fit-bias.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { explain } from '../../src/tag/explain.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';

/** Words of which one in `rare` is a name, told by its letters more often than not. */
function corpusOf(sentences: number, rare: number) {
  const random = new Random(3);
  const lines: string[] = [];
  for (let s = 0; s < sentences; s++) {
    for (let t = 0; t < 8; t++) {
      const isName = random.below(rare) === 0;
      const looksSo = isName ? random.below(3) > 0 : random.below(12) === 0;
      lines.push(
        `${looksSo ? 'N' : 'n'}${random.below(40)} ${isName ? `B-${random.below(3) > 0 ? 'A' : 'B'}` : 'O'}`,
      );
    }
    lines.push('');
  }
  return readColumns(lines.join('\n'), { columns: ['word', 'entity'] });
}

const corpus = corpusOf(200, 6);
const configurationOf = (options = {}) => configure({ task: 'entities', options });

describe('a bias', () => {
  it('finds more chunks the higher it is, of the types it is for, whatever decodes', async () => {
    for (const options of [{ decoder: 'greedy' }, {}, { learner: 'crf', decoder: 'viterbi' }]) {
      const model = await train(corpus, configurationOf(options));
      const tagger = new Tagger(model);
      const sentence = { word: ['n1', 'N2', 'n3', 'N4', 'n5'] };
      const found = (bias: number | Record<string, number>) => {
        tagger.setBias(bias);
        return tagger.label(sentence).spans;
      };
      const counts = [-9, -0.5, 0, 0.5, 99].map((bias) => found(bias).length);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(counts[0]).toBe(0);
      expect(found({ B: 99 }).map(({ type }) => type)).toContain('B');
      expect(found({ A: -99, B: -99 })).toEqual([]);
      expect(found(0)).toEqual(new Tagger(model).label(sentence).spans);
    }
  });

  it('is kept in the file, told by explanations, and replaced by a choice', async () => {
    const model = { ...(await train(corpus, configurationOf())), bias: { A: 0.25 } };
    const copy = loadModel(saveModel(model));
    expect(copy.bias).toEqual({ A: 0.25 });
    const tagger = new Tagger(copy);
    const [{ features }] = explain(tagger, { word: ['N1'] });
    expect(features.some(({ feature }) => feature === '(bias)')).toBe(true);
    expect(new Tagger(copy, { bias: 99 }).label({ word: ['n1', 'n2'] }).spans).not.toEqual([]);
  });

  it('is refused for other types, other numbers, and labels that can have none', async () => {
    const model = await train(corpus, configurationOf());
    expect(() => new Tagger(model, { bias: { C: 1 } })).toThrow('--bias: expected A or B, found "C"');
    expect(() => new Tagger(model, { bias: Number.NaN })).toThrow('a number from −100 to 100');
    const pairs = await train(corpus, configurationOf({ strategy: 'ovo', decoder: 'greedy' }));
    expect(() => new Tagger(pairs, { bias: 1 })).toThrow('of the strategy ovo');
    await expect(fitBias(corpus, configurationOf({ strategy: 'ovo', decoder: 'greedy' }), 1)).rejects.toThrow(
      OptionError,
    );
  });
});

describe('fitBias', () => {
  it('gains F-beta in cross-validation, more chunks for a higher beta', async () => {
    const one = await fitBias(corpus, configurationOf(), 1);
    const two = await fitBias(corpus, configurationOf(), 2);
    expect(one.after).toBeGreaterThanOrEqual(one.before);
    expect(two.after).toBeGreaterThan(two.before);
    const sum = (bias: object) => Object.values(bias).reduce((a: number, b: number) => a + b, 0);
    expect(sum(two.bias)).toBeGreaterThan(sum(one.bias));
  });
});
