import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BestCandidates } from '../../src/decode/best-candidates.js';

it('keeps the best by score, then lower key, and starts anew after sorting', () => {
  const rounds = fc.array(fc.array(fc.integer({ min: -5, max: 5 })), { maxLength: 3 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), rounds, (capacity, streams) => {
      const best = new BestCandidates(capacity);
      for (const stream of streams) {
        stream.forEach((score, key) => {
          best.offer(score, key);
          expect(best.floor()).toBe(
            key + 1 < capacity ? -Infinity : stream.slice(0, key + 1).sort((a, b) => b - a)[capacity - 1],
          );
        });
        const expected = stream
          .map((score, key) => [score, key] as const)
          .sort((a, b) => b[0] - a[0] || a[1] - b[1])
          .slice(0, capacity);
        const kept = best.sort();
        const found = Array.from({ length: kept }, (_, i) => [best.scores[i], best.keys[i]]);
        expect(found).toEqual(expected);
      }
    }),
  );
});
