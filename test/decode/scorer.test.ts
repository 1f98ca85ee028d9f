import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { labelTrellis } from '../../src/decode/label-trellis.js';
import { Legality } from '../../src/decode/legality.js';
import { Scorer } from '../../src/decode/scorer.js';
import { LINKS, makeProblem, shapes, tokenHistory } from './problems.js';

const everyLabel = (labels: number): Uint8Array => new Uint8Array(labels).fill(1);

/** Two labels, two lanes, one token with the given margins. */
function scorerOf(link: 'identity' | 'log-sigmoid' | 'log-softmax', margins: readonly number[]): Scorer {
  const scorer = new Scorer({ labels: margins.length, lanes: margins.length, link });
  scorer.reset(1);
  scorer.fixed.set(margins);
  scorer.moveTo(0);
  return scorer;
}

describe('Scorer', () => {
  it('adds fixed, first, second, pair and token history in this order, rounding each sum to float32', () => {
    const labels = 2;
    const lanes = 3;
    const at = (rows: number, row: number, value: number): Float32Array => {
      const table = new Float32Array(rows * lanes).fill(77);
      table[row * lanes + 1] = value;
      return table;
    };
    const scorer = new Scorer({
      labels,
      lanes,
      link: 'identity',
      first: at(3, 1, 2 ** -24),
      second: at(3, 2, 2 ** -24),
      pair: at(9, 1 * 3 + 2, 2 ** -23),
      tokenHistory: tokenHistory([[], [Float32Array.of(0, 0, 0, 0, 8, 0, 0, 0, 0)]], labels, lanes),
    });
    scorer.reset(2);
    scorer.fixed.set([5, 5, 5, 5, 1, 5]);
    const out = new Float64Array(labels);
    scorer.moveTo(1);
    scorer.scores(1, 2, everyLabel(labels), 0, out);
    // 1 + 2⁻²⁴ rounds to 1, twice; summed exactly, or in another order, it would be 9 + 2⁻²².
    expect(out[1]).toBe(Math.fround(1 + 2 ** -23 + 8));
    scorer.moveTo(0);
    scorer.scores(1, 2, everyLabel(labels), 0, out);
    expect(out[0]).toBe(5 + 77 * 3);
  });

  it.each(['simd', 'plain'] as const)(
    'forgets kinds of tokens where there is no more room, %s',
    (kernels) => {
      const labels = 3;
      const length = 700;
      const tables = Array.from({ length }, (_, t) => [
        Float32Array.from({ length: 16 }, (_, i) => Math.sin(t * 16 + i) * 3),
      ]);
      const own = tokenHistory(tables, labels, 4);
      // So many runs leave room for a few bases more than a stretch has.
      const baseRuns = 8000;
      const scorer = new Scorer({
        labels,
        lanes: 4,
        link: 'identity',
        kernels,
        tokenHistory: {
          ...own,
          baseRuns,
          writeRuns(keys, keyAt, first, count, out, at) {
            out.fill(0, at, at + 2 * count);
            own.writeRuns(keys, keyAt, first, Math.min(1, count), out, at);
          },
        },
      });
      const legality = new Legality(new Uint8Array(16).fill(1), labels);
      scorer.reset(length);
      const found = new Uint16Array(length);
      const total = labelTrellis(labels, 1)(scorer, legality, length, found);
      expect(scorer.trellis.canLabelStretches(legality, length, 2)).toBe(true);
      let best = Float64Array.from(tables[0][0].subarray(12, 15));
      for (let t = 1; t < length; t++) {
        best = Float64Array.from(best, (_, c) =>
          Math.max(...best.map((score, p) => score + tables[t][0][p * 4 + c])),
        );
      }
      expect(total).toBe(Math.max(...best));
    },
  );

  it('asks tokenHistory once per position, and reset zeroes the fixed part', () => {
    const calls: number[] = [];
    const scorer = new Scorer({
      labels: 2,
      lanes: 2,
      link: 'identity',
      tokenHistory: {
        ...tokenHistory([[new Float32Array(6)]], 2, 2),
        writeKeys: (from) => {
          calls.push(from);
        },
      },
    });
    scorer.reset(1000);
    expect(scorer.fixed.length).toBeGreaterThanOrEqual(2000);
    scorer.fixed.fill(3);
    scorer.reset(10);
    expect(scorer.fixed.subarray(0, 20)).toEqual(new Float32Array(20));
    expect(scorer.length).toBe(10);
    const out = new Float64Array(2);
    scorer.moveTo(4);
    for (let previous = 0; previous < 3; previous++) scorer.scores(previous, 2, everyLabel(2), 0, out);
    scorer.argmax(0, 0, everyLabel(2), 0);
    expect(calls).toEqual([4]);
  });

  it.each([
    ['identity', [0.5, -2], [0.5, -2]],
    ['log-sigmoid', [0.5, -2], [Math.log(1 / (1 + Math.exp(-1))), Math.log(1 / (1 + Math.exp(4)))]],
    ['log-sigmoid', [1000, -1000], [0, -2000]],
    ['log-softmax', [0.5, -2], [-Math.log1p(Math.exp(-2.5)), -2.5 - Math.log1p(Math.exp(-2.5))]],
    ['log-softmax', [1000, -1000], [0, -2000]],
    ['log-softmax', [-1000, -1000], [-Math.LN2, -Math.LN2]],
  ] as const)('link %s of %j', (link, margins, expected) => {
    const out = new Float64Array(2);
    const scorer = scorerOf(link, margins);
    scorer.scores(2, 2, everyLabel(2), 0, out);
    for (let c = 0; c < 2; c++) expect(out[c]).toBeCloseTo(expected[c], 10);
    for (let c = 0; c < 2; c++) {
      scorer.argmax(2, 2, everyLabel(2), 0);
      // `scores` starts from +0, so it never says −0.
      expect(0 + scorer.lastScore(c)).toBe(out[c]);
    }
  });

  it('gives illegal labels −Infinity, and normalises log-softmax over them all the same', () => {
    const out = new Float64Array(2);
    scorerOf('log-softmax', [0, 0]).scores(2, 2, Uint8Array.of(9, 9, 1, 0), 2, out);
    expect(out).toEqual(Float64Array.of(-Math.LN2, -Infinity));
  });

  it('hands all lanes and the legal labels to the decision rule, then applies the link', () => {
    const scorer = new Scorer({
      labels: 2,
      lanes: 4,
      link: 'log-sigmoid',
      decide: (margins, legal, legalAt, out) => {
        for (let c = 0; c < 2; c++) out[c] = margins[2 + c] + 10 * legal[legalAt + 1];
        return 2;
      },
    });
    scorer.reset(1);
    scorer.fixed.set([9, 9, -10, -9]);
    scorer.moveTo(0);
    const out = new Float64Array(2);
    scorer.scores(2, 2, Uint8Array.of(7, 1, 1), 1, out);
    expect(out[0]).toBeCloseTo(-Math.LN2, 12);
    expect(out[1]).toBeCloseTo(Math.log(1 / (1 + Math.exp(-2))), 12);
    scorer.scores(2, 2, Uint8Array.of(7, 0, 1), 1, out);
    expect(out[0]).toBe(-Infinity);
    expect(scorer.argmax(2, 2, Uint8Array.of(7, 1, 1), 1)).toBe(1);
    expect(scorer.argmax(2, 2, Uint8Array.of(7, 1, 0), 1)).toBe(0);
  });

  it('normalises log-softmax over what the decision rule may offer', () => {
    const scorer = new Scorer({
      labels: 2,
      lanes: 2,
      link: 'log-softmax',
      decide: (_margins, _legal, _legalAt, out) => out.fill(3).length,
    });
    scorer.reset(1);
    scorer.moveTo(0);
    const out = new Float64Array(2);
    scorer.scores(2, 2, Uint8Array.of(0, 1), 0, out);
    expect(out).toEqual(Float64Array.of(-Infinity, 0));
    scorer.scores(2, 2, everyLabel(2), 0, out);
    expect(out[0]).toBeCloseTo(-Math.LN2, 12);
    expect(out[1]).toBe(out[0]);
  });

  it('argmax takes the lowest of equals, skips illegal labels, and says −1 when none is legal', () => {
    for (const link of LINKS) {
      const scorer = scorerOf(link, [3, 1, 2, 2]);
      expect(scorer.argmax(4, 4, everyLabel(4), 0)).toBe(0);
      expect(scorer.argmax(4, 4, Uint8Array.of(0, 1, 1, 1), 0)).toBe(2);
      expect(scorer.argmax(4, 4, new Uint8Array(4), 0)).toBe(-1);
    }
    // σ saturates: only the margins still tell these two apart.
    expect(scorerOf('log-sigmoid', [500, 1000]).argmax(2, 2, everyLabel(2), 0)).toBe(1);
  });

  it('extend loses nothing that exceeds its floor, and gives exactly pathScore + score', () => {
    fc.assert(
      fc.property(shapes(6, 1), fc.double({ min: -5, max: 0, noNaN: true }), (shape, pathScore) => {
        const { scorer, labels } = makeProblem(shape);
        const legal = Uint8Array.from({ length: labels }, (_, c) => (shape.seed >> c) & 1);
        const floor = Float64Array.from({ length: labels }, (_, c) => pathScore - ((shape.seed >> c) & 3));
        const scores = new Float64Array(labels);
        const extended = new Float64Array(labels);
        scorer.moveTo(0);
        scorer.scores(labels - 1, 0, legal, 0, scores);
        const any = scorer.extend(labels - 1, 0, legal, 0, pathScore, floor, extended);
        expect(any).toBe(extended.some((value) => value !== -Infinity));
        for (let c = 0; c < labels; c++) {
          const full = pathScore + scores[c];
          if (full > floor[c] || extended[c] !== -Infinity) expect(extended[c]).toBe(full);
        }
      }),
    );
  });

  it.each(['plain', 'simd'] as const)('extendPaths finds the best path to every label: %s', (kernels) => {
    let ties = 0;
    fc.assert(
      fc.property(shapes(8, 1), (shape) => {
        const { scorer, labels } = makeProblem({ ...shape, kernels });
        const random = new Random(shape.seed, 1);
        const legal = Uint8Array.from({ length: labels * labels }, () => random.below(4));
        const { scores, previous, beforePrevious, best, from } = scorer.trellis.paths;
        for (let k = 0; k < labels; k++) {
          const isThere = random.below(5) > 0;
          scores[k] = isThere ? -(1 + random.below(20)) * 0.3 * shape.scale : -Infinity;
          previous[k] = k;
          beforePrevious[k] = random.below(labels + 1);
        }
        scorer.moveTo(0);
        scorer.trellis.extendPaths(labels, legal, 0);
        const own = new Float64Array(labels);
        const expected = new Float64Array(labels).fill(-Infinity);
        const expectedFrom = new Uint16Array(labels);
        for (let k = 0; k < labels; k++) {
          scorer.scores(k, beforePrevious[k], legal, k * labels, own);
          for (let c = 0; c < labels; c++) {
            const score = scores[k] + own[c];
            if (score === -Infinity || score < expected[c]) continue;
            // Of equals the one of higher score, then the first.
            if (score === expected[c]) ties++;
            if (score === expected[c] && scores[k] <= scores[expectedFrom[c]]) continue;
            expected[c] = score;
            expectedFrom[c] = k;
          }
        }
        expect([best, from]).toEqual([expected, expectedFrom]);
      }),
      { numRuns: 1000, seed: 1 },
    );
    expect(ties).toBeGreaterThan(20);
  });

  it.each(['plain', 'simd'] as const)(
    'labels many tokens at once as it does one by one, where kernels can: %s',
    (kernels) => {
      let done = 0;
      let long = 0;
      const lengths = fc.oneof(fc.constantFrom(1, 2, 5, 12), fc.constantFrom(256, 257, 258, 600));
      fc.assert(
        fc.property(shapes(17, 1), lengths, fc.boolean(), (shape, length, hybrid) => {
          const problem = makeProblem({ ...shape, length, kernels, decide: false });
          const { scorer, labels, legality } = problem;
          const start = legality.mask(length - 1, labels);
          if (!legality.rows.subarray(start, start + labels).includes(1)) return;
          const out = new Uint16Array(length);
          const total = scorer.trellis.greedyPath(legality, length, 2, out);
          const { best, from, scores, previous, beforePrevious } = scorer.trellis.paths;
          const isDone = scorer.trellis.canLabelStretches(legality, length, 2);
          const path = new Uint16Array(length);
          const found = isDone ? scorer.trellis.bestPath(length, hybrid, path) : 0;
          expect(isDone).toBe(total !== undefined || (shape.tokenHistory && shape.link !== 'log-softmax'));
          if (!isDone) return;
          expect(shape.link).not.toBe('log-softmax');
          done++;
          if (length > 256) long++;

          let sum = 0;
          let p = labels;
          let b = labels;
          for (let t = 0; t < length && total !== undefined; t++) {
            scorer.moveTo(t);
            const label = scorer.argmax(p, b, legality.rows, legality.mask(length - 1 - t, p));
            sum += scorer.lastScore(label);
            expect(out[t]).toBe(label);
            b = p;
            p = label;
          }
          // The kernel adds up stretch by stretch.
          if (total !== undefined) expect(Math.abs(total - sum)).toBeLessThanOrEqual(1e-12 * Math.abs(sum));

          const all = [new Uint16Array(labels).fill(labels)];
          scorer.moveTo(0);
          scorer.scores(labels, labels, legality.rows, start, best);
          for (let t = 1; t < length; t++) {
            for (let c = 0; c < labels; c++) {
              scores[c] = best[c];
              previous[c] = c;
              beforePrevious[c] = hybrid ? all[t - 1][c] : labels;
            }
            scorer.moveTo(t);
            scorer.trellis.extendPaths(labels, legality.rows, legality.mask(length - 1 - t, 0));
            all.push(from.slice());
          }
          expect(found).toBe(Math.max(...best));
          for (let t = length - 1, label = best.indexOf(found); t >= 0; t--) {
            expect(path[t]).toBe(label);
            label = all[t][label];
          }
        }),
        { numRuns: 300, seed: 1 },
      );
      expect(done).toBeGreaterThan(60);
      expect(long).toBeGreaterThan(20);
    },
  );
});
