import { grown } from '../base/growable.js';
import type { HistoryTables } from '../kernels/extend-paths.js';
import { createMemory } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { logSigmoid } from '../kernels/log-sigmoid.js';
import type { Decide } from '../reduce/reduction.js';
import { fillHistoryTables, historyTablesLayout } from './history-tables.js';
import type { Link } from './link.js';
import { logSumExp } from './log-sum-exp.js';
import type { ScorerParts } from './scorer-parts.js';
import type { TokenRows } from './token-rows.js';
import { Trellis } from './trellis.js';

/**
 * A sentence's scores as decoders see them (Wu et al. 2010a, Eq. 8). A margin is the sum
 * fixed + first + second + pair + tokenHistory, in this order, rounded to float32 after every addition; the
 * decision rule and then the link are applied to the sums.
 */
export class Scorer {
  /** Number of labels, L. */
  readonly labels: number;
  /** Number of lanes, K. */
  readonly lanes: number;
  /** True if no score exceeds 0, so that a path never gains by growing: decoders may prune. */
  readonly nonPositive: boolean;
  /** `[T × K]`: the history-free part, added up by the caller after {@link reset}, which may replace it. */
  fixed: Float32Array;
  /** Number of tokens, T. */
  length = 0;
  /** Margins that {@link argmax} and `Trellis.greedyPath` looked at so far; of those of searches not all count. */
  evaluations = 0;

  /** Searches over label sequences. */
  readonly trellis: Trellis;
  /** Token that all calls score, 0 … T − 1 in reading order; set by {@link moveTo}. */
  position = 0;

  private readonly link: Link;
  private readonly decide: Decide | undefined;
  private readonly tables: HistoryTables;
  /** Rows of the token, where tokens have any joined with history. */
  private readonly tokenRows: TokenRows | undefined;
  /** [W] row of the token that was looked at last; zeros where tokens have none. */
  private readonly token: Float32Array;
  private fixedAt = 0;
  /** `[K]` */
  private readonly margins: Float32Array;
  /** `[L]` label values before the link, as last evaluated. */
  private readonly values: Float64Array;
  /** `[L]` */
  private readonly noFloor: Float64Array;

  constructor(parts: ScorerParts) {
    const { labels, lanes, link } = parts;
    const width = laneCount(lanes);
    const { arrays, ...memory } = createMemory(
      { tables: historyTablesLayout(parts, width), trellis: Trellis.layout(parts, width) },
      parts.kernels ?? 'plain',
    );
    this.labels = labels;
    this.lanes = lanes;
    this.link = link;
    this.nonPositive = link !== 'identity';
    this.decide = parts.decide;
    this.tables = fillHistoryTables(parts, width, arrays.tables);
    this.trellis = new Trellis(parts, this, this.tables, memory, arrays.trellis);
    this.tokenRows = this.trellis.tokenRows;
    this.token = this.tokenRows?.rows ?? new Float32Array(lanes);
    this.fixed = new Float32Array(64 * lanes);
    this.margins = new Float32Array(lanes);
    this.values = new Float64Array(labels);
    this.noFloor = new Float64Array(labels).fill(-Infinity);
  }

  /** Starts a sentence of `length` tokens: makes room in {@link fixed} and zeroes it. */
  reset(length: number): void {
    this.fixed = grown(this.fixed, length * this.lanes);
    this.fixed.fill(0, 0, length * this.lanes);
    this.length = length;
  }

  /** Starts a sentence of `length` tokens whose history-free part stands in an array [≥ T × K]. */
  take(fixed: Float32Array, length: number): void {
    this.fixed = fixed;
    this.length = length;
  }

  /** Makes the token at `t` (0 … T − 1, in reading order) the one that all other calls score. */
  moveTo(t: number): void {
    this.fixedAt = t * this.lanes;
    this.position = t;
    this.tokenRows?.moveTo(t);
  }

  /**
   * Writes the log score of every label into `out` `[L]`, −Infinity for those that are not legal.
   *
   * @param previous the label at −1; L at the start of the sentence.
   * @param beforePrevious the label at −2; L before the start.
   * @param legal with `legalAt`: label c is legal where `legal[legalAt + c]` is not 0.
   */
  scores(
    previous: number,
    beforePrevious: number,
    legal: Uint8Array,
    legalAt: number,
    out: Float64Array,
  ): void {
    this.extend(previous, beforePrevious, legal, legalAt, 0, this.noFloor, out);
  }

  /**
   * Extends a path by every label: writes `pathScore` + the label's score into `out` `[L]`. Labels that are not
   * legal, and those whose result would not exceed `floor` `[L]`, get −Infinity if that spares work (else the
   * result); the log is taken only where a cheap upper bound, log σ(2f) ≤ min(0, 2f), exceeds the floor. Bounds
   * and results round alike, so nothing that would exceed its floor is lost. Identity links are not pruned.
   *
   * @returns false if no label got a result.
   */
  extend(
    previous: number,
    beforePrevious: number,
    legal: Uint8Array,
    legalAt: number,
    pathScore: number,
    floor: Float64Array,
    out: Float64Array,
  ): boolean {
    const { labels, link, values } = this;
    const lazy = link === 'log-sigmoid' && this.decide === undefined;
    const { fixed, fixedAt, token } = this;
    const { first, second, pair, firstStride, secondStride, pairStride } = this.tables;
    const firstAt = previous * firstStride;
    const secondAt = beforePrevious * secondStride;
    const pairAt = (previous * (labels + 1) + beforePrevious) * pairStride;
    const tokenAt = this.tokenRows?.rowOf(previous) ?? 0;
    let evaluated = lazy;
    let normaliser = 0;
    let any = false;
    for (let c = 0; c < labels; c++) {
      out[c] = -Infinity;
      if (legal[legalAt + c] === 0) continue;
      const least = floor[c];
      if (link !== 'identity' && pathScore <= least) continue;
      if (!evaluated) {
        this.evaluate(previous, beforePrevious, legal, legalAt);
        if (link === 'log-softmax') normaliser = logSumExp(values);
        evaluated = true;
      }
      let value = 0;
      if (lazy) {
        value = Math.fround(fixed[fixedAt + c] + first[firstAt + c]);
        value = Math.fround(value + second[secondAt + c]);
        value = Math.fround(value + pair[pairAt + c]);
        value = Math.fround(value + token[tokenAt + c]);
      } else {
        value = values[c];
      }
      if (link === 'log-sigmoid') {
        if (pathScore + (value < 0 ? 2 * value : 0) <= least) continue;
        value = logSigmoid(value);
      } else {
        value -= normaliser;
      }
      out[c] = pathScore + value;
      any = true;
    }
    return any;
  }

  /**
   * The legal label of highest score, found without the link (all links are monotone); the lowest id among equals,
   * −1 if none is legal. Parameters as for {@link scores}.
   */
  argmax(previous: number, beforePrevious: number, legal: Uint8Array, legalAt: number): number {
    this.evaluate(previous, beforePrevious, legal, legalAt);
    const { labels, values } = this;
    let best = -1;
    let bestValue = -Infinity;
    for (let c = 0; c < labels; c++) {
      if (legal[legalAt + c] !== 0 && (best < 0 || values[c] > bestValue)) {
        best = c;
        bestValue = values[c];
      }
    }
    return best;
  }

  /** The log score of a legal label under the history given to the last {@link argmax}. */
  lastScore(label: number): number {
    const value = this.values[label];
    if (this.link === 'identity') return value;
    return this.link === 'log-sigmoid' ? logSigmoid(value) : value - logSumExp(this.values);
  }

  /**
   * Writes what the link is applied to into `out` `[L]`: margins, after the decision rule; −Infinity for labels that are
   * not legal. Parameters as for {@link scores}.
   */
  marginsOf(
    previous: number,
    beforePrevious: number,
    legal: Uint8Array,
    legalAt: number,
    out: Float64Array,
  ): void {
    this.evaluate(previous, beforePrevious, legal, legalAt);
    for (let c = 0; c < this.labels; c++) out[c] = legal[legalAt + c] === 0 ? -Infinity : this.values[c];
  }

  /** Fills `values`; with a decision rule, labels that are not legal get −Infinity. */
  private evaluate(previous: number, beforePrevious: number, legal: Uint8Array, legalAt: number): void {
    const { labels, values, margins, fixed, fixedAt, token, decide } = this;
    const { first, second, pair, firstStride, secondStride, pairStride } = this.tables;
    const lanes = decide === undefined ? labels : this.lanes;
    const firstAt = previous * firstStride;
    const secondAt = beforePrevious * secondStride;
    const pairAt = (previous * (labels + 1) + beforePrevious) * pairStride;
    const tokenAt = this.tokenRows?.rowOf(previous) ?? 0;
    for (let k = 0; k < lanes; k++) {
      let margin = Math.fround(fixed[fixedAt + k] + first[firstAt + k]);
      margin = Math.fround(margin + second[secondAt + k]);
      margin = Math.fround(margin + pair[pairAt + k]);
      margins[k] = margin + token[tokenAt + k];
    }
    if (decide === undefined) {
      for (let c = 0; c < labels; c++) values[c] = margins[c];
      this.evaluations += labels;
      return;
    }
    this.evaluations += decide(margins, legal, legalAt, values);
    for (let c = 0; c < labels; c++) if (legal[legalAt + c] === 0) values[c] = -Infinity;
  }
}
