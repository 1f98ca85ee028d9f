import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { BestPaths } from '../../src/decode/best-paths.js';
import type { NumberedConstraints, NumberedSpan } from '../../src/decode/chunk-candidates.js';
import { tokenConfidences } from '../../src/decode/confidence.js';
import { ConstrainedLegality } from '../../src/decode/constrained-legality.js';
import { Legality } from '../../src/decode/legality.js';
import { pathMarginals } from '../../src/decode/marginals.js';
import { Scorer } from '../../src/decode/scorer.js';
import { viterbi } from '../../src/decode/viterbi.js';
import { SCHEMES, type SchemeName } from '../../src/tags/scheme.js';
import { TagSet } from '../../src/tags/tag-set.js';

const LENGTH = 5;
/** More than there are sequences. */
const MANY = 100_000;
const FIRST_ORDER = viterbi.search({ order: 1 });

function randomScorer(labels: number, random: Random): Scorer {
  const table = (rows: number) =>
    Float32Array.from({ length: rows * labels }, () => random.next() / 2147483648 - 1);
  const scorer = new Scorer({ labels, lanes: labels, link: 'identity', first: table(labels + 1) });
  scorer.reset(LENGTH);
  scorer.fixed.set(table(LENGTH));
  return scorer;
}

/** Label sequences and their scores, the best first. */
function allPaths(scorer: Scorer, legality: Legality, k = MANY) {
  const paths = new BestPaths(FIRST_ORDER, k);
  paths.find(scorer, legality, LENGTH);
  return Array.from(paths.scores.subarray(0, paths.found), (score, rank) => {
    const labels = new Uint16Array(LENGTH);
    paths.path(rank, labels);
    return { labels, score };
  });
}

function randomConstraints(random: Random, types: number): NumberedConstraints {
  const span = (): NumberedSpan => {
    const start = random.below(LENGTH);
    return { start, end: start + 1 + random.below(LENGTH - start), type: random.below(types) };
  };
  const list = <T>(most: number, make: () => T) => Array.from({ length: random.below(most + 1) }, make);
  return {
    required: list(1, span),
    forbidden: list(6, span),
    closed: list(2, () => ({ token: random.below(LENGTH), type: random.below(types) })),
  };
}

/** Whether a sentence's chunks are as the constraints ask, by definition. */
function meets(tagSet: TagSet, labels: Uint16Array, constraints: NumberedConstraints): boolean {
  const spans = tagSet.decode(labels, labels.length);
  const has = ({ start, end, type }: NumberedSpan) =>
    spans.some((span) => span.start === start && span.end === end && span.type === tagSet.types[type]);
  return (
    constraints.required.every(has) &&
    !constraints.forbidden.some(has) &&
    !constraints.closed.some(({ token, type }) =>
      spans.some((span) => span.start === token && span.type === tagSet.types[type]),
    )
  );
}

describe.each(['forward', 'backward'] as const)('many constraints, %s', (direction) => {
  const sentences = ['X', 'Y'].map((type) => ({ spans: [{ start: 0, end: 2, type }], length: 3 }));
  const tagSet = TagSet.complete('iob2', direction, sentences);
  const labels = tagSet.tags.length;

  it('need no more states than forbidden spans overlap', () => {
    const length = 100;
    const forbidden = (count: number, step: number, width: number) =>
      Array.from({ length: count }, (_, i) => ({ start: step * i, end: step * i + width, type: i % 2 }));
    for (const [spans, overlap] of [
      [[], 0],
      [forbidden(50, 2, 1), 1],
      [forbidden(50, 2, 2), 1],
      [forbidden(49, 2, 3), 2],
      [forbidden(90, 1, 10), 10],
      [[...forbidden(10, 4, 3), ...forbidden(10, 4, 2)], 2],
    ] as const) {
      const constraints = { required: [], forbidden: spans, closed: [] };
      const { states } = new ConstrainedLegality(tagSet, constraints, length);
      expect(states).toBeLessThanOrEqual(labels * (1 + overlap));
    }
  });

  it('allow exactly the labellings that meet them', () => {
    const length = 40;
    const free = new Legality(tagSet.allowed, labels);
    const random = new Random(3);
    let met = 0;
    for (let round = 0; round < 30; round++) {
      const span = () => {
        const start = random.below(length);
        return { start, end: Math.min(length, start + 1 + random.below(4)), type: random.below(2) };
      };
      const forbidden = Array.from({ length: 20 }, span);
      const closed = Array.from({ length: 3 }, () => ({
        token: random.below(length),
        type: random.below(2),
      }));
      const constraints = { required: [], forbidden, closed };
      const legality = new ConstrainedLegality(tagSet, constraints, length);
      for (let trial = 0; trial < 50; trial++) {
        const path = new Uint16Array(length);
        for (let t = 0, last = labels; t < length; t++) {
          const at = free.mask(length - 1 - t, last);
          do path[t] = random.below(labels);
          while (free.rows[at + path[t]] === 0);
          last = path[t];
        }
        const meetsAll = meets(tagSet, path, constraints);
        if (meetsAll) met++;
        expect(legality.allows(path, length)).toBe(meetsAll);
      }
    }
    expect(met).toBeGreaterThan(50);
    expect(met).toBeLessThan(1450);
  });
});

const SCHEME_NAMES = (Object.keys(SCHEMES) as SchemeName[]).filter((name) => name !== 'token');

describe.each(SCHEME_NAMES)('constraints in %s', (scheme) => {
  it.each(['forward', 'backward'] as const)(
    'leave exactly the labellings that meet them, %s',
    (direction) => {
      // Six tags make so many sequences of two types that one must do.
      const types = SCHEMES[scheme].leadingTags.length > 4 ? ['X'] : ['X', 'Y'];
      const sentences = types.map((type) => ({ spans: [{ start: 0, end: 1, type }], length: 2 }));
      const tagSet = TagSet.complete(scheme, direction, sentences);
      const labels = tagSet.tags.length;
      const free = new Legality(tagSet.allowed, labels);
      let refused = 0;
      for (let seed = 1; seed <= 6; seed++) {
        const random = new Random(seed);
        const scorer = randomScorer(labels, random);
        const constraints = randomConstraints(random, types.length);
        const legality = new ConstrainedLegality(tagSet, constraints, LENGTH);
        const expected = allPaths(scorer, free).filter((path) => meets(tagSet, path.labels, constraints));
        if (expected.length === 0) {
          refused++;
          expect(() => legality.requirePath(LENGTH)).toThrow(
            'expected a labelling that meets the constraints',
          );
          continue;
        }
        expect(allPaths(scorer, legality, 7)).toEqual(expected.slice(0, 7));
        expect(allPaths(scorer, legality).length).toBe(expected.length);

        // Probabilities count what is left and nothing else.
        const { labels: path } = expected[seed % expected.length];
        const marginals = new Float32Array(LENGTH);
        const total = pathMarginals(scorer, legality, path, LENGTH, marginals);
        const sum = expected.reduce((all, { score }) => all + Math.exp(score), 0);
        expect(total).toBeCloseTo(Math.log(sum), 9);
        path.forEach((label, t) => {
          const holding = expected.filter((other) => other.labels[t] === label);
          const share = holding.reduce((all, { score }) => all + Math.exp(score), 0) / sum;
          expect(marginals[t]).toBeCloseTo(share, 5);
        });
        const confidences = new Float32Array(LENGTH);
        const products = expected.map((other) => {
          tokenConfidences(scorer, legality, other.labels, LENGTH, confidences);
          return confidences.reduce((product, confidence) => product * confidence, 1);
        });
        expect(products.reduce((all, product) => all + product, 0)).toBeCloseTo(1, 4);
      }
      expect(refused).toBeLessThan(5);
    },
  );
});
