import fc from 'fast-check';
import { Random } from '../../src/base/random.js';
import { Legality } from '../../src/decode/legality.js';
import type { Link } from '../../src/decode/link.js';
import { Scorer } from '../../src/decode/scorer.js';
import type { TokenHistory } from '../../src/decode/token-kinds.js';
import type { Decide } from '../../src/reduce/reduction.js';

/** What a random decoding problem looks like. */
export interface Shape {
  readonly seed: number;
  readonly labels: number;
  readonly length: number;
  readonly link: Link;
  /** Largest absolute table entry. */
  readonly scale: number;
  /** Whole numbers only, so that ties abound. */
  readonly ties: boolean;
  readonly tokenHistory: boolean;
  /** Implementation of the inner loops; default plain. */
  readonly kernels?: 'plain' | 'simd';
  readonly decide: boolean;
  /** Chance in ten that a pair is legal. */
  readonly density: number;
}

export const LINKS: readonly Link[] = ['identity', 'log-sigmoid', 'log-softmax'];

/** Random shapes, up to the given size. */
export function shapes(maxLabels: number, maxLength: number): fc.Arbitrary<Shape> {
  return fc.record({
    seed: fc.nat(),
    labels: fc.integer({ min: 1, max: maxLabels }),
    length: fc.integer({ min: 1, max: maxLength }),
    link: fc.constantFrom(...LINKS),
    scale: fc.constantFrom(0.3, 2, 1000),
    ties: fc.boolean(),
    tokenHistory: fc.boolean(),
    decide: fc.boolean(),
    density: fc.integer({ min: 3, max: 10 }),
  });
}

/** A problem: everything a decoder is given. */
export interface Problem {
  readonly labels: number;
  readonly length: number;
  readonly allowed: Uint8Array;
  readonly scorer: Scorer;
  readonly legality: Legality;
}

/**
 * Makes the problem of a shape, with all history tables: decoders of a lower order must read their row for the start
 * alone.
 */
export function makeProblem(shape: Shape): Problem {
  const { labels, length } = shape;
  const random = new Random(shape.seed);
  const lanes = labels + (shape.decide ? 3 : 1);
  const draw = (): number => {
    const value = ((random.next() / 4294967296) * 2 - 1) * shape.scale;
    return shape.ties ? Math.round(value) : value;
  };
  const table = (rows: number): Float32Array => Float32Array.from({ length: rows * lanes }, draw);
  /** Rows of which some are full, some have one value in all lanes, and some few or no values. */
  const joined = (): Float32Array => {
    const rows = table(labels + 1);
    for (let row = 0; row <= labels; row++) {
      const kind = random.below(4);
      for (let at = row * lanes; at < (row + 1) * lanes; at++) {
        if (kind === 1) rows[at] = rows[row * lanes];
        else if (kind === 2 && random.below(lanes) > 1) rows[at] = 0;
      }
    }
    return rows;
  };
  const joinedTables = Array.from({ length: 6 }, joined);
  const tokenTables = Array.from({ length }, () =>
    Array.from({ length: 3 }, () => (random.below(3) > 0 ? joinedTables[random.below(6)] : undefined)),
  );

  const scorer = new Scorer({
    labels,
    lanes,
    kernels: shape.kernels,
    link: shape.link,
    decide: shape.decide ? rivalDecide : undefined,
    first: table(labels + 1),
    second: table(labels + 1),
    pair: table((labels + 1) ** 2),
    tokenHistory: shape.tokenHistory ? tokenHistory(tokenTables, labels, lanes) : undefined,
  });
  scorer.reset(length);
  scorer.fixed.set(table(length));
  const allowed = Uint8Array.from({ length: (labels + 1) ** 2 }, () =>
    random.below(10) < shape.density ? 1 : 0,
  );
  return { labels, length, allowed, scorer, legality: new Legality(allowed, labels) };
}

/**
 * What tokens bring together with the label at −1, given as dense tables. The first half of the templates are those of bases.
 *
 * @param tables [T][templates] `[(L+1) × K]` what the features of each template add; the same tables, the same kind of token.
 */
export function tokenHistory(
  tables: readonly (readonly (Float32Array | undefined)[])[],
  labels: number,
  lanes: number,
): TokenHistory {
  const templates = Math.max(1, ...tables.map((own) => own.length));
  const distinct = [...new Set(tables.flat())].filter((table) => table !== undefined);
  const starts: number[] = [];
  const keyOf = (t: number, i: number) => distinct.indexOf(tables[t][i] as Float32Array) + 1;
  const baseSize = Math.ceil(templates / 2);
  return {
    keySize: templates,
    baseSize,
    writeKeys: (from, count, out, stride) => {
      for (let i = 0; i < templates; i++) {
        for (let j = 0; j < count; j++) out[i * stride + j] = keyOf(from + j, i);
      }
    },
    words: distinct.length * (labels + 1) * (1 + 2 * lanes),
    pack(words, floats) {
      let at = 0;
      for (const table of distinct) {
        starts.push(at);
        for (let label = 0; label <= labels; label++) {
          const row = table.subarray(label * lanes, (label + 1) * lanes);
          const weights = [...row].flatMap((value, lane) => (value === 0 ? [] : [{ lane, value }]));
          const isConstant = weights.length === lanes && row.every((value) => value === row[0]);
          if (weights.length === 0) continue;
          words[at++] = (label << 16) | (isConstant ? 0 : weights.length);
          if (isConstant) floats[at++] = row[0];
          for (const { lane, value } of isConstant ? [] : weights) {
            words[at++] = lane;
            floats[at++] = value;
          }
        }
      }
      starts.push(at);
    },
    baseRuns: baseSize,
    ownRuns: templates - baseSize,
    writeRuns(keys, keyAt, first, count, out, at) {
      for (let i = 0; i < count; i++) {
        const number = keys[keyAt + first + i] - 1;
        out[at + 2 * i] = number < 0 ? 0 : starts[number];
        out[at + 2 * i + 1] = number < 0 ? 0 : starts[number + 1];
      }
    },
  };
}

/** A decision rule that reads which rivals are legal, and all lanes. */
const rivalDecide: Decide = (margins, legal, legalAt, out) => {
  for (let c = 0; c < out.length; c++) {
    out[c] = margins[c] - margins[out.length] / 2;
    for (let d = 0; d < out.length; d++)
      if (legal[legalAt + d] !== 0 && margins[d] > margins[c]) out[c] -= 0.25;
  }
  return out.length + 1;
};

/** All legal sequences of the problem's length, in lexical order. */
export function legalSequences({ allowed, labels, length }: Problem): number[][] {
  const found: number[][] = [];
  const grow = (sequence: number[], previous: number): void => {
    if (sequence.length === length) {
      if (allowed[previous * (labels + 1) + labels] !== 0) found.push(sequence);
      return;
    }
    for (let c = 0; c < labels; c++)
      if (allowed[previous * (labels + 1) + c] !== 0) grow([...sequence, c], c);
  };
  grow([], labels);
  return found;
}

/** Labels that may follow `previous` at `t` and still reach a legal end, found without {@link Legality}. */
export function legalRow({ allowed, labels, length }: Problem, t: number, previous: number): Uint8Array {
  let alive = Array.from({ length: labels }, (_, c) => allowed[c * (labels + 1) + labels] !== 0);
  for (let r = 0; r < length - 1 - t; r++) {
    const later = alive;
    alive = later.map((_, c) => later.some((ok, d) => ok && allowed[c * (labels + 1) + d] !== 0));
  }
  return Uint8Array.from(alive, (ok, c) => (ok && allowed[previous * (labels + 1) + c] !== 0 ? 1 : 0));
}

/** Scores of all labels at `t`, given the history as a decoder of that order reads it. */
export function scoresAt(
  problem: Problem,
  t: number,
  [previous, before]: readonly [number, number],
  order: number,
  legal: Uint8Array,
): Float64Array {
  const { labels, scorer } = problem;
  const out = new Float64Array(labels);
  scorer.moveTo(t);
  scorer.scores(order > 0 ? previous : labels, order > 1 ? before : labels, legal, 0, out);
  return out;
}

/** A sequence's log score by definition; `everyLabel`: decision rules see all labels as legal. */
export function sequenceScore(
  problem: Problem,
  sequence: ArrayLike<number>,
  order: number,
  everyLabel: boolean,
): number {
  const { labels, length } = problem;
  let total = 0;
  let history: [number, number] = [labels, labels];
  for (let t = 0; t < length; t++) {
    const legal = everyLabel ? new Uint8Array(labels).fill(1) : legalRow(problem, t, history[0]);
    total += scoresAt(problem, t, history, order, legal)[sequence[t]];
    history = [sequence[t], history[0]];
  }
  return total;
}
