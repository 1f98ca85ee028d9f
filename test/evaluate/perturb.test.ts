import { beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { columnStrings, readColumns } from '../../src/data/corpus.js';
import {
  measureRobustness,
  PERTURBATIONS,
  type PerturbationName,
  perturb,
} from '../../src/evaluate/perturb.js';
import { scoreModel } from '../../src/label/score-model.js';
import { robustnessReport } from '../../src/report/robustness-report.js';
import { Tagger } from '../../src/tag/tagger.js';
import { columnFile, TRAINING, trainTiny } from '../model/tiny.js';

const corpus = readColumns(
  'The DT B-NP\ngolden JJ I-NP\nretriever NN I-NP\nof IN B-PP\nBob NNP B-NP\n-LRB- ( O\nslept VBD B-VP\n. . O\n\nA DT B-NP\ncat NN I-NP\n! . O\n',
  { columns: ['word', 'pos', 'chunk'] },
);
const rows = (name: PerturbationName) => {
  const changed = perturb(corpus, name);
  return Array.from({ length: changed.starts.length - 1 }, (_, s) =>
    [0, 2].map((column) => columnStrings(changed, column, s).join(' ')),
  );
};

describe('perturb', () => {
  it('changes words and leaves labels', () => {
    const tags = 'B-NP I-NP I-NP B-PP B-NP O B-VP O';
    expect(rows('lower')[0]).toEqual(['the golden retriever of bob -LRB- slept .', tags]);
    expect(rows('upper')[0][0]).toBe('THE GOLDEN RETRIEVER OF BOB -LRB- SLEPT .');
    expect(rows('title')[0][0]).toBe('The Golden Retriever of Bob -LRB- Slept .');
    expect(rows('small-start').map(([words]) => words)).toEqual([
      'the golden retriever of Bob -LRB- slept .',
      'a cat !',
    ]);
    expect(rows('unpunctuated')).toEqual([
      ['The golden retriever of Bob slept', 'B-NP I-NP I-NP B-PP B-NP B-VP'],
      ['A cat', 'B-NP I-NP'],
    ]);
    expect(rows('joined')).toEqual([
      ['The golden retriever of Bob -LRB- slept . A cat !', `${tags} B-NP I-NP O`],
    ]);
  });

  it('mistypes some longer words, the same for the same seed', () => {
    const long = readColumns('retriever NN B-NP\n'.repeat(200), { columns: ['word', 'pos', 'chunk'] });
    for (const [name, form] of [
      ['typos', /^\p{Ll}{8,10}$/u],
      ['hashtags', /^#retriever$/],
    ] as const) {
      const words = columnStrings(perturb(long, name), 0, 0);
      const changed = words.filter((word) => word !== 'retriever');
      expect(changed.length).toBeGreaterThan(8);
      expect(changed.length).toBeLessThan(40);
      for (const word of changed) expect(word).toMatch(form);
      expect(columnStrings(perturb(long, name), 0, 0)).toEqual(words);
      expect(columnStrings(perturb(long, name, 2), 0, 0)).not.toEqual(words);
    }
  });

  it('leaves a sentence of nothing but punctuation as it is', () => {
    const marks = readColumns('. . O\n! . O\n', { columns: ['word', 'pos', 'chunk'] });
    expect(columnStrings(perturb(marks, 'unpunctuated'), 0, 0)).toEqual(['.', '!']);
  });

  it('refuses other names', () => {
    expect(() => perturb(corpus, 'mirror' as PerturbationName)).toThrow(OptionError);
  });
});

describe('measureRobustness', () => {
  let tagger: Tagger;
  beforeAll(async () => {
    tagger = new Tagger(await trainTiny());
  });

  it('gives the score in each of the ways, and what is lost', () => {
    const data = readColumns(columnFile(TRAINING), { columns: ['word', 'pos', 'chunk'] });
    const asIs = scoreModel(tagger, data).f1;
    const scores = measureRobustness(tagger, data, asIs);
    expect(scores.map(({ name }) => name)).toEqual(Object.keys(PERTURBATIONS));
    for (const { name, score, loss } of scores) {
      expect(score).toBe(scoreModel(tagger, perturb(data, name)).f1);
      expect(loss).toBeCloseTo(asIs - score);
    }
    const [table] = robustnessReport(scores, 'F').blocks;
    expect(table).toMatchObject({ kind: 'table', columns: ['text', 'F', 'points lost', 'what changes'] });
  });
});
