import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import type { LabelDecoder } from '../../src/decode/decoder.js';
import { DECODERS } from '../../src/decode/decoders.js';
import { Legality } from '../../src/decode/legality.js';
import { Scorer } from '../../src/decode/scorer.js';
import { SCHEMES, type SchemeName, schemeTable } from '../../src/tags/scheme.js';
import { LINKS, makeProblem, shapes } from '../decode/problems.js';

/** Every decoder of labels, at every order it offers; semi-markov.test.ts has that of chunks. */
const CASES = Object.values(DECODERS)
  .filter((decoder): decoder is LabelDecoder => decoder.unit === 'label')
  .flatMap((decoder) =>
    decoder.options.some((option) => option.name === 'order')
      ? [0, 1, 2].map((order) => [`${decoder.name} of order ${order}`, decoder, { order }] as const)
      : [[decoder.name, decoder, {}] as const],
  );

/** The first forbidden step of a path, in words; none if the path is legal from start to end. */
function forbiddenStep(allowed: Uint8Array, labels: number, path: ArrayLike<number>): string | undefined {
  let previous = labels;
  for (let t = 0; t <= path.length; t++) {
    const next = t < path.length ? path[t] : labels;
    if (allowed[previous * (labels + 1) + next] === 0) return `${previous} -> ${next} at ${t}`;
    previous = next;
  }
  return undefined;
}

function hasLegalPath(allowed: Uint8Array, labels: number, length: number): boolean {
  const size = labels + 1;
  let reached = [labels];
  for (let t = 0; t < length; t++) {
    const ids = Array.from({ length: labels }, (_, c) => c);
    reached = ids.filter((c) => reached.some((previous) => allowed[previous * size + c] !== 0));
  }
  return reached.some((c) => allowed[c * size + labels] !== 0);
}

/** A scorer with random margins, in which the token counts for more than the history that `order` lets it read. */
function randomScorer(labels: number, length: number, order: number, seed: number, scale = 3): Scorer {
  const random = new Random(seed);
  const table = (rows: number, largest = scale / 4): Float32Array =>
    Float32Array.from({ length: rows * labels }, () => ((random.next() / 4294967296) * 2 - 1) * largest);
  const scorer = new Scorer({
    labels,
    lanes: labels,
    link: LINKS[seed % 3],
    first: order > 0 ? table(labels + 1) : undefined,
    second: order > 1 ? table(labels + 1) : undefined,
    pair: order > 1 ? table((labels + 1) ** 2) : undefined,
  });
  scorer.reset(length);
  scorer.fixed.set(table(length, scale));
  return scorer;
}

describe.each(CASES)('decoder %s', (_name, decoder, options) => {
  const order = decoder.order(options);

  it('takes a legal path wherever there is one, and else reports that there is none', () => {
    let refused = 0;
    fc.assert(
      fc.property(shapes(6, 9), (shape) => {
        const { allowed, labels, length, scorer, legality } = makeProblem(shape);
        const decode = decoder.create(options, labels);
        const out = new Uint16Array(length);
        if (hasLegalPath(allowed, labels, length)) {
          expect(decode(scorer, legality, length, out)).toBeGreaterThan(-Infinity);
          expect(forbiddenStep(allowed, labels, out)).toBeUndefined();
        } else {
          refused++;
          expect(() => decode(scorer, legality, length, out)).toThrow(
            expect.objectContaining({ code: 'no-legal-path' }),
          );
        }
      }),
      { seed: 1 },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it.each(Object.keys(SCHEMES) as SchemeName[])('never leaves the scheme %s', (name) => {
    const tags = ['O', ...SCHEMES[name].leadingTags.flatMap((leading) => [`${leading}-X`, `${leading}-Y`])];
    const decode = decoder.create(options, tags.length);
    for (const direction of ['forward', 'backward'] as const) {
      const allowed = schemeTable(name, tags, direction);
      const legality = new Legality(allowed, tags.length);
      for (let seed = 0; seed < 60; seed++) {
        const length = 1 + (seed % 7);
        const out = new Uint16Array(length);
        decode(randomScorer(tags.length, length, order, seed), legality, length, out);
        expect(forbiddenStep(allowed, tags.length, out)).toBeUndefined();
      }
    }
  });

  it('is not lured into the dead ends of six tags, read forward', () => {
    // B1 B2 B3 I* E, or S: B1 goes on to B2 or E, B2 to B3 or E, B3 and I to I or E. Two more tags make the dead
    // end deeper than one step: F must be followed by G, G by E.
    const tags = ['S', 'B1', 'B2', 'B3', 'I', 'E', 'F', 'G'];
    const [S, B1, B2, B3, I, E, F, G, boundary] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const allowed = new Uint8Array(81);
    const allow = (from: readonly number[], to: readonly number[]): void => {
      for (const a of from) for (const b of to) allowed[a * 9 + b] = 1;
    };
    allow([S, E, boundary], [S, B1]);
    allow([S, E], [boundary]);
    allow([B1], [B2, E]);
    allow([B2], [B3, E]);
    allow([B3, I], [I, E, F]);
    allow([F], [G]);
    allow([G], [E]);
    const decode = decoder.create(options, tags.length);
    const legality = new Legality(allowed, tags.length);
    for (let length = 1; length <= 12; length++) {
      for (const lure of [B1, I, F]) {
        const scorer = randomScorer(tags.length, length, order, 1, 0.1);
        for (let t = 0; t < length; t++) scorer.fixed[t * tags.length + lure] += 5;
        const out = new Uint16Array(length);
        decode(scorer, legality, length, out);
        expect(forbiddenStep(allowed, tags.length, out)).toBeUndefined();
      }
    }
  });

  it('labels sentences of 50,000 tokens, and short ones after them as before', () => {
    const tags = ['O', 'B-X', 'I-X', 'B-Y', 'I-Y'];
    const allowed = schemeTable('iob2', tags, 'forward');
    const legality = new Legality(allowed, tags.length);
    const decode = decoder.create(options, tags.length);
    const short = new Uint16Array(6);
    const shortTotal = decode(randomScorer(5, 6, order, 7), legality, 6, short);
    const length = 50_000;
    const out = new Uint16Array(length);
    const total = decode(randomScorer(5, length, order, 8), legality, length, out);
    expect(Number.isFinite(total)).toBe(true);
    expect(forbiddenStep(allowed, tags.length, out)).toBeUndefined();
    expect(new Set(out).size).toBe(5);
    const again = new Uint16Array(6);
    expect(decode(randomScorer(5, 6, order, 7), legality, 6, again)).toBe(shortTotal);
    expect(again).toEqual(short);
  });

  it('gives finite totals at margins of ±1000, and follows them', () => {
    const labels = 3;
    const legality = new Legality(new Uint8Array(16).fill(1), labels);
    const decode = decoder.create(options, labels);
    for (const link of LINKS) {
      const scorer = new Scorer({ labels, lanes: labels, link });
      const gold = [2, 0, 1, 1, 0];
      scorer.reset(gold.length);
      scorer.fixed.fill(-1000, 0, gold.length * labels);
      gold.forEach((label, t) => {
        scorer.fixed[t * labels + label] = 1000;
      });
      const out = new Uint16Array(gold.length);
      const total = decode(scorer, legality, gold.length, out);
      expect([...out]).toEqual(gold);
      expect(total).toBeCloseTo(link === 'identity' ? 5000 : 0, 9);
    }
  });

  it('returns 0 for an empty sentence, even where no sequence is legal', () => {
    const scorer = randomScorer(2, 0, order, 1);
    const nothingLegal = new Legality(new Uint8Array(9), 2);
    expect(decoder.create(options, 2)(scorer, nothingLegal, 0, new Uint16Array(0))).toBe(0);
  });

  it('is the same for a new instance and for one used before', () => {
    fc.assert(
      fc.property(shapes(4, 6), (shape) => {
        const used = decoder.create(options, shape.labels);
        const lengths = [shape.length, 1, shape.length];
        const runs = lengths.map((length, i) => {
          const { scorer, legality } = makeProblem({ ...shape, length, density: 10 });
          const out = new Uint16Array(length);
          const decode = i === 2 ? decoder.create(options, shape.labels) : used;
          return [decode(scorer, legality, length, out), ...out];
        });
        expect(runs[2]).toEqual(runs[0]);
        const { scorer, legality } = makeProblem({ ...shape, density: 10 });
        const out = new Uint16Array(shape.length);
        expect([used(scorer, legality, shape.length, out), ...out]).toEqual(runs[0]);
      }),
    );
  });

  it('declares its options: defaults stand in for missing values, bad ones are refused', () => {
    const defaults = Object.fromEntries(decoder.options.map((option) => [option.name, option.default!]));
    expect(decoder.order({})).toBe(decoder.order(defaults));
    for (const option of decoder.options) {
      const bad = { [option.name]: (option.max ?? 0) + 1 };
      expect(() => decoder.create(bad, 3)).toThrow(new RegExp(`--${option.name}: expected an integer`));
    }
  });
});

it('the table’s keys are the decoders’ names', () => {
  for (const [name, decoder] of Object.entries(DECODERS)) expect(decoder.name).toBe(name);
});
