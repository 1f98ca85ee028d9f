import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beam } from '../../src/decode/beam.js';
import { BestPaths } from '../../src/decode/best-paths.js';
import type { LabelDecoder } from '../../src/decode/decoder.js';
import { DECODERS } from '../../src/decode/decoders.js';
import { hybrid } from '../../src/decode/hybrid.js';
import { viterbi } from '../../src/decode/viterbi.js';
import { legalSequences, makeProblem, type Problem, sequenceScore, shapes } from './problems.js';

/** The k best paths with their scores, as `BestPaths` finds them. */
function find({ scorer, legality, length }: Problem, paths: BestPaths) {
  paths.find(scorer, legality, length);
  return Array.from(paths.scores.subarray(0, paths.found), (score, rank) => {
    const labels = new Uint16Array(length);
    paths.path(rank, labels);
    return { labels: [...labels], score };
  });
}

/** Different legal sequences, each with the score it has, and together as good as the best of all. */
function expectBest(problem: Problem, paths: BestPaths, k: number, order: number, everyLabel: boolean) {
  const sequences = legalSequences(problem);
  if (sequences.length === 0) {
    expect(() => find(problem, paths)).toThrow(expect.objectContaining({ code: 'no-legal-path' }));
    return;
  }
  const found = find(problem, paths);
  const scores = sequences.map((sequence) => sequenceScore(problem, sequence, order, everyLabel));
  scores.sort((a, b) => b - a);
  expect(found.length).toBe(Math.min(k, sequences.length));
  expect(new Set(found.map(({ labels }) => String(labels))).size).toBe(found.length);
  found.forEach(({ labels, score }, rank) => {
    expect(sequences).toContainEqual(labels);
    expect(score).toBe(sequenceScore(problem, labels, order, everyLabel));
    // Two paths that are equally good up to rounding may be told apart differently.
    expect(score).toBeGreaterThanOrEqual(scores[rank] - 1e-12 * Math.abs(scores[rank]));
    if (rank > 0) expect(score).toBeLessThanOrEqual(found[rank - 1].score);
  });
}

describe('BestPaths against exhaustive search', () => {
  it.each([0, 1, 2] as const)('the k best of viterbi at order %i', (order) => {
    fc.assert(
      fc.property(shapes(4, 5), fc.constantFrom(1, 3, 10), (shape, k) => {
        expectBest(makeProblem(shape), new BestPaths(viterbi.search({ order }), k), k, order, order === 0);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['hybrid', hybrid, {}],
    ['beam', beam, { beam: 1000 }],
  ] as const)('all paths, of %s kept wide enough', (_name, decoder, options) => {
    fc.assert(
      fc.property(shapes(3, 5), (shape) => {
        expectBest(makeProblem(shape), new BestPaths(decoder.search(options), 250), 250, 2, false);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the first of the best paths', () => {
  const decoders = Object.values(DECODERS).filter(
    (decoder): decoder is LabelDecoder => decoder.unit === 'label',
  );
  it.each(decoders.map((decoder) => [decoder.name, decoder] as const))('is that of %s', (_name, decoder) => {
    fc.assert(
      fc.property(shapes(5, 6), fc.constantFrom(1, 4), (anyShape, k) => {
        // Where log σ(2f) is 0 for several labels, greedy still tells them apart by f.
        fc.pre(anyShape.scale < 10 && !anyShape.ties);
        const problem = makeProblem(anyShape);
        fc.pre(legalSequences(problem).length > 0);
        const decode = decoder.create({}, problem.labels);
        const out = new Uint16Array(problem.length);
        const score = decode(problem.scorer, problem.legality, problem.length, out);
        // Hybrid of k paths may find a better one than its own, which goes by one path to each label.
        if (decoder.name === 'hybrid' && k > 1) return;
        expect(find(problem, new BestPaths(decoder.search({}), k))[0]).toEqual({ labels: [...out], score });
      }),
      { numRuns: 200 },
    );
  });
});
