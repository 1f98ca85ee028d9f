import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { independent } from '../../src/decode/independent.js';
import { labelTrellis } from '../../src/decode/label-trellis.js';
import { Legality } from '../../src/decode/legality.js';
import { Scorer } from '../../src/decode/scorer.js';

describe.each(['plain', 'simd'] as const)('labelTrellis at order 0: %s', (kernels) => {
  it('finds by the kernel what is found token by token', () => {
    let constrained = 0;
    const shape = fc.record({
      labels: fc.integer({ min: 1, max: 9 }),
      length: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(256, 257, 513)),
      link: fc.constantFrom('identity' as const, 'log-sigmoid' as const),
      ties: fc.boolean(),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(shape, ({ labels, length, link, ties, seed }) => {
        const random = new Random(seed);
        const scorer = new Scorer({ labels, lanes: labels, link, kernels });
        const allowed = Uint8Array.from({ length: (labels + 1) ** 2 }, () => (random.below(4) > 0 ? 1 : 0));
        const legality = new Legality(allowed, labels);
        const start = legality.mask(length - 1, labels);
        if (!legality.rows.subarray(start, start + labels).includes(1)) return;
        scorer.reset(length);
        for (let i = 0; i < length * labels; i++) {
          const margin = (random.next() / 2 ** 31 - 1) * 3;
          scorer.fixed[i] = ties ? Math.round(margin) : margin;
        }
        expect(scorer.trellis.canLabelStretches(legality, length, 0)).toBe(true);
        const expected = new Uint16Array(length);
        const found = new Uint16Array(length);
        const total = independent(labels)(scorer, legality, length, expected);
        const own = labelTrellis(labels, 0)(scorer, legality, length, found);
        expect(Math.abs(own - total)).toBeLessThanOrEqual(1e-12 * Math.abs(total));
        expect(legality.allows(found, length)).toBe(true);
        const best = new Uint16Array(length);
        scorer.trellis.greedyPath(undefined, length, 0, best);
        if (!legality.allows(best, length)) constrained++;
        if (!ties) expect(found).toEqual(expected);
      }),
      { seed: 1, numRuns: 200 },
    );
    expect(constrained).toBeGreaterThan(40);
  });
});
