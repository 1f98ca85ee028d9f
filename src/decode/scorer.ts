import { grown } from '../base/growable.js';
import { byScore, type PathExtension } from '../kernels/extend-paths.js';
import type { TrellisStretch } from '../kernels/extend-stretch.js';
import type { GreedyStretch } from '../kernels/greedy-path.js';
import { createKernels, type KernelName, type Kernels } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { type LegalSteps, listSources, sourceCells } from '../kernels/legal-steps.js';
import { logSigmoid } from '../kernels/log-sigmoid.js';
import type { Decide } from '../reduce/reduction.js';
import type { Legality } from './legality.js';
import type { Link } from './link.js';
import { logSumExp } from './log-sum-exp.js';
import { type TokenHistory, TokenKinds } from './token-kinds.js';

/** Tokens that kernels label at a time, */
const STRETCH = 256;
/** and the different steps of legality that it has room for. */
const MOST_STEPS = 8;

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
  /** What tokens bring together with the label at −1. */
  readonly tokenHistory?: TokenHistory | undefined;
  /** Implementation of the inner loops; default plain. */
  readonly kernels?: KernelName | undefined;
}

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
  /** Margins that {@link argmax} and {@link greedyPath} looked at so far; of those of searches not all count. */
  evaluations = 0;

  /**
   * Paths for {@link extendPaths}, and what it finds: up to L + 1 of `scores` (−Infinity: no path), `previous` and
   * `beforePrevious` are the caller's to fill; `best` `[L]` and `from` `[L]` are written.
   */
  readonly paths: Pick<PathExtension, 'scores' | 'previous' | 'beforePrevious' | 'best' | 'from'>;

  private readonly link: Link;
  private readonly decide: Decide | undefined;
  private readonly tokenHistory: TokenHistory | undefined;
  private readonly kernels: Kernels;
  /** Lanes rounded up to whole vectors, W: rows of all tables but {@link fixed} have as many. */
  private readonly width: number;
  /** An absent table is one row of zeros read with stride 0, which spares the sums a branch per table. */
  private readonly tables: PathExtension;
  /** [(L+1) × W] rows of the token, those of {@link filledAt}; one row of zeros if tokens bring none. */
  private readonly token: Float32Array;
  /** Kinds of tokens met before. */
  private readonly kinds: TokenKinds | undefined;
  /** [runs × 2] runs of the token, */
  private readonly runs: Uint32Array;
  /** [key size] */
  private readonly key: Uint32Array;
  /** and the call of {@link moveTo} that they were read after. */
  private runsAt = -1;
  /** The call of {@link moveTo} that filled all rows of {@link token}. */
  private rowsAt = -1;
  /** What kernels that label many tokens read. */
  private readonly steps: LegalSteps;
  /** The same where every label is legal. */
  private readonly noSteps: LegalSteps;
  private readonly stretch: GreedyStretch & TrellisStretch;
  /** `[(T + 1) × L]` those of the stretches of a longer sentence. */
  private backs = new Uint16Array(0);
  /** Steps of legality that `steps` holds, and whose they are. */
  private stepsKnown = 0;
  private stepsOf: Legality | undefined;
  /** `[L+1]` which call of {@link moveTo} filled each row of the table of tokens. */
  private readonly filledAt: Float64Array;
  private moves = 0;
  private position = 0;
  private fixedAt = 0;
  /** What `tables.legal` holds. */
  private legalRows: Uint8Array | undefined;
  private legalFrom = -1;
  /** `[K]` */
  private readonly margins: Float32Array;
  /** `[L]` label values before the link, as last evaluated. */
  private readonly values: Float64Array;
  /** `[L]` */
  private readonly extended: Float64Array;
  /** `[L]` */
  private readonly noFloor: Float64Array;

  constructor(parts: ScorerParts) {
    const { labels, lanes } = parts;
    this.labels = labels;
    this.lanes = lanes;
    this.link = parts.link;
    this.nonPositive = parts.link !== 'identity';
    this.decide = parts.decide;
    this.tokenHistory = parts.tokenHistory;
    const width = laneCount(lanes);
    this.width = width;
    const size = labels + 1;
    const bytes =
      4 * width * (size * (size + 4) + 3 + (MOST_STEPS + 1) * size + STRETCH) +
      10 * labels +
      12 * size +
      4 * MOST_STEPS * sourceCells(labels) +
      2 * STRETCH +
      (STRETCH + 1) * (16 * width + 11 * labels + 10);
    const { tokenHistory } = parts;
    const runs = tokenHistory ? tokenHistory.baseRuns + tokenHistory.ownRuns : 0;
    const tokenBytes = tokenHistory ? TokenKinds.bytes(tokenHistory, width, STRETCH) + 4 * 2 * runs : 0;
    const kernels = createKernels(48, bytes + tokenBytes, parts.kernels ?? 'plain');
    this.kernels = kernels;
    const zeros = kernels.float32(width);
    const padded = (table: Float32Array | undefined) => {
      if (table === undefined) return zeros;
      const rows = table.length / lanes;
      const copy = kernels.float32(rows * width);
      for (let row = 0; row < rows; row++) {
        copy.set(table.subarray(row * lanes, (row + 1) * lanes), row * width);
      }
      return copy;
    };
    const stride = (table: unknown) => (table === undefined ? 0 : width);
    const best = kernels.float64(labels);
    const first = padded(parts.first);
    const second = padded(parts.second);
    const pair = padded(parts.pair);
    const mostHistory = kernels.float32(width);
    let historyRange = 0;
    for (const table of [first, second, pair]) {
      addLargest(table, width, mostHistory);
      historyRange += table.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    }
    this.token = parts.tokenHistory === undefined ? zeros : kernels.float32(size * width);
    this.runs = kernels.uint32(2 * runs);
    this.key = new Uint32Array(tokenHistory?.keySize ?? 0);
    if (tokenHistory) this.kinds = new TokenKinds(tokenHistory, kernels, width, STRETCH);
    this.tables = {
      labels,
      width,
      link: this.nonPositive ? 1 : 0,
      scores: kernels.float64(size),
      best,
      previous: kernels.uint16(size),
      beforePrevious: kernels.uint16(size),
      from: kernels.uint16(labels),
      fixed: kernels.float32(width),
      first,
      firstStride: stride(parts.first),
      second,
      secondStride: stride(parts.second),
      pair,
      pairStride: stride(parts.pair),
      token: this.token,
      tokenStride: stride(parts.tokenHistory),
      mostHistory,
      historyRange,
      legal: kernels.int32(labels * width),
    };
    this.paths = this.tables;
    this.steps = {
      masks: kernels.int32(MOST_STEPS * size * width),
      sources: kernels.uint32(MOST_STEPS * sourceCells(labels)),
      periodStart: 0,
      period: 1,
    };
    this.noSteps = { ...this.steps, masks: kernels.int32(size * width) };
    for (let row = 0; row < size; row++) this.noSteps.masks.fill(-1, row * width, row * width + labels);
    this.stretch = {
      rows: kernels.float32(STRETCH * width),
      tokens: 0,
      remaining: 0,
      isStart: false,
      previous: labels,
      beforePrevious: labels,
      labels: kernels.uint16(STRETCH),
      hybrid: false,
      backs: kernels.uint16((STRETCH + 1) * labels),
      uppers: kernels.float32((STRETCH + 1) * width),
      gains: kernels.float32((STRETCH + 1) * width),
      margins: kernels.float32((STRETCH + 1) * width),
      others: kernels.float32((STRETCH + 1) * width),
      pathScores: kernels.float64((STRETCH + 1) * labels),
      known: kernels.uint8((STRETCH + 1) * labels),
      references: kernels.float64(STRETCH + 1),
      tops: kernels.uint16(STRETCH + 1),
      history: this.kinds?.history,
    };
    this.filledAt = new Float64Array(size);
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

  /** Starts a sentence of `length` tokens whose history-free part stands in an array [≥ T × K]. */
  take(fixed: Float32Array, length: number): void {
    this.fixed = fixed;
    this.length = length;
  }

  /** Makes the token at `t` (0 … T − 1, in reading order) the one that all other calls score. */
  moveTo(t: number): void {
    this.fixedAt = t * this.lanes;
    this.position = t;
    this.moves++;
  }

  /** Fills the row of tokens for the label at −1, and returns where it starts. */
  private tokenRow(previous: number): number {
    const { kinds, token, width, filledAt, moves } = this;
    if (kinds === undefined) return 0;
    const at = previous * width;
    if (filledAt[previous] !== moves) {
      filledAt[previous] = moves;
      token.fill(0, at, at + width);
      this.addRuns(previous, 1, at);
    }
    return at;
  }

  /** Fills the rows of the token for all labels at −1. */
  private tokenRows(): void {
    const { kinds, token, labels, width, filledAt, moves } = this;
    if (kinds === undefined || this.rowsAt === moves) return;
    this.rowsAt = moves;
    token.fill(0, 0, labels * width);
    this.addRuns(0, labels, 0);
    filledAt.fill(moves, 0, labels);
  }

  /** Adds what the token brings to its rows for some labels, which are in the table of tokens from `at` on. */
  private addRuns(first: number, labels: number, at: number): void {
    const { kinds, tokenHistory, runs, key, kernels, token, width, moves } = this;
    if (!tokenHistory || !kinds) return;
    const count = runs.length / 2;
    if (this.runsAt !== moves) {
      tokenHistory.writeKeys(this.position, 1, key, 1);
      tokenHistory.writeRuns(key, 0, 0, count, runs, 0);
      this.runsAt = moves;
    }
    kernels.addHistory(kinds.history.features, runs, 0, count, first, labels, width, token, at);
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
   * Finds for every label the best of the first `count` of {@link paths} to extend by it: writes the extended path's
   * score into `paths.best` and the path's index into `paths.from` (−Infinity and 0 for a label that no path may take).
   * Of equally good ones the path of higher score wins, then the first.
   *
   * @param legalAt offset of the row for previous label 0 in `legal`; the others follow, `[L × L]`.
   */
  extendPaths(count: number, legal: Uint8Array, legalAt: number): void {
    const { labels, width, tables, fixed, fixedAt, lanes } = this;
    if (this.link === 'log-softmax' || this.decide !== undefined) {
      this.extendOneByOne(count, legal, legalAt);
      return;
    }
    this.tokenRows();
    for (let k = 0; k < lanes; k++) tables.fixed[k] = fixed[fixedAt + k];
    if (this.legalRows !== legal || this.legalFrom !== legalAt) {
      for (let p = 0; p < labels; p++) {
        for (let c = 0; c < labels; c++) {
          tables.legal[p * width + c] = legal[legalAt + p * labels + c] === 0 ? 0 : -1;
        }
      }
      this.legalRows = legal;
      this.legalFrom = legalAt;
    }
    this.kernels.extendPaths(tables, count);
  }

  /** As {@link extendPaths} where labels depend on each other. */
  private extendOneByOne(count: number, legal: Uint8Array, legalAt: number): void {
    const { labels, extended } = this;
    const { scores, previous, beforePrevious, best, from } = this.paths;
    best.fill(-Infinity);
    from.fill(0);
    for (const k of byScore(scores, count)) {
      const rowAt = legalAt + previous[k] * labels;
      if (!this.extend(previous[k], beforePrevious[k], legal, rowAt, scores[k], best, extended)) continue;
      for (let c = 0; c < labels; c++) {
        if (extended[c] > best[c]) {
          best[c] = extended[c];
          from[c] = k;
        }
      }
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

  /**
   * Labels the whole sentence greedily by the kernel: takes the legal label of highest score of each token in turn, the
   * lowest id among equals, and writes them into `out`. There must be a legal sequence of the sentence's length.
   *
   * @param legality default none: all labels are legal everywhere.
   * @param order how many earlier labels scores are asked for with.
   * @returns the log score of what it took; nothing, with nothing written, where the kernel cannot do it: with a decision
   *   rule, labels that depend on each other, features that join earlier labels with tokens, or more of them than asked for.
   */
  greedyPath(
    legality: Legality | undefined,
    length: number,
    order: number,
    out: Uint16Array,
  ): number | undefined {
    const { tables, stretch, labels } = this;
    if (this.tokenHistory || !this.canLabelStretches(legality, length, order)) return undefined;
    const steps = legality ? this.steps : this.noSteps;
    stretch.previous = labels;
    stretch.beforePrevious = labels;
    let total = 0;
    for (let from = 0; from < length; from += STRETCH) {
      this.takeStretch(from);
      total += this.kernels.greedyPath(tables, steps, stretch);
      for (let t = 0; t < stretch.tokens; t++) out[from + t] = stretch.labels[t];
      stretch.previous = out[from + STRETCH - 1];
      stretch.beforePrevious = out[from + STRETCH - 2];
    }
    this.evaluations += length * labels;
    return total;
  }

  /**
   * Finds the best path through the whole sentence with one path per label by the kernel, as {@link extendPaths} would token by
   * token, and writes its labels into `out`. Of equally good last labels it ends in the lowest.
   *
   * Only after {@link canLabelStretches} has said so.
   *
   * @param hybrid whether scores read the label at −2, the best predecessor already chosen for the label at −1.
   * @returns its score.
   */
  bestPath(length: number, hybrid: boolean, out: Uint16Array): number {
    const { tables, steps, stretch, labels, kinds } = this;
    const { backs } = stretch;
    const isLong = length > STRETCH;
    if (isLong) this.backs = grown(this.backs, (length + 1) * labels);
    stretch.hybrid = hybrid;
    let label = 0;
    for (let from = 0; from < length; from += STRETCH) {
      this.takeStretch(from);
      stretch.isStart = from === 0;
      kinds?.find(from, stretch.tokens);
      if (from > 0) backs.copyWithin(0, STRETCH * labels, (STRETCH + 1) * labels);
      label = this.kernels.extendStretch(tables, steps, stretch);
      if (isLong) this.backs.set(backs.subarray(labels, (stretch.tokens + 1) * labels), (from + 1) * labels);
    }
    const total = tables.best[label];
    const all = isLong ? this.backs : backs;
    for (let t = length - 1; t >= 0; t--) {
      out[t] = label;
      label = all[(t + 1) * labels + label];
    }
    return total;
  }

  /** Whether kernels can label many tokens at once, with scores that read so many earlier labels; makes ready for it. */
  canLabelStretches(legality: Legality | undefined, length: number, order: number): boolean {
    const { firstStride, secondStride, pairStride } = this.tables;
    const read = secondStride + pairStride > 0 ? 2 : Math.min(1, firstStride + (this.tokenHistory ? 1 : 0));
    if (this.link === 'log-softmax' || this.decide || read > order) return false;
    return legality === undefined || this.readSteps(legality, length);
  }

  /** Makes the tokens from `from` on the stretch that kernels label, as many as there is room for. */
  private takeStretch(from: number): void {
    const { stretch, fixed, lanes, width, length } = this;
    stretch.tokens = Math.min(STRETCH, length - from);
    stretch.remaining = length - 1 - from;
    if (lanes === width) stretch.rows.set(fixed.subarray(from * width, (from + stretch.tokens) * width));
    else {
      for (let t = 0; t < stretch.tokens; t++) {
        for (let k = 0; k < lanes; k++) stretch.rows[t * width + k] = fixed[(from + t) * lanes + k];
      }
    }
  }

  /** Copies what legality knows to the kernels' memory; false if there is not room for it. */
  private readSteps(legality: Legality, length: number): boolean {
    const { steps, labels, width } = this;
    const cycle = legality.cycle(length - 1, MOST_STEPS);
    if (cycle === undefined) return false;
    steps.periodStart = cycle.start;
    steps.period = cycle.period;
    const known = cycle.start + cycle.period;
    if (this.stepsOf === legality && known <= this.stepsKnown) return true;
    const rows = Math.min(known, MOST_STEPS) * (labels + 1);
    for (let row = 0; row < rows; row++) {
      for (let c = 0; c < labels; c++) {
        steps.masks[row * width + c] = legality.rows[row * labels + c] === 0 ? 0 : -1;
      }
    }
    for (let step = 0; step < rows / (labels + 1); step++) listSources(steps, step, labels, width);
    this.stepsOf = legality;
    this.stepsKnown = known;
    return true;
  }

  /** Fills `values`; with a decision rule, labels that are not legal get −Infinity. */
  private evaluate(previous: number, beforePrevious: number, legal: Uint8Array, legalAt: number): void {
    const { labels, values, margins, fixed, fixedAt, token, decide } = this;
    const { first, second, pair, firstStride, secondStride, pairStride } = this.tables;
    const lanes = decide === undefined ? labels : this.lanes;
    const firstAt = previous * firstStride;
    const secondAt = beforePrevious * secondStride;
    const pairAt = (previous * (labels + 1) + beforePrevious) * pairStride;
    const tokenAt = this.tokenRow(previous);
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

/** Adds to `most` `[K]` the largest value of each lane in a table `[rows × K]`. */
function addLargest(table: Float32Array, lanes: number, most: Float32Array): void {
  for (let k = 0; k < lanes; k++) {
    let largest = table[k];
    for (let at = k + lanes; at < table.length; at += lanes) if (table[at] > largest) largest = table[at];
    most[k] += largest;
  }
}
