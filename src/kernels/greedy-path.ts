/**
 * Greedy search: takes the best legal label of each token in turn, given the one or two labels before it. The plain
 * kernel, oracle of its SIMD twin.
 *
 *   m[c] = fixed[t][c] + first[p][c] + second[b][c] + pair[p, b][c]   with p, b the last two labels
 *
 * Margins are rounded to float32 after every addition; of equals the lowest label wins.
 */
import type { HistoryTables } from './extend-paths.js';
import type { Kernel } from './kernel.js';
import { type LegalSteps, stepOf } from './legal-steps.js';
import { logSigmoid } from './log-sigmoid.js';

/** Tokens that are labelled in one call. */
export interface GreedyStretch {
  /** [tokens × W] */
  readonly rows: Float32Array;
  /** How many. */
  tokens: number;
  /** Tokens of the sentence after the first of them. */
  remaining: number;
  /** The label before, L for none. */
  previous: number;
  /** The one before that. */
  beforePrevious: number;
  /** [tokens] written. */
  readonly labels: Uint16Array;
}

/** Tokens, and what they are labelled by. */
export interface GreedySearch {
  /** Scores by earlier labels. */
  readonly tables: HistoryTables;
  /** Labels that may follow labels. */
  readonly steps: LegalSteps;
  /** The tokens. */
  readonly stretch: GreedyStretch;
}

/** Labels a stretch; returns the score of what it takes: the sum of log σ(2 m) (with `link` 0: m). */
export const greedyPath: Kernel<GreedySearch, number> = {
  name: 'greedyPath',
  plain({ tables, steps, stretch }) {
    const { labels, width, link, first, firstStride, second, secondStride, pair, pairStride } = tables;
    const { rows, tokens, remaining, previous, beforePrevious, labels: out } = stretch;
    const { masks } = steps;
    const fround = Math.fround;
    let total = 0;
    let p = previous;
    let b = beforePrevious;
    for (let t = 0; t < tokens; t++) {
      const step = stepOf(steps, remaining - t);
      const mask = (step * (labels + 1) + p) * width;
      const pairAt = (p * (labels + 1) + b) * pairStride;
      let best = -1;
      let most = -Infinity;
      for (let c = 0; c < labels; c++) {
        if (masks[mask + c] === 0) continue;
        let margin = fround(rows[t * width + c] + first[p * firstStride + c]);
        margin = fround(margin + second[b * secondStride + c]);
        margin = fround(margin + pair[pairAt + c]);
        if (best < 0 || margin > most) {
          best = c;
          most = margin;
        }
      }
      total += link === 1 ? logSigmoid(most) : most;
      out[t] = best;
      b = p;
      p = best;
    }
    return total;
  },
  parameters: {
    labels: ['constant', ({ tables }) => tables.labels],
    width: ['constant', ({ tables }) => tables.width],
    link: ['constant', ({ tables }) => tables.link],
    rows: ['float32', ({ stretch }) => stretch.rows],
    tokens: ['number', ({ stretch }) => stretch.tokens],
    remaining: ['number', ({ stretch }) => stretch.remaining],
    previous: ['number', ({ stretch }) => stretch.previous],
    beforePrevious: ['number', ({ stretch }) => stretch.beforePrevious],
    first: ['float32', ({ tables }) => tables.first],
    firstStride: ['constant', ({ tables }) => tables.firstStride],
    second: ['float32', ({ tables }) => tables.second],
    secondStride: ['constant', ({ tables }) => tables.secondStride],
    pair: ['float32', ({ tables }) => tables.pair],
    pairStride: ['constant', ({ tables }) => tables.pairStride],
    masks: ['int32', ({ steps }) => steps.masks],
    periodStart: ['number', ({ steps }) => steps.periodStart],
    period: ['number', ({ steps }) => steps.period],
    out: ['uint16', ({ stretch }) => stretch.labels],
    cubics: ['float64', ({ tables }) => tables.cubics],
  },
};
