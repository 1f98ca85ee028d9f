import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beam } from '../../src/decode/beam.js';
import type { Decode } from '../../src/decode/decoder.js';
import { greedy } from '../../src/decode/greedy.js';
import { hybrid } from '../../src/decode/hybrid.js';
import { viterbi } from '../../src/decode/viterbi.js';
import { legalRow, legalSequences, makeProblem, type Problem, scoresAt, shapes } from './problems.js';

interface Path {
  readonly score: number;
  readonly labels: readonly number[];
}

const last = (path: Path, start: number, back: number): number => path.labels.at(-back) ?? start;

/** All extensions of a path by one legal label, from the unpruned scores. */
function extensions(problem: Problem, path: Path, order: number): Path[] {
  const t = path.labels.length;
  const history = [last(path, problem.labels, 1), last(path, problem.labels, 2)] as const;
  const legal = legalRow(problem, t, history[0]);
  const found: Path[] = [];
  scoresAt(problem, t, history, order, legal).forEach((score, c) => {
    if (legal[c] !== 0) found.push({ score: path.score + score, labels: [...path.labels, c] });
  });
  return found;
}

const falling = (paths: readonly Path[]): Path[] => [...paths].sort((a, b) => b.score - a.score);

/** Keeps, of paths in order of preference, the first of the highest score for each state; states in order. */
function bestByState(paths: readonly Path[], state: (path: Path) => number): Path[] {
  const best = new Map<number, Path>();
  for (const path of paths) {
    const rival = best.get(state(path));
    if (rival === undefined || path.score > rival.score) best.set(state(path), path);
  }
  return [...best.entries()].sort(([a], [b]) => a - b).map(([, path]) => path);
}

/** Dynamic programming without any pruning; predecessors by falling score, then rising state. */
function slowTrellis(problem: Problem, order: number, state: (path: Path) => number): Path {
  let paths: Path[] = [{ score: 0, labels: [] }];
  for (let t = 0; t < problem.length; t++) {
    const extended = falling(paths).flatMap((path) => extensions(problem, path, order));
    paths = bestByState(extended, state);
  }
  return falling(paths)[0];
}

function slowBeam(problem: Problem, order: number, width: number): Path {
  let paths: Path[] = [{ score: 0, labels: [] }];
  for (let t = 0; t < problem.length; t++) {
    paths = falling(paths.flatMap((path) => extensions(problem, path, order))).slice(0, width);
  }
  return paths[0];
}

function expectSame(problem: Problem, decode: Decode, expected: (problem: Problem) => Path): void {
  fc.pre(legalSequences(problem).length > 0);
  const out = new Uint16Array(problem.length);
  const total = decode(problem.scorer, problem.legality, problem.length, out);
  const path = expected(problem);
  expect({ score: total, labels: [...out] }).toEqual(path);
}

// Labels and scores must be the same to the last bit: pruning changes nothing, ties included.
describe('decoders against slow transcriptions of their definitions, without pruning', () => {
  it('hybrid: every label at −1, the label at −2 from its back-pointer', () => {
    fc.assert(
      fc.property(shapes(5, 5), (shape) => {
        const decode = hybrid.create({}, shape.labels);
        expectSame(makeProblem(shape), decode, (problem) =>
          slowTrellis(problem, 2, (path) => last(path, 0, 1)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('viterbi, order 1', () => {
    fc.assert(
      fc.property(shapes(5, 5), (shape) => {
        const decode = viterbi.create({ order: 1 }, shape.labels);
        expectSame(makeProblem(shape), decode, (problem) =>
          slowTrellis(problem, 1, (path) => last(path, 0, 1)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('viterbi, order 2', () => {
    fc.assert(
      fc.property(shapes(4, 5), (shape) => {
        const decode = viterbi.create({ order: 2 }, shape.labels);
        const pair = (path: Path): number =>
          last(path, shape.labels, 2) * shape.labels + last(path, shape.labels, 1);
        // Predecessors of a pair share the label at −1, so rising pairs are rising labels at −2.
        expectSame(makeProblem(shape), decode, (problem) => slowTrellis(problem, 2, pair));
      }),
      { numRuns: 300 },
    );
  });

  it.each([0, 1, 2] as const)('beam, order %i, small widths', (order) => {
    fc.assert(
      fc.property(shapes(5, 5), fc.integer({ min: 1, max: 6 }), (shape, width) => {
        const decode = beam.create({ order, beam: width }, shape.labels);
        expectSame(makeProblem(shape), decode, (problem) => slowBeam(problem, order, width));
      }),
      { numRuns: 200 },
    );
  });

  it.each([0, 1, 2] as const)('greedy, order %i: the best legal label, one token after another', (order) => {
    fc.assert(
      // Beyond ±300, σ is 1 for any two labels while greedy still tells their margins apart.
      fc.property(
        shapes(5, 6).filter((shape) => shape.scale < 10),
        (shape) => {
          const decode = greedy.create({ order }, shape.labels);
          expectSame(makeProblem(shape), decode, (problem) => slowBeam(problem, order, 1));
        },
      ),
      { numRuns: 200 },
    );
  });
});
