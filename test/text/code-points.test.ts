import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePointOffsets, countPairs } from '../../src/text/code-points.js';

const anyUnits = fc.string({ unit: fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀', '漢') });

test('offsets and pairs agree with what iterating over the string gives', () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      const offsets = codePointOffsets(text);
      let units = 0;
      let points = 0;
      for (const character of text) {
        expect(offsets ? offsets[units] : units).toBe(points);
        expect(countPairs(text, 0, units)).toBe(units - points);
        units += character.length;
        points++;
      }
      expect(offsets ? offsets[units] : units).toBe(points);
    }),
  );
});

test('text without surrogates needs no table', () => {
  expect(codePointOffsets('naïve 漢字')).toBeUndefined();
});

test('a place inside a pair counts as its end', () => {
  expect([...(codePointOffsets('a😀b') ?? [])]).toEqual([0, 1, 2, 2, 3]);
});
