import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathMarginals } from '../../src/decode/marginals.js';
import { legalSequences, makeProblem, sequenceScore, shapes } from './problems.js';

describe('pathMarginals', () => {
  it('are those of all legal sequences together', () => {
    fc.assert(
      fc.property(shapes(4, 5), fc.constantFrom(0.5, 1, 3), (anyShape, temperature) => {
        fc.pre(anyShape.scale < 10);
        const problem = makeProblem({ ...anyShape, link: 'identity', decide: false });
        const { length, scorer, legality } = problem;
        const sequences = legalSequences(problem);
        fc.pre(sequences.length > 0);
        const path = Uint16Array.from(sequences[anyShape.seed % sequences.length]);
        const out = new Float32Array(length);
        const logTotal = pathMarginals(scorer, legality, path, length, out, temperature);
        const weights = sequences.map((sequence) =>
          Math.exp(sequenceScore(problem, sequence, 1, false) / temperature),
        );
        const total = weights.reduce((sum, weight) => sum + weight);
        expect(logTotal).toBeCloseTo(Math.log(total), 9);
        path.forEach((label, t) => {
          const containing = weights.filter((_, i) => sequences[i][t] === label);
          expect(out[t]).toBeCloseTo(containing.reduce((sum, weight) => sum + weight, 0) / total, 5);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('neither underflow nor overflow on 10,000 tokens with large scores', () => {
    const shape = { seed: 4, labels: 3, length: 10000, link: 'identity', scale: 1000, ties: false } as const;
    const { scorer, legality } = makeProblem({ ...shape, tokenHistory: true, decide: false, density: 10 });
    const out = new Float32Array(10000);
    pathMarginals(scorer, legality, new Uint16Array(10000), 10000, out);
    expect(out.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});
