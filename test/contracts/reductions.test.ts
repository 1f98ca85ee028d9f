import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import type { OptionValues } from '../../src/base/options.js';
import { Random } from '../../src/base/random.js';
import { interiorLabels } from '../../src/reduce/c-ova.js';
import { expectedEvaluations, trainingCost } from '../../src/reduce/cost.js';
import { drawTree } from '../../src/reduce/draw-tree.js';
import { laneBlocks, problemSizes } from '../../src/reduce/lane-blocks.js';
import type { Decide, LabelStatistics, Reduction } from '../../src/reduce/reduction.js';
import { REDUCTIONS } from '../../src/reduce/reductions.js';
import { readTree } from '../../src/reduce/tree.js';
import { TagSet } from '../../src/tags/tag-set.js';

/** Tags B-X and I-X of `types` types, and O, as IOB2 read forward has them. */
function statistics(types: number, seed: number): LabelStatistics {
  const names = Array.from({ length: types }, (_, i) => `T${i}`);
  const spans = names.flatMap((type, i) => [
    { start: 4 * i, end: 4 * i + 2, type },
    { start: 4 * i + 2, end: 4 * i + 3, type },
  ]);
  const tagSet = TagSet.learn('iob2', 'forward', [{ spans, length: 4 * types }]);
  const random = new Random(seed);
  const labels = tagSet.tags.length;
  const counts = Uint32Array.from({ length: labels }, () => 1 + random.below(50));
  const vectors = Array.from({ length: labels }, () => Array.from({ length: 6 }, () => random.below(9)));
  const products = () =>
    Float64Array.from({ length: labels * labels }, (_, at) =>
      vectors[Math.floor(at / labels)].reduce((sum, v, i) => sum + v * vectors[at % labels][i], 0),
    );
  return { tagSet, counts, products, seed };
}

const VARIANTS: [string, Reduction, OptionValues][] = Object.entries(REDUCTIONS).flatMap(
  ([name, reduction]) =>
    name === 'ecoc'
      ? ['minimal', 'dense', 'sparse'].flatMap((code) =>
          ['hamming', 'loss'].map((decoding): [string, Reduction, OptionValues] => [
            `${name} ${code} ${decoding}`,
            reduction,
            { code, decoding },
          ]),
        )
      : [[name, reduction, {}] as [string, Reduction, OptionValues]],
);

const identity: Decide = (margins, _legal, _legalAt, out) => {
  out.set(margins.subarray(0, out.length));
  return out.length;
};

const best = (values: Float64Array, legal: Uint8Array) => {
  let top = -1;
  values.forEach((value, c) => {
    if (legal[c] !== 0 && (top < 0 || value > values[top])) top = c;
  });
  return top;
};

describe.each(VARIANTS)('strategy %s', (_, reduction, options) => {
  const cases = [2, 3, 5].map((types) => {
    const data = statistics(types, types);
    const code = reduction.code(data, options);
    return { data, code, decide: reduction.decide?.(code, options) ?? identity };
  });

  it('describes itself, and gives the same code again', () => {
    expect(REDUCTIONS[reduction.name]).toBe(reduction);
    expect(reduction.help).not.toBe('');
    for (const { data, code } of cases) expect(reduction.code(data, options)).toEqual(code);
  });

  it('has problems with both sides, signs −1, 0 and 1', () => {
    for (const { code } of cases) {
      const { labels, problems, signs } = code;
      expect(signs).toHaveLength(labels * problems);
      for (let k = 0; k < problems; k++) {
        const column = Array.from({ length: labels }, (_, label) => signs[label * problems + k]);
        expect(column).toContain(1);
        expect(column).toContain(-1);
      }
    }
  });

  it('is trained in blocks of at most sixteen problems that see about as many examples', () => {
    for (const { data, code } of cases) {
      const sizes = problemSizes(code, data.counts);
      const all = data.counts.reduce((sum, count) => sum + count, 0);
      const blocks = laneBlocks(code, data.counts);
      expect(blocks.flatMap((block) => [...block]).sort((a, b) => a - b)).toEqual([
        ...Array(code.problems).keys(),
      ]);
      for (const block of blocks) {
        expect([...block]).toEqual([...block].sort((a, b) => a - b));
        expect(block.length).toBeLessThanOrEqual(16);
        const own = [...block].map((problem) => sizes[problem]);
        const most = Math.max(...own);
        if (most > all / 16) expect(most).toBeLessThan(4 * Math.min(...own));
      }
    }
  });

  it('recovers every label from perfect margins, whatever problems say that never saw it', () => {
    for (const { data, code, decide } of cases) {
      const { labels, problems, signs } = code;
      const interior = interiorLabels(data.tagSet);
      const random = new Random(9);
      for (let label = 0; label < labels; label++) {
        const row = signs.subarray(label * problems, (label + 1) * problems);
        const margins = Float32Array.from(row, (sign) => sign || (random.below(2) ? 1.5 : -1.5));
        // What may follow a token: labels that start a chunk, and those of one type that go on with it.
        const legal = Uint8Array.from(interior, (inside, c) => (inside === 0 || c === label ? 1 : 0));
        const out = new Float64Array(labels);
        decide(margins, legal, 0, out);
        expect(best(out, legal)).toBe(label);
        if (reduction.name === 'c-ova') continue;
        legal.fill(1);
        decide(margins, legal, 0, out);
        expect(best(out, legal)).toBe(label);
      }
    }
  });

  it('chooses among legal labels only, with finite values, and looks at no more problems than there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), fc.integer(), (which, seed) => {
        const { code, decide } = cases[which];
        const random = new Random(seed);
        const margins = Float32Array.from({ length: code.problems }, () => random.below(5) - 2);
        const legal = Uint8Array.from({ length: code.labels }, () => random.below(2));
        legal[random.below(code.labels)] = 1;
        const out = new Float64Array(code.labels);
        const shifted = Uint8Array.of(7, ...legal);
        expect(decide(margins, shifted, 1, out)).toBeLessThanOrEqual(code.problems);
        expect(legal[best(out, legal)]).toBe(1);
        legal.forEach((is, c) => {
          if (is) expect(Number.isFinite(out[c])).toBe(true);
        });
      }),
    );
  });
});

describe('costs', () => {
  const MINIMAL = { code: 'minimal' };
  const data = statistics(4, 4);
  const labels = data.tagSet.tags.length;
  const expected = (reduction: Reduction) =>
    expectedEvaluations(reduction, reduction.code(data, MINIMAL), data.tagSet, {}, data.counts);
  const training = ({ code }: Reduction) => trainingCost(code(data, MINIMAL), data.counts);

  it('are those of Wu et al. (2008)', () => {
    expect(training(REDUCTIONS.ova)).toBe(labels);
    for (const name of ['ovo', 'dag']) expect(training(REDUCTIONS[name])).toBe(labels - 1);
    expect(training(REDUCTIONS.ecoc)).toBe(Math.ceil(Math.log2(labels)));
    expect(expected(REDUCTIONS.dag)).toBe(labels - 1);
    expect(expected(REDUCTIONS.ova)).toBe(labels);
    expect(expected(REDUCTIONS.ovo)).toBe((labels * (labels - 1)) / 2);
    expect(expected(REDUCTIONS.ecoc)).toBe(Math.ceil(Math.log2(labels)));
    // After B-T0: I-T0, O, and B of the three other types, since in these data no B-T0 follows it.
    expect(expected(REDUCTIONS['c-ova'])).toBe(5);
  });

  it('of hc-ova are the ranks of labels by frequency in training, the last two sharing one', () => {
    const byRank = [...data.counts.keys()].sort((a, b) => data.counts[b] - data.counts[a] || a - b);
    const reduction = REDUCTIONS['hc-ova'];
    const code = reduction.code(data, MINIMAL);
    byRank.forEach((label, rank) => {
      // Data that are to be labelled need not have the labels of training.
      const one = Uint32Array.from({ length: labels }, (_, c) => (c === label ? 1 : 0));
      const steps = Math.min(rank + 1, labels - 1);
      expect(expectedEvaluations(reduction, code, data.tagSet, {}, one)).toBe(steps);
    });
  });

  it.each(['tree', 'hc-ova'])('of %s: what training sees is how deep labels lie', (name) => {
    expect(training(REDUCTIONS[name])).toBeCloseTo(expected(REDUCTIONS[name]), 12);
  });
});

describe('strategies', () => {
  it('tree joins the labels of largest cosine first', () => {
    const data = statistics(2, 1);
    // Five labels: 1 and 3 are nearly parallel, then 0 and 4; 2 stands alone.
    const vectors = [
      [1, 0, 0.3],
      [0, 5, 0],
      [-1, -1, -1],
      [0.01, 1, 0],
      [2, 0, 0],
    ];
    const products = () =>
      Float64Array.from({ length: 25 }, (_, at) =>
        vectors[Math.floor(at / 5)].reduce((sum, v, i) => sum + v * vectors[at % 5][i], 0),
      );
    const nodes = readTree(REDUCTIONS.tree.code({ ...data, products }, {}));
    expect(nodes.map(({ left, right }) => [left, right])).toEqual([
      [1, 3],
      [0, 4],
      [6, 5],
      [7, 2],
    ]);
  });

  it('tree joins clusters by the cosine of their mean vectors, in which every label’s examples count', () => {
    const vector = fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 4, maxLength: 4 });
    const product = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, i) => sum + value * b[i], 0);
    fc.assert(
      fc.property(fc.array(vector, { minLength: 5, maxLength: 5 }), (vectors) => {
        const products = () =>
          Float64Array.from({ length: 25 }, (_, at) => product(vectors[Math.floor(at / 5)], vectors[at % 5]));
        const { signs, problems } = REDUCTIONS.tree.code({ ...statistics(2, 1), products }, {});
        // Sums are of integers: equal cosines are equal to the bit.
        const clusters = vectors.map((sum, label) => ({ sum, labels: [label] }));
        for (let problem = 0; problem < problems; problem++) {
          let best = { cosine: -Infinity, a: 0, b: 0 };
          clusters.forEach(({ sum }, a) => {
            for (let b = a + 1; b < clusters.length; b++) {
              const other = clusters[b].sum;
              const length = Math.sqrt(product(sum, sum) * product(other, other));
              const cosine = length > 0 ? product(sum, other) / length : 0;
              if (cosine > best.cosine) best = { cosine, a, b };
            }
          });
          const [a] = clusters.slice(best.a);
          const [b] = clusters.splice(best.b, 1);
          const expected = [0, 1, 2, 3, 4].map((label) =>
            a.labels.includes(label) ? 1 : b.labels.includes(label) ? -1 : 0,
          );
          expect(expected.map((_, label) => signs[label * problems + problem])).toEqual(expected);
          clusters[best.a] = {
            sum: a.sum.map((value, i) => value + b.sum[i]),
            labels: [...a.labels, ...b.labels],
          };
        }
      }),
    );
  });

  it('ecoc of squared loss adds up how far margins fall short, squared', () => {
    const signs = Int8Array.of(1, -1, 1, 1, -1, 0);
    const code = { labels: 2, problems: 3, signs };
    const decide = REDUCTIONS.ecoc.decide?.(code, { decoding: 'loss' }) as Decide;
    const out = new Float64Array(2);
    decide(Float32Array.of(3, 0.5, -2), Uint8Array.of(1, 1), 0, out);
    // Short of 1 by nothing, 1.5 and 3; by nothing and 1.5.
    expect([...out]).toEqual([-(1.5 ** 2 + 3 ** 2), -(1.5 ** 2)]);
  });

  it('ecoc by Hamming distance counts signs alone, so that the label listed first has a tie', () => {
    const code = { labels: 3, problems: 3, signs: Int8Array.of(1, -1, 1, 1, 1, -1, -1, -1, -1) };
    const decide = REDUCTIONS.ecoc.decide?.(code, { decoding: 'hamming' }) as Decide;
    const out = new Float64Array(3);
    // The margin for the second label's own sign is far larger.
    decide(Float32Array.of(2, 5, 0.1), Uint8Array.of(1, 1, 1), 0, out);
    expect([...out]).toEqual([-1, -1, -3]);
    expect(best(out, Uint8Array.of(1, 1, 1))).toBe(0);
  });

  it.each(['ovo', 'dag'])('%s is refused where its problems are more than lanes have numbers', (name) => {
    const code = (labels: number) => {
      const spans = Array.from({ length: labels }, (_, i) => ({ start: i, end: i + 1, type: `T${i}` }));
      const tagSet = TagSet.learn('token', 'forward', [{ spans, length: labels }]);
      return REDUCTIONS[name].code({ ...statistics(2, 1), tagSet, counts: new Uint32Array(labels) }, {});
    };
    expect(code(362).problems).toBe(65_341);
    expect(() => code(363)).toThrow(OptionError);
    expect(() => code(363)).toThrow(
      `--strategy ${name}: expected data with labels for at most 65535 problems, one for every two of them, ` +
        'found 363 labels, which make 65703',
    );
  });

  it('tree is drawn with the positive side of each problem above', () => {
    // Problems: 0 | 1, 2 | 0 1, 3 | 0 1 2.
    const signs = Int8Array.of(1, -1, -1, -1, -1, -1, 0, 1, -1, 0, 0, 1);
    expect(drawTree({ labels: 4, problems: 3, signs }, ['O', 'B-NP', 'I-NP', 'B-VP'])).toBe(
      '┬─ B-VP\n└─┬─ I-NP\n  └─┬─ O\n    └─ B-NP\n',
    );
  });

  it('hc-ova tries labels by falling frequency', () => {
    const data = { ...statistics(2, 1), counts: Uint32Array.of(3, 9, 9, 1, 5) };
    const { signs, problems } = REDUCTIONS['hc-ova'].code(data, {});
    const positive = Array.from({ length: problems }, (_, k) =>
      [0, 1, 2, 3, 4].find((label) => signs[label * problems + k] === 1),
    );
    expect(positive).toEqual([1, 2, 4, 0]);
  });

  it('hc-ova takes the first positive label, then the one without a problem, then the largest margin', () => {
    const data = { ...statistics(2, 1), counts: Uint32Array.of(3, 9, 9, 1, 5) };
    const hcOva = REDUCTIONS['hc-ova'];
    const code = hcOva.code(data, {});
    // Labels by falling frequency are 1, 2, 4, 0; 3 has no problem.
    const choose = (margins: number[], legal: number[]) => {
      const out = new Float64Array(5);
      const isLegal = Uint8Array.from(out, (_, label) => (legal.includes(label) ? 1 : 0));
      hcOva.decide!(code, {})(Float32Array.from(margins), isLegal, 0, out);
      return best(out, isLegal);
    };
    const all = [0, 1, 2, 3, 4];
    expect(choose([-1, 2, 5, 9], all)).toBe(2);
    expect(choose([-1, 2, 5, 9], [0, 1, 4, 3])).toBe(4);
    expect(choose([-1, 0, 5, 9], all)).toBe(2);
    expect(choose([-1, -2, -3, -4], all)).toBe(3);
    expect(choose([-1, -2, -3, -4], [0, 1, 2, 4])).toBe(1);
    expect(choose([-3, -2, -1, -4], [0, 1, 2, 4])).toBe(4);
    expect(choose([-3, -2, -1, -4], [0, 1, 2])).toBe(2);
    expect(choose([-3, -2, -1, -4], [0])).toBe(0);
  });

  it('c-ova tells labels inside chunks apart that may follow the same label', () => {
    const spans = [0, 1].flatMap((i) => [
      { start: 10 * i, end: 10 * i + 4, type: `T${i}` },
      { start: 10 * i + 4, end: 10 * i + 6, type: `T${i}` },
      { start: 10 * i + 7, end: 10 * i + 8, type: `T${i}` },
    ]);
    const tagSet = TagSet.learn('iobes', 'backward', [{ spans, length: 20 }]);
    const { signs, labels } = REDUCTIONS['c-ova'].code({ ...statistics(2, 1), tagSet }, {});
    const sign = (problem: string, label: string) =>
      signs[tagSet.tags.indexOf(label) * labels + tagSet.tags.indexOf(problem)];
    expect(['I-T0', 'E-T0', 'E-T1', 'O'].map((label) => sign('B-T0', label))).toEqual([-1, -1, -1, -1]);
    expect(['B-T1', 'I-T1'].map((label) => sign('B-T0', label))).toEqual([0, 0]);
  });

  it('c-ova knows labels that go on with a chunk where chunks have no type, or the type O', () => {
    const spans = [
      { start: 0, end: 3 },
      { start: 3, end: 4 },
      { start: 5, end: 7 },
    ];
    for (const [type, interior] of [
      ['', ['I']],
      ['O', ['I-O']],
      ['X', ['I-X']],
    ] as const) {
      const sentences = [{ spans: spans.map((span) => ({ ...span, type })), length: 8 }];
      const tagSet = TagSet.learn('iob2', 'forward', sentences);
      expect(tagSet.tags.filter((_, label) => interiorLabels(tagSet)[label] === 1)).toEqual(interior);
      expect(REDUCTIONS['c-ova'].code({ ...statistics(2, 1), tagSet }, {}).problems).toBe(3);
    }
    // What may stand after O begins a chunk, although O has no other type than I: rows after O, I and the start.
    const allowed = Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 0, 1);
    expect(interiorLabels({ tags: ['O', 'I'], typeOfLabel: ['', ''], outside: 0, allowed })[1]).toBe(0);
  });

  it('c-ova is refused where every tag may start a chunk', () => {
    const tagSet = TagSet.learn('iob2', 'backward', [
      {
        spans: [
          { start: 0, end: 2, type: 'A' },
          { start: 2, end: 3, type: 'B' },
          { start: 3, end: 5, type: 'B' },
          { start: 6, end: 7, type: 'B' },
        ],
        length: 8,
      },
    ]);
    expect(() => REDUCTIONS['c-ova'].code({ ...statistics(2, 1), tagSet }, {})).toThrow(OptionError);
    expect(() => REDUCTIONS['c-ova'].code({ ...statistics(2, 1), tagSet }, {})).toThrow(
      'expected labels that only go on with a chunk',
    );
  });

  it.each(['ovo', 'dag', 'tree', 'hc-ova'])('%s refuses a code matrix that is none of its own', (name) => {
    const code = { labels: 4, problems: 3, signs: new Int8Array(12).fill(1) };
    expect(() => REDUCTIONS[name].decide?.(code, {})).toThrow('code matrix: expected');
  });
});
