import { describe, expect, it } from 'vitest';
import { LEARNERS } from '../../src/learn/learners.js';
import type { Model } from '../../src/model/model.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { learn } from '../../src/systems/learn.js';
import { Tagger } from '../../src/tag/tagger.js';
import { TRAINING, trainTiny } from '../model/tiny.js';

// A word that was not seen, with a label that its part of speech did not have.
const CORRECTED = {
  columns: { word: ['the', 'dog', 'zork', 'it', '.'], pos: ['DT', 'NN', 'NN', 'PRP', '.'] },
  spans: [
    { start: 0, end: 2, type: 'NP' },
    { start: 2, end: 3, type: 'VP' },
    { start: 3, end: 4, type: 'NP' },
  ],
};

describe.each(Object.values(LEARNERS).filter((learner) => !learner.startsAnew))(
  'learning a corrected sentence, learner $name',
  ({ name: learner }) => {
    it('labels it as given, keeps the rest, and leaves the old model alone', async () => {
      const model = loadModel(saveModel(await trainTiny({ learner })));
      const before = saveModel(model);
      expect(new Tagger(model).label(CORRECTED.columns).spans).not.toMatchObject(CORRECTED.spans);
      const learned = loadModel(saveModel(learn(model, CORRECTED.columns, CORRECTED.spans)));
      expect(saveModel(model)).toEqual(before);
      const tagger = new Tagger(learned);
      expect(tagger.label(CORRECTED.columns).spans).toMatchObject(CORRECTED.spans);
      for (const { columns, spans } of TRAINING) expect(tagger.label(columns).spans).toMatchObject(spans);
    });
  },
);

describe('learning a corrected sentence', () => {
  it.each(['ovo', 'tree', 'ecoc', 'hc-ova'])('works with strategy %s', async (strategy) => {
    const model = await trainTiny({ strategy, decoder: 'greedy' });
    const learned = learn(model, CORRECTED.columns, CORRECTED.spans);
    expect(new Tagger(learned).label(CORRECTED.columns).spans).toMatchObject(CORRECTED.spans);
  });

  it('takes in words that the model leaves out where they are rare', async () => {
    const model = await trainTiny({ 'word-cut-off': 2 });
    const learned = learn(model, CORRECTED.columns, CORRECTED.spans);
    const knows = ({ features: { layout, values } }: Model) =>
      values[layout.views.indexOf('word')].find('zork') >= 0;
    expect([model, learned].map(knows)).toEqual([false, true]);
    expect(new Tagger(learned).label(CORRECTED.columns).spans).toMatchObject(CORRECTED.spans);
  });

  it('refuses models that cannot, labels they do not have, and missing columns', async () => {
    const model = await trainTiny();
    const { columns, spans } = CORRECTED;
    expect(() => learn(model, columns, [{ start: 0, end: 1, type: 'XP' }])).toThrow('found "E-XP"');
    expect(() => learn(model, { word: columns.word }, spans)).toThrow('expected the columns word or pos');
    const counting = await trainTiny({ learner: 'hmm' });
    expect(() => learn(counting, columns, spans)).toThrow('found --learner hmm');
  });
});
