import { grown } from '../base/growable.js';
import type { Decide } from '../reduce/reduction.js';
import type { FallingPaths } from './falling-paths.js';
import { logSigmoid } from './log-sigmoid.js';

/** How label values become the log scores that add up along a path. */
export type Link =
  /** The value itself: CRF, structured models. */
  | 'identity'
  /** log σ(2f), the probability papers 000 and 004 read from an SVM margin f. */
  | 'log-sigmoid'
  /** f − log Σ exp f over all L labels, legal or not (with a decision rule: the legal ones): multinomial models. */
  | 'log-softmax';

/** What rounding can add to a margin, a sum of a few dozen float32 numbers, is far less than this. */
const MARGIN_SLACK = 1e-3;
/** So is the error of the table of log σ. */
const LINK_SLACK = 1e-6;

/** What a {@link Scorer} is made of. Index L of a history table stands for the start of the sentence. */
export interface ScorerParts {
  /** Number of labels, L. */
  readonly labels: number;
  /** Number of lanes, K; without `decide` lane c is label c, so K ≥ L. */
  readonly lanes: number;
  /** How label values become log scores. */
  readonly link: Link;
  /** The decision rule; absent for one-vs-all and all models with one lane per label. */
  readonly decide?: Decide | undefined;
  /** `[(L+1) × K]`, added by the label at −1. */
  readonly first?: Float32Array | undefined;
  /** `[(L+1) × K]`, added by the label at −2. */
  readonly second?: Float32Array | undefined;
  /** `[(L+1)² × K]`, added by both: row label₋₁ · (L+1) + label₋₂. */
  readonly pair?: Float32Array | undefined;
  /**
   * Adds to the zeros at `out[at … at + K − 1]` what the label at −1 `previous` and the token at `t` bring together.
   * Asked at most once for each.
   */
  readonly tokenHistory?: ((t: number, previous: number, out: Float32Array, at: number) => void) | undefined;
}

/**
 * A sentence's scores as decoders see them (paper 000, Eq. 8). A margin is the sum
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

  private readonly link: Link;
  private readonly decide: Decide | undefined;
  private readonly tokenHistory: ScorerParts['tokenHistory'];
  // An absent table is one row of zeros read with stride 0, which spares the sums a branch per table.
  private readonly zeros: Float32Array;
  private readonly first: Float32Array;
  private readonly firstStride: number;
  private readonly second: Float32Array;
  private readonly secondStride: number;
  private readonly pair: Float32Array;
  private readonly pairStride: number;
  /** `[(L+1) × K]` by the label at −1; or one row of zeros. Rows are filled when first asked for. */
  private readonly token: Float32Array;
  private readonly tokenStride: number;
  /** `[L+1]` which call of {@link moveTo} filled each row of `token`. */
  private readonly filledAt: Float64Array;
  private moves = 0;
  /** `[K]` no history without the token adds more to a margin. */
  private readonly mostHistory: Float64Array;
  /** `[K]` no label at −1 joined with the token under way adds more. */
  private readonly mostToken: Float64Array;
  private position = 0;
  private fixedAt = 0;
  /** `[K]` */
  private readonly margins: Float32Array;
  /** `[L]` label values before the link, as last evaluated. */
  private readonly values: Float64Array;
  /** `[L]` */
  private readonly extended: Float64Array;
  /** `[L]` */
  private readonly noFloor: Float64Array;

  constructor(parts: ScorerParts) {
    const { labels, lanes, first, second, pair, tokenHistory } = parts;
    this.labels = labels;
    this.lanes = lanes;
    this.link = parts.link;
    this.nonPositive = parts.link !== 'identity';
    this.decide = parts.decide;
    this.tokenHistory = tokenHistory;
    this.zeros = new Float32Array(lanes);
    this.first = first ?? this.zeros;
    this.firstStride = first === undefined ? 0 : lanes;
    this.second = second ?? this.zeros;
    this.secondStride = second === undefined ? 0 : lanes;
    this.pair = pair ?? this.zeros;
    this.pairStride = pair === undefined ? 0 : lanes;
    this.token = tokenHistory === undefined ? this.zeros : new Float32Array((labels + 1) * lanes);
    this.tokenStride = tokenHistory === undefined ? 0 : lanes;
    this.filledAt = new Float64Array(labels + 1);
    this.mostHistory = new Float64Array(lanes);
    this.mostToken = new Float64Array(lanes);
    for (const table of [this.first, this.second, this.pair]) {
      addLargest(table, lanes, this.mostHistory);
    }
    this.fixed = new Float32Array(64 * lanes);
    this.margins = new Float32Array(lanes);
    this.values = new Float64Array(labels);
    this.extended = new Float64Array(labels);
    this.noFloor = new Float64Array(labels).fill(-Infinity);
  }

  /** Starts a sentence of `length` tokens: makes room in {@link fixed} and zeroes it. */
  reset(length: number): void {
    this.fixed = grown(this.fixed, length * this.lanes);
    this.fixed.fill(0, 0, length * this.lanes);
    this.length = length;
  }

  /** Makes the token at `t` (0 … T − 1, in reading order) the one that all other calls score. */
  moveTo(t: number): void {
    this.fixedAt = t * this.lanes;
    this.position = t;
    this.moves++;
  }

  /** Fills the row of `token` for the label at −1, and returns where it starts. */
  private tokenRow(previous: number): number {
    const { tokenHistory, token, lanes, filledAt, moves } = this;
    if (tokenHistory === undefined) return 0;
    const at = previous * lanes;
    if (filledAt[previous] !== moves) {
      filledAt[previous] = moves;
      token.fill(0, at, at + lanes);
      tokenHistory(this.position, previous, token, at);
    }
    return at;
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
    const { fixed, first, second, pair, token, fixedAt } = this;
    const firstAt = previous * this.firstStride;
    const secondAt = beforePrevious * this.secondStride;
    const pairAt = (previous * (labels + 1) + beforePrevious) * this.pairStride;
    const tokenAt = this.tokenRow(previous);
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
   * Finds for every label the best of some paths to extend by it: writes the extended path's score into `best` `[L]`
   * and the path's index into `from` `[L]` (0 and −Infinity for a label that no path may take). Of equally good ones
   * the first path wins. Prunes as {@link extend} does, with the best found so far as the floor.
   *
   * @param legalAt offset of the row for previous label 0 in `legal`; the others follow, `[L × L]`.
   */
  extendBest(
    paths: FallingPaths,
    legal: Uint8Array,
    legalAt: number,
    best: Float64Array,
    from: Uint16Array,
  ): void {
    const { labels, link, nonPositive } = this;
    const { count, scores, previous, beforePrevious } = paths;
    if (link === 'log-softmax' || this.decide !== undefined) {
      const { extended } = this;
      best.fill(-Infinity);
      from.fill(0);
      for (let k = 0; k < count; k++) {
        const rowAt = legalAt + previous[k] * labels;
        if (!this.extend(previous[k], beforePrevious[k], legal, rowAt, scores[k], best, extended)) continue;
        for (let c = 0; c < labels; c++) {
          if (extended[c] > best[c]) {
            best[c] = extended[c];
            from[c] = k;
          }
        }
      }
      return;
    }
    // One label's score needs no other's here. So label by label: the first path that is too low ends the search.
    const { fixed, first, second, pair, token, fixedAt, firstStride, secondStride, pairStride, tokenStride } =
      this;
    const { mostHistory, mostToken } = this;
    if (tokenStride > 0 && nonPositive) {
      mostToken.fill(-Infinity);
      for (let k = 0; k < count; k++) {
        const at = this.tokenRow(previous[k]);
        for (let c = 0; c < labels; c++) if (token[at + c] > mostToken[c]) mostToken[c] = token[at + c];
      }
    } else for (let k = 0; k < count; k++) this.tokenRow(previous[k]);
    for (let c = 0; c < labels; c++) {
      const fixedMargin = fixed[fixedAt + c];
      // No path adds more than this.
      const most = nonPositive
        ? Math.min(0, logSigmoid(fixedMargin + mostHistory[c] + mostToken[c] + MARGIN_SLACK) + LINK_SLACK)
        : Infinity;
      let bestScore = -Infinity;
      let bestPath = 0;
      for (let k = 0; k < count; k++) {
        const pathScore = scores[k];
        if (pathScore + most <= bestScore) break;
        const p = previous[k];
        if (legal[legalAt + p * labels + c] === 0) continue;
        const b = beforePrevious[k];
        let value = Math.fround(fixedMargin + first[p * firstStride + c]);
        value = Math.fround(value + second[b * secondStride + c]);
        value = Math.fround(value + pair[(p * (labels + 1) + b) * pairStride + c]);
        value = Math.fround(value + token[p * tokenStride + c]);
        if (nonPositive) {
          if (pathScore + (value < 0 ? 2 * value : 0) <= bestScore) continue;
          value = logSigmoid(value);
        }
        if (pathScore + value > bestScore) {
          bestScore = pathScore + value;
          bestPath = k;
        }
      }
      best[c] = bestScore;
      from[c] = bestPath;
    }
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

  /** Fills `values`; with a decision rule, labels that are not legal get −Infinity. */
  private evaluate(previous: number, beforePrevious: number, legal: Uint8Array, legalAt: number): void {
    const { labels, values, margins, fixed, first, second, pair, token, fixedAt, decide } = this;
    const lanes = decide === undefined ? labels : this.lanes;
    const firstAt = previous * this.firstStride;
    const secondAt = beforePrevious * this.secondStride;
    const pairAt = (previous * (labels + 1) + beforePrevious) * this.pairStride;
    const tokenAt = this.tokenRow(previous);
    for (let k = 0; k < lanes; k++) {
      let margin = Math.fround(fixed[fixedAt + k] + first[firstAt + k]);
      margin = Math.fround(margin + second[secondAt + k]);
      margin = Math.fround(margin + pair[pairAt + k]);
      margins[k] = margin + token[tokenAt + k];
    }
    if (decide === undefined) {
      for (let c = 0; c < labels; c++) values[c] = margins[c];
      return;
    }
    decide(margins, legal, legalAt, values);
    for (let c = 0; c < labels; c++) if (legal[legalAt + c] === 0) values[c] = -Infinity;
  }
}

/** Adds to `most` `[K]` the largest value of each lane in a table `[rows × K]`. */
function addLargest(table: Float32Array, lanes: number, most: Float64Array): void {
  for (let k = 0; k < lanes; k++) {
    let largest = table[k];
    for (let at = k + lanes; at < table.length; at += lanes) if (table[at] > largest) largest = table[at];
    most[k] += largest;
  }
}

/** log Σ exp of the values, never below their maximum. */
function logSumExp(values: Float64Array): number {
  let highest = -Infinity;
  for (let c = 0; c < values.length; c++) if (values[c] > highest) highest = values[c];
  let sum = 0;
  for (let c = 0; c < values.length; c++) sum += Math.exp(values[c] - highest);
  return highest + Math.log(sum);
}
