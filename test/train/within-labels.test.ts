import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/data/corpus.js';
import { historyOrder } from '../../src/features/template.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { withinLabels } from '../../src/train/within-labels.js';

const columns = ['word', 'tag'];
const corpusOf = (labels: number) =>
  readColumns(Array.from({ length: labels }, (_, i) => `w${i} T${i}\n${i % 9 === 8 ? '\n' : ''}`).join(''), {
    columns,
  });

describe('many labels', () => {
  const configuration = configure({ task: 'pos', columns, options: { 'cut-off': 1, epochs: 1 } });
  const orders = (own: typeof configuration) => own.templates.templates.map(historyOrder);

  it('are labelled without their pairs', async () => {
    const corpus = corpusOf(300);
    expect(orders(configuration)).toContain(2);
    const model = await train(corpus, configuration);
    expect(Math.max(...orders(model.configuration))).toBe(1);
    expect(model.tagSet.tags).toHaveLength(300);
    expect(new Tagger(model).label({ word: ['w7', 'w8'] }).tags).toEqual(['T7', 'T8']);
  });

  it('are paired as far as pairs can be numbered', () => {
    expect(withinLabels(corpusOf(254), configuration)).toBe(configuration);
    expect(Math.max(...orders(withinLabels(corpusOf(255), configuration)))).toBe(1);
  });
});
