import { describe, expect, it, vi } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { chooseParts, partOptions, partsDeclaring } from '../../src/tasks/parts.js';

// A strategy that goes with one decoder only, and options that parts share or own.
vi.mock('../../src/reduce/reductions.js', async (original) => {
  const { REDUCTIONS } = (await original()) as typeof import('../../src/reduce/reductions.js');
  const vote = {
    ...REDUCTIONS.ova,
    name: 'vote',
    gives: 'decisions' as const,
    options: [{ name: 'votes', kind: 'integer', default: 3, min: 1, help: '' }],
  };
  return { REDUCTIONS: { ...REDUCTIONS, vote } };
});

const DEFAULTS = { learner: 'svm', strategy: 'ova', decoder: 'hybrid', C: 2 };

describe('chooseParts', () => {
  it('takes defaults, and every option of the parts: given, then default, then declared', () => {
    expect(chooseParts({}, DEFAULTS)).toEqual({
      learner: 'svm',
      strategy: 'ova',
      decoder: 'hybrid',
      options: { C: 2, loss: 'l2', epochs: 10, epsilon: 0.01 },
    });
    expect(chooseParts({ C: 1, epochs: '3' }, DEFAULTS).options).toMatchObject({ C: 1, epochs: 3 });
  });

  it('lets options of a part chosen come in, and leaves out defaults of parts not chosen', () => {
    expect(chooseParts({ decoder: 'beam', beam: 7 }, DEFAULTS).options).toMatchObject({ beam: 7, order: 2 });
    expect(chooseParts({ decoder: 'viterbi' }, { ...DEFAULTS, beam: 3 }).options).not.toHaveProperty('beam');
  });

  it('lets a default decoder give way to what was given', () => {
    expect(chooseParts({ strategy: 'vote' }, DEFAULTS)).toMatchObject({
      strategy: 'vote',
      decoder: 'greedy',
      options: { votes: 3, order: 2 },
    });
  });

  it('refuses given parts that do not go together', () => {
    expect(() => chooseParts({ strategy: 'vote', decoder: 'beam' }, DEFAULTS)).toThrow(
      new OptionError('decoder', '--decoder beam does not go with --strategy vote: expected greedy'),
    );
    expect(chooseParts({ strategy: 'vote', decoder: 'greedy' }, DEFAULTS).decoder).toBe('greedy');
  });

  it.each([
    [
      { beam: 3 },
      'beam',
      '--beam belongs to decoder beam; this configuration has learner svm, strategy ova and',
    ],
    [{ order: 1 }, 'order', '--order belongs to decoder greedy, decoder beam or decoder viterbi; this'],
    [{ votes: 3 }, 'votes', '--votes belongs to strategy vote'],
    [
      { banana: 3 },
      'banana',
      'unknown option "banana"; expected learner, strategy, decoder, scheme, tokenizer, direction, templates',
    ],
    [{ toString: 3 }, 'toString', 'unknown option "toString"'],
    [
      { learner: 'oracle' },
      'learner',
      '--learner: expected svm, logistic, arow, crammer-singer, maxent, perceptron, crf, crf-adf, structured-svm, hmm or mira, found',
    ],
    [
      { strategy: 'x' },
      'strategy',
      '--strategy: expected ova, ovo, dag, ecoc, tree, c-ova, hc-ova or vote, found "x"',
    ],
    [
      { decoder: 'x' },
      'decoder',
      '--decoder: expected greedy, beam, viterbi, hybrid or semi-markov, found "x"',
    ],
    [{ decoder: 'toString' }, 'decoder', '--decoder: expected greedy'],
    [{ C: 0 }, 'C', '--C: expected a number > 0, found 0'],
    [{ decoder: 'beam', beam: 0 }, 'beam', '--beam: expected an integer ≥ 1 and ≤ 10000, found 0'],
  ])('refuses %j', (given, option, message) => {
    expect(() => chooseParts(given as never, DEFAULTS)).toThrow(expect.objectContaining({ option }));
    expect(() => chooseParts(given as never, DEFAULTS)).toThrow(message);
  });

  it('gives learners of all labels no strategy, and a decoder that they go with', () => {
    const parts = chooseParts({ learner: 'maxent' }, DEFAULTS);
    expect(parts).toMatchObject({ learner: 'maxent', decoder: 'hybrid' });
    expect(parts).not.toHaveProperty('strategy');
    expect(chooseParts({ learner: 'crf' }, DEFAULTS)).toMatchObject({
      decoder: 'viterbi',
      options: { order: 1 },
    });
    expect(chooseParts({ learner: 'crf', order: 0 }, DEFAULTS).options).toMatchObject({ order: 0 });
  });

  it('does not take defaults that are meant for another learner', () => {
    expect(chooseParts({ learner: 'structured-svm' }, DEFAULTS).options.C).toBe(0.02);
    expect(chooseParts({ learner: 'structured-svm', C: 3 }, DEFAULTS).options.C).toBe(3);
  });

  it.each([
    [
      { learner: 'crf', strategy: 'ova' },
      '--strategy ova does not go with --learner crf, which learns all labels at once: expected none',
    ],
    [
      { learner: 'crf', decoder: 'greedy' },
      '--decoder greedy does not go with --learner crf: expected viterbi',
    ],
    [{ learner: 'crf', order: 2 }, '--order: expected 0 or 1 with --learner crf, found 2'],
    [
      { learner: 'maxent', epochs: 1 },
      'learner maxent, no strategy and decoder hybrid, whose options are --l2',
    ],
    [{ learner: 'perceptron', l2: 1 }, 'this configuration has learner perceptron, no strategy and decoder'],
  ])('refuses %j', (given, message) => {
    expect(() => chooseParts(given as never, DEFAULTS)).toThrow(message);
  });

  it('leaves options common to all configurations alone', () => {
    expect(chooseParts({ seed: 4, scheme: 'iob2' }, DEFAULTS).options).not.toHaveProperty('seed');
  });
});

describe('options of parts', () => {
  it('are listed once each', () => {
    const names = partOptions().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['C', 'loss', 'votes', 'beam', 'order']));
  });

  it('know their owners', () => {
    expect(partsDeclaring('C')).toEqual([
      'learner svm',
      'learner logistic',
      'learner crammer-singer',
      'learner structured-svm',
    ]);
    expect(partsDeclaring('order')).toEqual(['decoder greedy', 'decoder beam', 'decoder viterbi']);
    expect(partsDeclaring('scheme')).toEqual([]);
  });
});
