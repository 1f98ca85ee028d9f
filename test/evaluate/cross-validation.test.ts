import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFolds } from '../../src/data/folds.js';
import { curveFolds } from '../../src/evaluate/learning-curve.js';

const types = fc.array(fc.constantFrom('NP', 'VP', 'PP'), { maxLength: 4 });

describe('splitFolds', () => {
  it('puts every sentence into one fold, sizes differing by at most one, stratified or not', () => {
    fc.assert(
      fc.property(
        fc.array(types, { minLength: 5, maxLength: 60 }),
        fc.integer({ min: 2, max: 5 }),
        fc.boolean(),
        (strata, folds, stratified) => {
          const split = splitFolds(strata.length, folds, 1, stratified ? strata : undefined);
          const held = split.flatMap(({ heldOut }) => [...heldOut]).sort((a, b) => a - b);
          expect(held).toEqual([...strata.keys()]);
          const sizes = split.map(({ heldOut }) => heldOut.length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
          for (const { training, heldOut } of split) {
            expect([...training, ...heldOut].sort((a, b) => a - b)).toEqual([...strata.keys()]);
          }
        },
      ),
    );
  });

  it.each([1, 2.5, 11, Number.NaN])('refuses %d folds of ten sentences', (folds) => {
    expect(() => splitFolds(10, folds, 1)).toThrow(
      `--folds: expected an integer from 2 to the 10 sentences, found ${folds}`,
    );
  });

  it('gives each fold its share of a rare type when stratified', () => {
    const strata = Array.from({ length: 100 }, (_, i) => (i < 10 ? ['LST', 'NP'] : ['NP', 'VP']));
    const rare = (stratified: boolean) =>
      splitFolds(100, 10, 3, stratified ? strata : undefined).map(
        ({ heldOut }) => heldOut.filter((s) => s < 10).length,
      );
    expect(rare(true)).toEqual(new Array(10).fill(1));
    expect(Math.max(...rare(false))).toBeGreaterThan(1);
  });
});

describe('curveFolds', () => {
  it('grows the training part and leaves what is scored alone', () => {
    const split = splitFolds(40, 4, 1);
    const parts = curveFolds(split, [10, 50, 100], 1);
    expect(parts.map(({ size, fold }) => [fold, size])).toEqual(
      [0, 1, 2, 3].flatMap((fold) => [10, 50, 100].map((size) => [fold, size])),
    );
    for (const [fold, { training, heldOut }] of split.entries()) {
      const own = parts.filter((part) => part.fold === fold);
      expect(own.map((part) => part.training.length)).toEqual([3, 15, 30]);
      expect(own[2].training).toEqual(training);
      for (const part of own) expect(part.heldOut).toEqual(heldOut);
      expect([...own[0].training].every((s) => own[1].training.includes(s))).toBe(true);
    }
  });
});
