import { describe, expect, it } from 'vitest';
import { OptionError, SpanwrightError } from '../../src/base/errors.js';
import { LEARNERS } from '../../src/learn/learners.js';
import { blockBytes, cutOffWithin } from '../../src/train/fit-memory.js';
import { prepare } from '../../src/train/prepare.js';
import { train } from '../../src/train/train.js';
import { columnFile, configuration, corpusOf, makeSentences } from '../model/tiny.js';

const corpus = corpusOf(columnFile(makeSentences(40, 3)));

/** What training a block needs with a cut-off, from the rows that it leaves. */
function needed(cutOff: number, mask: number): number {
  const { dataset, index, tagSet } = prepare(corpus, configuration({ 'cut-off': cutOff, mask }));
  const { offsets } = dataset.rows;
  const examples = offsets.length - 1;
  const size = { features: index.size, entries: offsets[examples], examples };
  return blockBytes(size, tagSet.tags.length, LEARNERS.svm.memory);
}

describe('training within a bound of memory', () => {
  it.each([0, 3])('takes the least cut-off that fits (mask %i)', async (mask) => {
    for (const cutOff of [1, 2, 5]) {
      const fitting = await train(corpus, configuration({ mask }), { fitMemory: needed(cutOff, mask) });
      expect(fitting).toEqual(await train(corpus, configuration({ mask, 'cut-off': cutOff })));
    }
  });

  it('says how much the examples and one feature need', async () => {
    const training = train(corpus, configuration({}), { fitMemory: 1 });
    await expect(training).rejects.toThrow(OptionError);
    await expect(training).rejects.toThrow(/^--fit-memory: expected at least \d+ MB, .*, found 0$/);
    const { memory } = LEARNERS.svm;
    expect(() =>
      cutOffWithin(
        0,
        { offsets: Uint32Array.of(0, 0), indices: new Uint32Array(0), features: 0 },
        1,
        4,
        memory,
        1,
      ),
    ).toThrow(OptionError);
  });

  it('refuses what would leave no feature', () => {
    const rows = { offsets: Uint32Array.of(0, 2, 3), indices: Uint32Array.of(0, 1, 0), features: 2 };
    const { memory } = LEARNERS.svm;
    const one = blockBytes({ features: 1, entries: 2, examples: 2 }, 4, memory);
    expect(cutOffWithin(one, rows, 2, 4, memory, 1)).toBe(2);
    expect(() => cutOffWithin(one - 1, rows, 2, 4, memory, 1)).toThrow(/most frequent feature need/);
  });

  it.each(['svm', 'perceptron', 'crf'])('is estimated before training starts (%s)', async (learner) => {
    const wanted = configuration({ learner });
    const { dataset, index, tagSet } = prepare(corpus, wanted);
    const { offsets } = dataset.rows;
    const examples = offsets.length - 1;
    const size = { features: index.size, entries: offsets[examples], examples };
    const needed = blockBytes(size, tagSet.tags.length, LEARNERS[learner].memory);
    await expect(train(corpus, wanted, { maxMemory: needed - 1 })).rejects.toMatchObject({
      code: 'no-memory',
      message: expect.stringContaining(`${index.size} features, ${examples} examples`),
    });
    expect((await train(corpus, wanted, { maxMemory: needed })).features.size).toBeGreaterThan(0);
  });

  it('counts what blocks share once, what each has of its own for each', () => {
    const size = { features: 1000, entries: 5000, examples: 300 };
    const bytes = (blocks: number) => blockBytes(size, 5, LEARNERS.svm.memory, blocks);
    expect(bytes(3) - bytes(2)).toBe(bytes(2) - bytes(1));
    expect(bytes(1) - (bytes(2) - bytes(1))).toBe(4 * (5000 + 300));
  });

  it('says what was needed where it could not be had', async () => {
    for (const [thrown, isMemory] of [
      [new RangeError('Array buffer allocation failed'), true],
      [new SpanwrightError('no-memory', 'expected 8 MB of free memory, found less'), true],
      [new RangeError('Maximum call stack size exceeded'), false],
      [new Error('Array buffer allocation failed'), false],
    ] as const) {
      const training = train(corpus, configuration({}), { runBlocks: () => Promise.reject(thrown) });
      if (!isMemory) await expect(training).rejects.toBe(thrown);
      else {
        await expect(training).rejects.toMatchObject({ code: 'no-memory' });
        await expect(training).rejects.toThrow(
          new RegExp(
            `^training needs about \\d+ MB beside its data, .*: ${thrown.message}; expected fewer features`,
          ),
        );
      }
    }
  });

  it('is for learners of binary problems', async () => {
    const training = train(corpus, configuration({ learner: 'perceptron' }), { fitMemory: 1e9 });
    await expect(training).rejects.toThrow(/--fit-memory goes with learners of binary problems/);
  });
});
