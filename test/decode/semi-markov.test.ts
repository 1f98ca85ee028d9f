import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import {
  ChunkCandidates,
  type NumberedConstraints,
  type NumberedSpan,
} from '../../src/decode/chunk-candidates.js';
import { type ChunkLimits, type Pruning, UNPRUNED } from '../../src/decode/chunk-limits.js';
import { chunkMarginals } from '../../src/decode/chunk-marginals.js';
import { SemiMarkov } from '../../src/decode/semi-markov.js';

/** Limits of `types` types, the last of which has chunks of one token only. */
function randomLimits(random: Random, types: number, values: number): ChunkLimits {
  const coin = () => (random.below(4) > 0 ? 1 : 0);
  return {
    types,
    lengths: Uint16Array.from({ length: types }, (_, t) => (t === types - 1 ? 1 : 1 + random.below(4))),
    bigrams: Uint8Array.from({ length: (types + 1) * types }, coin),
    values: Uint8Array.from({ length: values * types }, coin),
  };
}

interface Problem {
  readonly length: number;
  readonly limits: ChunkLimits;
  readonly single: Uint8Array;
  readonly values: Uint32Array;
  /** Whole numbers, so that sums are exact in any order. */
  readonly score: (begin: number, end: number, type: number) => number;
  readonly bigrams: Float64Array;
}

function randomProblem(seed: number, length: number, types: number): Problem {
  const random = new Random(seed);
  const limits = randomLimits(random, types, 3);
  const scores = Array.from(
    { length: (length + 1) * (length + 1) * types },
    () => random.below(2 ** 20) - 2 ** 19,
  );
  return {
    length,
    limits,
    single: Uint8Array.from({ length: types }, (_, t) => (t === types - 1 && types > 1 ? 1 : 0)),
    // Value 3 is beyond the limits' rows: never seen, allowed anywhere.
    values: Uint32Array.from({ length }, () => random.below(4)),
    score: (begin, end, type) => scores[(begin * (length + 1) + end) * types + type],
    bigrams: Float64Array.from(
      { length: length * (types + 1) * types },
      () => random.below(2 ** 20) - 2 ** 19,
    ),
  };
}

/** Every segmentation that pruning and constraints leave, by definition, with its score; best first. */
function enumerate(problem: Problem, pruning: Pruning, constraints: NumberedConstraints) {
  const { length, limits, single, values } = problem;
  const { types, lengths, bigrams, values: seen } = limits;
  const longest = Math.max(...lengths);
  const same = (a: NumberedSpan) => (b: NumberedSpan) =>
    a.start === b.start && a.end === b.end && a.type === b.type;
  const allowed = (chunk: NumberedSpan, previous: number) => {
    const { start, end, type } = chunk;
    if (pruning.bigrams && bigrams[previous * types + type] === 0) return false;
    if (constraints.required.some(same(chunk))) return true;
    if (constraints.closed.some(({ token, type: closed }) => token === start && closed === type))
      return false;
    if (constraints.required.some((span) => span.start < end && start < span.end)) return false;
    if (constraints.forbidden.some(same(chunk))) return false;
    if (end - start > (single[type] ? 1 : pruning.lengths ? lengths[type] : longest)) return false;
    const tokens = [...values.subarray(start, end)];
    return !pruning.values || tokens.every((value) => value >= 3 || seen[value * types + type] === 1);
  };
  const all: { text: string; score: number }[] = [];
  const extend = (start: number, previous: number, score: number, text: string) => {
    if (start === length) {
      all.push({ text, score });
      return;
    }
    for (let end = start + 1; end <= length; end++) {
      for (let type = 0; type < types; type++) {
        if (!allowed({ start, end, type }, previous)) continue;
        const bigram = problem.bigrams[(start * (types + 1) + previous) * types + type];
        extend(
          end,
          type,
          score + bigram + problem.score(start, end, type),
          `${text} ${start}-${end}:${type}`,
        );
      }
    }
  };
  extend(0, types, 0, '');
  return all.sort((a, b) => b.score - a.score);
}

function search(problem: Problem, k: number, pruning: Pruning, constraints?: NumberedConstraints) {
  const { length, limits, single, values, bigrams } = problem;
  const { types } = limits;
  const candidates = new ChunkCandidates(limits, {
    alwaysSingle: single,
    mayFollow: new Uint8Array((limits.types + 1) ** 2).fill(1),
  });
  candidates.list(length, values, 0, pruning, constraints);
  for (let c = 0; c < candidates.starts[length]; c++) {
    candidates.scores[c] = problem.score(candidates.begins[c], candidates.ends[c], candidates.types[c]);
  }
  const pruned = bigrams.map((score, i) =>
    pruning.bigrams && limits.bigrams[i % ((types + 1) * types)] === 0 ? -Infinity : score,
  );
  const decoder = new SemiMarkov(types, k);
  decoder.decode(candidates, pruned);
  const path = new Uint32Array(length);
  return Array.from({ length: decoder.found }, (_, rank) => {
    const chunks = path.subarray(0, decoder.path(candidates, rank, path));
    const text = Array.from(
      chunks,
      (c) => ` ${candidates.begins[c]}-${candidates.ends[c]}:${candidates.types[c]}`,
    );
    return { text: text.join(''), score: decoder.scores[rank] };
  });
}

const SWITCHES = [false, true];
const PRUNINGS: Pruning[] = SWITCHES.flatMap((lengths) =>
  SWITCHES.flatMap((values) => SWITCHES.map((bigrams) => ({ lengths, values, bigrams }))),
);
const NONE: NumberedConstraints = { required: [], forbidden: [], closed: [] };

describe('semi-Markov search', () => {
  it.each(PRUNINGS)('finds the k best of all segmentations with pruning %j', (pruning) => {
    for (let length = 1; length <= 7; length++) {
      for (let types = 1; types <= 3; types++) {
        const problem = randomProblem(100 * length + types, length, types);
        const all = enumerate(problem, pruning, NONE);
        for (const k of [1, 2, 5, 10]) expect(search(problem, k, pruning)).toEqual(all.slice(0, k));
      }
    }
  });

  it.each(PRUNINGS)('keeps to required and forbidden spans with pruning %j', (pruning) => {
    for (let seed = 1; seed <= 30; seed++) {
      const problem = randomProblem(seed, 7, 3);
      const random = new Random(seed, 1);
      const span = (from: number, to: number): NumberedSpan => {
        const start = from + random.below(to - from);
        return { start, end: start + 1 + random.below(to - start), type: random.below(3) };
      };
      const required = seed % 3 === 0 ? [span(0, 7)] : [span(0, 3), span(4, 7)];
      const forbidden = Array.from({ length: 6 }, () => span(0, 7));
      const closed = Array.from({ length: 3 }, () => ({ token: random.below(7), type: random.below(3) }));
      for (const constraints of [
        { ...NONE, required },
        { ...NONE, forbidden },
        { ...NONE, closed },
        { required, forbidden, closed: [] },
      ]) {
        expect(search(problem, 10, pruning, constraints)).toEqual(
          enumerate(problem, pruning, constraints).slice(0, 10),
        );
      }
    }
  });

  it('gives each chunk the share of the segmentations that hold it', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const problem = randomProblem(seed, 6, 3);
      const { length, limits, single, values } = problem;
      const scale = 2 ** -18;
      const candidates = new ChunkCandidates(limits, {
        alwaysSingle: single,
        mayFollow: new Uint8Array((limits.types + 1) ** 2).fill(1),
      });
      candidates.list(length, values, 0, UNPRUNED);
      const count = candidates.starts[length];
      for (let c = 0; c < count; c++) {
        candidates.scores[c] = problem.score(candidates.begins[c], candidates.ends[c], candidates.types[c]);
      }
      const { marginals, total: logTotal } = chunkMarginals(
        candidates,
        problem.bigrams,
        limits.types,
        1 / scale,
      );
      const all = enumerate(problem, UNPRUNED, NONE);
      const total = all.reduce((sum, { score }) => sum + Math.exp(scale * score), 0);
      expect(logTotal).toBeCloseTo(Math.log(total), 10);
      for (let c = 0; c < count; c++) {
        const chunk = ` ${candidates.begins[c]}-${candidates.ends[c]}:${candidates.types[c]}`;
        const holding = all.filter(({ text }) => `${text} `.includes(`${chunk} `));
        const share = holding.reduce((sum, { score }) => sum + Math.exp(scale * score), 0) / total;
        expect(marginals[c]).toBeCloseTo(share, 10);
      }
    }
  });

  it('finds nothing where nothing is left, and one segmentation of no tokens', () => {
    const problem = randomProblem(1, 4, 2);
    problem.limits.bigrams.fill(0);
    expect(search(problem, 3, { ...UNPRUNED, bigrams: true })).toEqual([]);
    expect(search({ ...problem, length: 0 }, 3, UNPRUNED)).toEqual([{ text: '', score: 0 }]);
  });
});
