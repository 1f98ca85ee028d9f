import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beam } from '../../src/decode/beam.js';
import type { Decode } from '../../src/decode/decoder.js';
import { viterbi } from '../../src/decode/viterbi.js';
import { legalSequences, makeProblem, type Problem, sequenceScore, shapes } from './problems.js';

/** The decoder's answer must be legal, score what it says, and be as good as the best of all legal sequences. */
function expectBest(problem: Problem, decode: Decode, order: number, everyLabel: boolean): void {
  const { scorer, legality, length } = problem;
  const sequences = legalSequences(problem);
  const out = new Uint16Array(length);
  if (sequences.length === 0) {
    expect(() => decode(scorer, legality, length, out)).toThrow(
      expect.objectContaining({ code: 'no-legal-path' }),
    );
    return;
  }
  const total = decode(scorer, legality, length, out);
  expect(sequences).toContainEqual([...out]);
  const best = Math.max(...sequences.map((sequence) => sequenceScore(problem, sequence, order, everyLabel)));
  expect(sequenceScore(problem, out, order, everyLabel)).toBe(total);
  // Two paths that are equally good up to rounding may be told apart differently.
  expect(total).toBeGreaterThanOrEqual(best - 1e-12 * Math.abs(best));
}

describe('exact decoders against exhaustive search', () => {
  it.each([0, 1, 2] as const)('viterbi of order %i', (order) => {
    const decoders = [1, 2, 3, 4].map((labels) => viterbi.create({ order }, labels));
    fc.assert(
      fc.property(shapes(4, 6), (shape) => {
        expectBest(makeProblem(shape), decoders[shape.labels - 1], order, order === 0);
      }),
      { numRuns: 300 },
    );
  });

  it.each([0, 1, 2] as const)('beam wide enough for every hypothesis, order %i', (order) => {
    const decoders = [1, 2, 3].map((labels) => beam.create({ order, beam: 1000 }, labels));
    fc.assert(
      fc.property(shapes(3, 6), (shape) => {
        expectBest(makeProblem(shape), decoders[shape.labels - 1], order, false);
      }),
      { numRuns: 200 },
    );
  });
});
