/**
 * The inner loop of dynamic programming over label sequences: extends paths that reach one token by every label of the
 * next, and finds for every label the best path to extend: the plain kernel, oracle of its SIMD twin.
 *
 *   best[c] = max over legal k of  scores[k] + log σ(2 m)   (with `link` 0: + m)
 *   m = fixed[c] + first[p][c] + second[b][c] + pair[p, b][c] + token[p][c]   with p, b the path's last two labels
 *
 * Margins are rounded to float32 after every addition, scores are float64. Of equally good paths the one of higher
 * score wins, then the first. Exact: what a bound leaves out could not have won.
 */
import type { Kernel } from './kernel.js';
import { logSigmoid } from './log-sigmoid.js';

/** Bound of rounding errors in a margin, a sum of a few dozen float32 numbers, with much to spare. */
const MARGIN_SLACK = 1e-3;
/** So is the error of the table of log σ. */
const LINK_SLACK = 1e-6;
/** Bound of rounding errors in a margin that nothing bounds, relative to the largest sums on the way to it. */
const ROUNDING = 1e-6;

/** Most lanes that twins have room for. */
export const MOST_LANES = 512;

/**
 * Tables of scores by earlier labels; shapes: L labels, W lanes (a multiple of 4, at least L). A table that is absent is one
 * row of zeros with stride 0.
 */
export interface HistoryTables {
  /** Labels L. */
  readonly labels: number;
  /** Lanes W. */
  readonly width: number;
  /** 1: log σ(2 m), 0: m. */
  readonly link: 0 | 1;
  /** [(L+1) × firstStride] */
  readonly first: Float32Array;
  /** W or 0. */
  readonly firstStride: number;
  /** [(L+1) × secondStride] */
  readonly second: Float32Array;
  /** W or 0. */
  readonly secondStride: number;
  /** [(L+1)² × pairStride], row p · (L+1) + b */
  readonly pair: Float32Array;
  /** W or 0. */
  readonly pairStride: number;
  /** [W] no history without the token adds more to a margin. */
  readonly mostHistory: Float32Array;
  /** [L × W] the most that each label at −1 adds to each label, by the label that follows; empty where W is above {@link MOST_LANES}. */
  readonly mostBefore: Float32Array;
  /** History without the token is nowhere further from 0 than this, nor is any part of its sum. */
  readonly historyRange: number;
  /** `CUBICS`, the table of log σ. */
  readonly cubics: Float64Array;
}

/** Paths that are extended, and what is found; k paths. */
export interface PathExtension extends HistoryTables {
  /** Paths that are extended: the first ones. */
  count: number;
  /** [k] path scores; −Infinity for a path that there is not. */
  readonly scores: Float64Array;
  /** [k] last label of each path, 0 … L − 1. */
  readonly previous: Uint16Array;
  /** [k] the label before it; L for none. */
  readonly beforePrevious: Uint16Array;
  /** [W] */
  readonly fixed: Float32Array;
  /** [(L+1) × tokenStride] */
  readonly token: Float32Array;
  /** W or 0. */
  readonly tokenStride: number;
  /** [L × W] −1 (all bits set) where label p → label c is legal, else 0, also beyond the labels. */
  readonly legal: Int32Array;
  /** [L] the best score of each label, −Infinity where no path may take it; written. */
  readonly best: Float64Array;
  /** [L] the path that has it, 0 where there is none; written. */
  readonly from: Uint16Array;
}

/** Extends paths by every label of the next token. */
export const extendPaths: Kernel<PathExtension, void> = {
  name: 'extendPaths',
  plain(extension) {
    const { count, labels, width, link, scores, previous, beforePrevious, fixed, legal, best, from } =
      extension;
    const { mostHistory, historyRange } = extension;
    const { first, second, pair, token, firstStride, secondStride, pairStride, tokenStride } = extension;
    const fround = Math.fround;
    const order = byScore(scores, count);
    const size = labels + 1;
    // Label by label: the first path that is too low ends the search.
    for (let c = 0; c < labels; c++) {
      let mostToken = -Infinity;
      for (let i = 0; i < order.length; i++) {
        mostToken = Math.max(mostToken, token[previous[order[i]] * tokenStride + c]);
      }
      const bound = fround(fround(fixed[c] + mostHistory[c]) + mostToken);
      const most =
        link === 1
          ? Math.min(0, logSigmoid(bound + MARGIN_SLACK) + LINK_SLACK)
          : bound + ROUNDING * (1 + Math.abs(fixed[c]) + historyRange + Math.abs(mostToken));
      let bestScore = -Infinity;
      let bestPath = 0;
      for (let i = 0; i < order.length; i++) {
        const k = order[i];
        const score = scores[k];
        if (score + most <= bestScore) break;
        const p = previous[k];
        if (legal[p * width + c] === 0) continue;
        const b = beforePrevious[k];
        let value = fround(fixed[c] + first[p * firstStride + c]);
        value = fround(value + second[b * secondStride + c]);
        value = fround(value + pair[(p * size + b) * pairStride + c]);
        value = fround(value + token[p * tokenStride + c]);
        if (link === 1) {
          if (score + (value < 0 ? 2 * value : 0) <= bestScore) continue;
          value = logSigmoid(value);
        }
        if (score + value > bestScore) {
          bestScore = score + value;
          bestPath = k;
        }
      }
      best[c] = bestScore;
      from[c] = bestPath;
    }
  },
  parameters: {
    count: ['number', ({ count }) => count],
    labelCount: ['constant', ({ labels }) => labels],
    width: ['constant', ({ width }) => width],
    link: ['constant', ({ link }) => link],
    scoresAt: ['float64', ({ scores }) => scores],
    previous: ['uint16', ({ previous }) => previous],
    beforePrevious: ['uint16', ({ beforePrevious }) => beforePrevious],
    fixed: ['float32', ({ fixed }) => fixed],
    first: ['float32', ({ first }) => first],
    firstStride: ['constant', ({ firstStride }) => firstStride],
    second: ['float32', ({ second }) => second],
    secondStride: ['constant', ({ secondStride }) => secondStride],
    pair: ['float32', ({ pair }) => pair],
    pairStride: ['constant', ({ pairStride }) => pairStride],
    token: ['float32', ({ token }) => token],
    tokenStride: ['constant', ({ tokenStride }) => tokenStride],
    mostHistory: ['float32', ({ mostHistory }) => mostHistory],
    historyRange: ['constant', ({ historyRange }) => historyRange],
    legalAt: ['int32', ({ legal }) => legal],
    bestAt: ['float64', ({ best }) => best],
    fromAt: ['uint16', ({ from }) => from],
    cubicsAt: ['float64', ({ cubics }) => cubics],
  },
  fits: ({ width }) => width <= MOST_LANES,
};

/** The paths that there are, the best first; equal ones in their order. */
export function byScore(scores: Float64Array, count: number): number[] {
  const order: number[] = [];
  for (let k = 0; k < count; k++) {
    if (scores[k] === -Infinity) continue;
    // Insertion sort: a few dozen entries at most.
    let slot = order.length;
    for (; slot > 0 && scores[order[slot - 1]] < scores[k]; slot--) order[slot] = order[slot - 1];
    order[slot] = k;
  }
  return order;
}
