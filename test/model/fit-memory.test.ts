import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { blockBytes, cutOffWithin } from '../../src/model/fit-memory.js';
import { prepare, train } from '../../src/model/train.js';
import { columnFile, configuration, corpusOf, makeSentences } from './tiny.js';

const corpus = corpusOf(columnFile(makeSentences(40, 3)));

/** What training a block needs with a cut-off, from the rows that it leaves. */
function needed(cutOff: number, mask: number): number {
  const { dataset, index, tagSet } = prepare(corpus, configuration({ 'cut-off': cutOff, mask }));
  const { offsets } = dataset.rows;
  const examples = offsets.length - 1;
  return blockBytes({ features: index.size, entries: offsets[examples], examples }, tagSet.tags.length);
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
    expect(() =>
      cutOffWithin(0, { offsets: Uint32Array.of(0, 0), indices: new Uint32Array(0), features: 0 }, 1, 4, 1),
    ).toThrow(OptionError);
  });

  it('refuses what would leave no feature', () => {
    const rows = { offsets: Uint32Array.of(0, 2, 3), indices: Uint32Array.of(0, 1, 0), features: 2 };
    const one = blockBytes({ features: 1, entries: 2, examples: 2 }, 4);
    expect(cutOffWithin(one, rows, 2, 4, 1)).toBe(2);
    expect(() => cutOffWithin(one - 1, rows, 2, 4, 1)).toThrow(/most frequent feature need/);
  });

  it('is for learners of binary problems', async () => {
    const training = train(corpus, configuration({ learner: 'perceptron' }), { fitMemory: 1e9 });
    await expect(training).rejects.toThrow(/--fit-memory goes with learners of binary problems/);
  });
});
