import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenConfidences } from '../../src/decode/confidence.js';
import { Legality } from '../../src/decode/legality.js';
import { Scorer } from '../../src/decode/scorer.js';
import { legalRow, legalSequences, makeProblem, scoresAt, shapes } from './problems.js';

describe('tokenConfidences', () => {
  it('is the label’s probability over the sum for the labels legal there', () => {
    fc.assert(
      fc.property(shapes(4, 4), (shape) => {
        fc.pre(shape.scale < 10);
        const problem = makeProblem(shape);
        const { labels, length, scorer, legality } = problem;
        const sequences = legalSequences(problem);
        fc.pre(sequences.length > 0);
        const path = Uint16Array.from(sequences[shape.seed % sequences.length]);
        const out = new Float32Array(length);
        tokenConfidences(scorer, legality, path, length, out);
        for (let t = 0; t < length; t++) {
          const history = [t > 0 ? path[t - 1] : labels, t > 1 ? path[t - 2] : labels] as const;
          const legal = legalRow(problem, t, history[0]);
          const probabilities = scoresAt(problem, t, history, 2, legal).map(Math.exp);
          const sum = probabilities.reduce((a, b) => a + b);
          expect(out[t]).toBeCloseTo(probabilities[path[t]] / sum, 6);
        }
      }),
    );
  });

  it('at a temperature is the softmax of the margins of the labels legal there', () => {
    fc.assert(
      fc.property(shapes(4, 4), fc.constantFrom(0.5, 1, 3), (shape, temperature) => {
        fc.pre(shape.scale < 10);
        const problem = makeProblem(shape);
        // The same numbers with nothing done to them.
        const margins = makeProblem({ ...shape, link: 'identity' });
        const { labels, length, scorer, legality } = problem;
        const sequences = legalSequences(problem);
        fc.pre(sequences.length > 0);
        const path = Uint16Array.from(sequences[shape.seed % sequences.length]);
        const out = new Float32Array(length);
        tokenConfidences(scorer, legality, path, length, out, temperature);
        for (let t = 0; t < length; t++) {
          const history = [t > 0 ? path[t - 1] : labels, t > 1 ? path[t - 2] : labels] as const;
          const legal = legalRow(problem, t, history[0]);
          const powers = scoresAt(margins, t, history, 2, legal).map((score) =>
            Math.exp(score / temperature),
          );
          expect(out[t]).toBeCloseTo(powers[path[t]] / powers.reduce((a, b) => a + b), 6);
        }
      }),
    );
  });

  it('stays between 0 and 1 at margins of ±1000, also if every label is improbable', () => {
    for (const seed of [1, 2, 3]) {
      const shape = { seed, labels: 3, length: 5, link: 'log-sigmoid', scale: 1000, ties: false } as const;
      const { scorer, legality } = makeProblem({ ...shape, tokenHistory: false, decide: false, density: 10 });
      for (let i = 0; i < 15; i++) scorer.fixed[i] -= 5000;
      const out = new Float32Array(5);
      tokenConfidences(scorer, legality, Uint16Array.of(0, 1, 2, 1, 0), 5, out);
      for (const value of out) expect(value >= 0 && value <= 1).toBe(true);
    }
  });

  it('is 0 for a label that is not legal, 1 for the only legal one', () => {
    // Two labels; the first may not begin a sentence.
    const legality = new Legality(Uint8Array.of(1, 1, 1, 1, 1, 1, 0, 1, 1), 2);
    const scorer = new Scorer({ labels: 2, lanes: 2, link: 'identity' });
    scorer.reset(2);
    const out = new Float32Array(2);
    tokenConfidences(scorer, legality, Uint16Array.of(0, 1), 2, out);
    expect([...out]).toEqual([0, 0.5]);
    tokenConfidences(scorer, legality, Uint16Array.of(1, 1), 2, out);
    expect([...out]).toEqual([1, 0.5]);
  });
});
