import { describe, expect, it } from 'vitest';
import { laneCount } from '../../src/kernels/lane-count.js';
import { LEARNERS } from '../../src/learn/learners.js';
import type { Model } from '../../src/model/model.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { SparseWeights } from '../../src/model/sparse-weights.js';
import { Tagger } from '../../src/tag/tagger.js';
import { blockBytes } from '../../src/train/fit-memory.js';
import { prepare } from '../../src/train/prepare.js';
import { train } from '../../src/train/train.js';
import type { BlockRunner } from '../../src/train/train-options.js';
import { columnFile, configuration, corpusOf, makeSentences, TRAINING, trainTiny } from '../model/tiny.js';

const MORE = makeSentences(8, 4);
const more = () => corpusOf(columnFile(MORE));

/** The model's features in words, each with its weights. */
function weightsByName({ features, weights, problems }: Model): Map<string, number[]> {
  return new Map(
    Array.from({ length: features.size }, (_, f) => [
      JSON.stringify(features.describe(f)),
      Array.from({ length: problems }, (_, lane) => weights.weight(f, lane)),
    ]),
  );
}

const ITERATIVE = Object.values(LEARNERS).filter((learner) => !learner.startsAnew);

describe.each(ITERATIVE)('going on from a model with learner $name', ({ name: learner }) => {
  it('keeps its features, adds those of new data and learns these', async () => {
    const first = loadModel(saveModel(await trainTiny({ learner })));
    const before = saveModel(first);
    const second = await train(more(), configuration({ learner }), { init: first });
    expect(saveModel(first)).toEqual(before);
    expect(second.tagSet.tags).toEqual(first.tagSet.tags);
    expect(loadModel(saveModel(second)).training).toMatchObject({ sentences: 8, init: first.training });
    const names = new Set(weightsByName(second).keys());
    const lost = [...weightsByName(first).keys()].filter((name) => !names.has(name));
    // A weight may become 0, and a feature without weights is left out.
    expect(lost.length).toBeLessThan(first.features.size / 50);
    expect(second.features.size).toBeGreaterThan(first.features.size);
    const tagger = new Tagger(loadModel(saveModel(second)));
    for (const { columns, spans } of MORE) expect(tagger.label(columns).spans).toMatchObject(spans);
    const again = await train(more(), configuration({ learner }), { init: first });
    expect(saveModel(again)).toEqual(saveModel(second));
  });
});

describe('going on from a model', () => {
  it('reads words that the model knows however rare they are in the new data', async () => {
    const init = await trainTiny();
    const known = corpusOf(columnFile(TRAINING.slice(0, 1)));
    const rows = (cutOff: number) =>
      prepare(known, configuration({ 'word-cut-off': cutOff }), { init }).dataset.rows;
    expect(rows(100)).toEqual(rows(1));
  });

  it('keeps features of the model that new data have more rarely than the cut-off', async () => {
    const init = await trainTiny({ 'cut-off': 2 });
    const rare = corpusOf(columnFile(TRAINING.slice(0, 1)));
    const { index } = prepare(rare, configuration({ 'cut-off': 2 }), { init });
    const names = new Set(Array.from({ length: index.size }, (_, f) => JSON.stringify(index.describe(f))));
    for (let f = 0; f < init.features.size; f++) {
      expect(names).toContain(JSON.stringify(init.features.describe(f)));
    }
  });

  it('changes no weight where the data are labelled right already, with a learner of mistakes', async () => {
    const first = await trainTiny({ learner: 'perceptron' });
    const second = await train(corpusOf(columnFile(TRAINING)), configuration({ learner: 'perceptron' }), {
      init: first,
    });
    expect(weightsByName(second)).toEqual(weightsByName(first));
  });

  it('makes the weights to start from block by block, when a block’s turn comes', async () => {
    // 12 types make 25 IOB2 tags: two blocks.
    const types = Array.from({ length: 12 }, (_, i) => `T${String(i).padStart(2, '0')}`);
    const corpus = corpusOf(types.map((type) => `a A B-${type}\nb B I-${type}\nc C O\n`).join('\n'));
    const wanted = configuration({ scheme: 'iob2' });
    const init = await train(corpus, wanted);
    const taken: number[] = [];
    const runBlocks: BlockRunner = async (_, problems) =>
      problems.map(({ initial, problems: count, rows }) => {
        const weights = initial?.() ?? new Float32Array(0);
        expect(weights).toHaveLength(rows.features * laneCount(count));
        taken.push(count);
        return SparseWeights.ofRows(weights, count);
      });
    const same = await train(corpus, wanted, { init, runBlocks });
    expect(taken).toEqual([12, 13]);
    expect(weightsByName(same)).toEqual(weightsByName(init));
  });

  it.each(['svm', 'perceptron'])('counts these weights in the memory that %s needs', async (learner) => {
    const init = await trainTiny({ learner });
    const wanted = configuration({ learner });
    const { index, dataset, tagSet } = prepare(more(), wanted, { init });
    const examples = dataset.labels.length;
    const size = { features: index.size, entries: dataset.rows.offsets[examples], examples };
    const anew = blockBytes(size, tagSet.tags.length, LEARNERS[learner].memory);
    const needed = anew + 4 * index.size * laneCount(tagSet.tags.length);
    await expect(train(more(), wanted, { init, maxMemory: needed - 1 })).rejects.toMatchObject({
      code: 'no-memory',
    });
    expect((await train(more(), wanted, { init, maxMemory: needed })).features.size).toBeGreaterThan(0);
  });

  it.each([
    [{ templates: 'small' }, '--init: expected --templates as the model has it'],
    [{ scheme: 'iobes' }, '--init: expected --scheme as the model has it, "ioe2", found "iobes"'],
    [{ learner: 'logistic' }, '--init: expected --learner as the model has it, "svm", found "logistic"'],
    [{ learner: 'hmm' }, '--init does not go with --learner hmm'],
  ])('refuses a model made otherwise: %j', async (options, message) => {
    const first = await trainTiny();
    await expect(train(more(), configuration(options), { init: first })).rejects.toThrow(message);
  });

  it('refuses a label that the model does not have', async () => {
    const first = await trainTiny();
    const corpus = corpusOf('dog NN B-XP\n');
    await expect(train(corpus, configuration(), { init: first })).rejects.toThrow(
      'expected the labels of the model, O, I-NP, E-NP, E-PP, I-VP or E-VP, found "E-XP"',
    );
  });
});
