import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Legality } from '../../src/decode/legality.js';
import { legalRow, makeProblem, shapes } from './problems.js';

/** A matrix [(L+1) × (L+1)] from `a>b` pairs of one-letter names; `^` is the start, `$` the end. */
function matrix(names: string, pairs: string): Uint8Array {
  const size = names.length + 1;
  const allowed = new Uint8Array(size * size);
  for (const [from, , to] of pairs.split(' ')) {
    const row = from === '^' ? size - 1 : names.indexOf(from);
    const column = to === '$' ? size - 1 : names.indexOf(to);
    allowed[row * size + column] = 1;
  }
  return allowed;
}

const row = (legality: Legality, remaining: number, previous: number): number[] => {
  const at = legality.mask(remaining, previous);
  return [...legality.rows.subarray(at, at + legality.labels)];
};

describe('Legality', () => {
  it('offers exactly the labels from which a legal end is reachable in the remaining steps', () => {
    fc.assert(
      fc.property(shapes(6, 12), (shape) => {
        const problem = makeProblem(shape);
        for (let t = 0; t < problem.length; t++) {
          for (let previous = 0; previous <= problem.labels; previous++) {
            expect(row(problem.legality, problem.length - 1 - t, previous)).toEqual([
              ...legalRow(problem, t, previous),
            ]);
          }
        }
      }),
    );
  });

  it('sees a dead end two steps ahead', () => {
    // a must go on to b, b to c, and only c may end.
    const legality = new Legality(matrix('abc', '^>a ^>c a>b b>c c>a c>c c>$'), 3);
    expect(row(legality, 0, 3)).toEqual([0, 0, 1]);
    expect(row(legality, 1, 3)).toEqual([0, 0, 1]);
    expect(row(legality, 2, 3)).toEqual([1, 0, 1]);
  });

  it('stays small for long sentences, also where the sets alternate', () => {
    // Cycles of lengths 2 and 3 entered at the start: ends recur every 6 steps and the sets never settle.
    const legality = new Legality(matrix('abcde', '^>a ^>c a>b b>a c>d d>e e>c a>$ c>$'), 5);
    const starts = (remaining: number): number[] => row(legality, remaining, 5);
    for (const remaining of [0, 1, 2, 3, 4, 5, 99_996, 99_999, 99_998]) {
      const expected = [remaining % 2 === 0 ? 1 : 0, 0, remaining % 3 === 0 ? 1 : 0, 0, 0];
      expect(starts(remaining)).toEqual(expected);
    }
    expect(legality.rows.length).toBeLessThan(1000);
  });

  it('keeps rows in place once a path was required', () => {
    const legality = new Legality(matrix('abcde', '^>a ^>c a>b b>a c>d d>e e>c a>$ c>$'), 5);
    legality.requirePath(1000);
    const { rows } = legality;
    for (let remaining = 0; remaining < 1000; remaining++) legality.mask(remaining, 0);
    expect(legality.rows).toBe(rows);
  });

  it('reports that there is no legal path, and for which length', () => {
    const legality = new Legality(matrix('ab', '^>a a>b b>a b>$'), 2);
    legality.requirePath(0);
    legality.requirePath(2);
    expect(() => legality.requirePath(3)).toThrow(/length 3/);
    expect(() => legality.requirePath(3)).toThrow(expect.objectContaining({ code: 'no-legal-path' }));
  });
});
