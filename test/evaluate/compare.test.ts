import { describe, expect, it } from 'vitest';
import { DISTRIBUTIONS as distributions } from '../../src/cli/distributions.js';
import { compareOutputs } from '../../src/evaluate/compare.js';

describe('compareOutputs', () => {
  const gold = [
    ['B-X', 'E-X', 'B-X', 'E-X'],
    ['O', 'B-X', 'E-X', 'O'],
  ];
  const first = { name: 'first', gold, predicted: gold };
  const second = { name: 'second', gold, predicted: [['B-X', 'E-X', 'S-X', 'S-X'], gold[1]] };

  it('counts the same gold chunks for both, whichever comes first, where only one has an S', () => {
    const there = compareOutputs(first, second, { distributions, rounds: 100 });
    const back = compareOutputs(second, first, { distributions, rounds: 100 });
    expect(there.scores.map(({ gold: chunks }) => chunks)).toEqual([3, 3]);
    // Of 3 chunks the second finds 2, among 4.
    expect(there.scores[1].f1).toBeCloseTo((200 * 2) / 7, 10);
    expect(there.randomisation.difference).toBeCloseTo(100 - (200 * 2) / 7, 10);
    expect(back.randomisation.difference).toBeCloseTo((200 * 2) / 7 - 100, 10);
    expect(back.chunks).toEqual({ onlyFirst: 0, onlySecond: 1 });
  });

  it('reads tags in the scheme that a system says', () => {
    const labels = {
      name: 'labels',
      gold: [['NN', 'VB']],
      predicted: [['NN', 'NN']],
      scheme: 'token' as const,
    };
    expect(compareOutputs(labels, labels, { distributions, rounds: 100 }).scores[0]).toMatchObject({
      gold: 2,
      correct: 1,
    });
  });
});
