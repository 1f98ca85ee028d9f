import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/data/corpus.js';
import { tagMarginals } from '../../src/tag/tag-marginals.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, makeSentences, TRAINING } from '../model/tiny.js';

const columns = ['word', 'pos', 'chunk'];
const corpus = readColumns(columnFile(TRAINING), { columns });
const modelOf = (options: Record<string, string | number>) =>
  train(corpus, configure({ task: 'chunking', columns, options: { 'cut-off': 1, ...options } }));

describe.each([
  ['crf', { learner: 'crf', scheme: 'iob2' }],
  ['crf, backward', { learner: 'crf', scheme: 'ioe2', direction: 'backward' }],
  ['svm', { epochs: 3 }],
  ['whole chunks', { learner: 'mira', decoder: 'semi-markov', epochs: 3 }],
])('marginals: %s', (_, options) => {
  it('add up to 1, and say of the labels found what confidences do', async () => {
    const tagger = new Tagger(await modelOf(options));
    const { tags } = tagger.model.tagSet;
    for (const one of makeSentences(5, 3)) {
      tagger.decodeSentences([one.columns], () => {
        const length = one.columns.word.length;
        const all = tagger.marginals();
        const confidences = tagger.confidences();
        const labels = [...tagger.path.subarray(0, length)];
        if (tagger.model.tagSet.direction === 'backward') labels.reverse();
        for (let t = 0; t < length; t++) {
          const row = all.subarray(t * tags.length, (t + 1) * tags.length);
          expect(row.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 4);
          expect(row[labels[t]]).toBeCloseTo(confidences[t], 4);
        }
        const byTag = tagMarginals(tagger);
        for (const own of byTag) expect([...own.values()].reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 4);
        const isOwn = tagger.model.tagSet.scheme === 'iob2';
        expect([...byTag[0].keys()].includes('B-NP')).toBe(isOwn);
        if (!isOwn)
          expect([...byTag[0].keys()].sort()).toEqual(
            ['NP', 'O', 'PP', 'VP'].filter((name) => byTag[0].has(name)),
          );
      });
    }
  });
});
