import { describe, expect, it } from 'vitest';
import { InputError, OptionError } from '../../src/base/errors.js';
import { type Corpus, readColumns } from '../../src/data/corpus.js';
import { crossValidate, type FoldRunner } from '../../src/evaluate/cross-validation.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import type { TrainOptions } from '../../src/train/train-options.js';
import { corpus, corpusText } from '../cli/corpus.js';

// Threads run what is built, and share its classes of errors.
const built = (file: string) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { foldRunner } = (await built('node/fold-pool.js')) as typeof import('../../src/node/fold-pool.js');
const classes = (await built('base/errors.js')) as typeof import('../../src/base/errors.js');

const configuration = configure({ task: 'chunking', options: { epochs: 1, 'cut-off': 2 } });
const read = (text: string) =>
  readColumns(new TextEncoder().encode(text), { columns: configuration.columns, source: 'data' });
const data = read(corpusText(corpus(40)));

const scoresWith = async (options?: TrainOptions, runFolds?: FoldRunner) => {
  const [scores] = await crossValidate(data, configuration, { folds: 2, seed: 1, train: options, runFolds });
  return scores.map(({ accuracy }) => accuracy);
};
const thrownBy = async (of: Corpus, options: TrainOptions, runFolds?: FoldRunner) =>
  crossValidate(of, configuration, { folds: 2, seed: 1, train: options, runFolds }).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('foldRunner', () => {
  it('trains as the work asks for', async () => {
    // A model of labels that are no good here, so that what goes on from it is another.
    const swapped = corpusText(corpus(40, 9)).replace(/-(NP|VP)/g, (_, type) =>
      type === 'NP' ? '-VP' : '-NP',
    );
    const init = await train(read(swapped), configuration);
    const options = { init, runBlocks: undefined, onProgress: () => undefined };
    const scores = await scoresWith(options);
    expect(scores).not.toEqual(await scoresWith());
    expect(await scoresWith(options, foldRunner(2))).toEqual(scores);
  });

  it('throws what one thread throws, of the same class', async () => {
    const tooLittle = await thrownBy(data, { fitMemory: 1 });
    expect(tooLittle).toBeInstanceOf(OptionError);
    const fromThread = await thrownBy(data, { fitMemory: 1 }, foldRunner(2));
    expect(fromThread).toBeInstanceOf(classes.OptionError);
    expect(fromThread).toMatchObject({ message: (tooLittle as Error).message, option: 'fit-memory' });

    const bad = read(corpusText(corpus(40)).replace('B-PP', 'Q'));
    const noTag = await thrownBy(bad, {});
    expect(noTag).toBeInstanceOf(InputError);
    const noTagInThread = await thrownBy(bad, {}, foldRunner(2));
    expect(noTagInThread).toBeInstanceOf(classes.InputError);
    const { message, place } = noTag as InputError;
    expect(noTagInThread).toMatchObject({ message, place });
  });

  it('throws what the first fold threw, however long that takes', async () => {
    const slow = Uint32Array.from({ length: 8000 }, (_, s) => s % 40);
    const folds = [slow, Uint32Array.of(0, 1)].map((training) => ({ training, heldOut: Uint32Array.of(2) }));
    const work = { corpus: data, configuration, decoders: [{}], train: { fitMemory: 1 } };
    const messageOf = (runFolds: FoldRunner, these = folds) =>
      runFolds(work, these).then(String, (error: Error) => error.message);
    const alone = await Promise.all(folds.map((fold) => messageOf(foldRunner(1), [fold])));
    expect(alone[0]).not.toBe(alone[1]);
    expect(await messageOf(foldRunner(2))).toBe(alone[0]);
  });
});
