import { grown } from '../base/growable.js';
import {
  byScore,
  extendPaths,
  type HistoryTables,
  MOST_LANES,
  type PathExtension,
} from '../kernels/extend-paths.js';
import { extendStretch, NO_HISTORY, type TrellisStretch } from '../kernels/extend-stretch.js';
import { type GreedyStretch, greedyPath } from '../kernels/greedy-path.js';
import type { KernelMemory } from '../kernels/kernels.js';
import { type Arrays, float32, float64, int32, uint8, uint16, uint32 } from '../kernels/layout.js';
import { type LegalSteps, listSources, sourceCells } from '../kernels/legal-steps.js';
import type { Legality } from './legality.js';
import type { ScorerParts } from './scorer-parts.js';
import { TokenKinds } from './token-kinds.js';
import { TokenRows } from './token-rows.js';

/** Tokens that kernels label at a time. */
const STRETCH = 256;
/** Different steps of legality that there is room for. */
const MOST_STEPS = 8;

/** Scores of a sentence as a {@link Trellis} reads them. */
export interface SentenceScores {
  /** `[T × K]` the history-free part. */
  readonly fixed: Float32Array;
  /** Number of tokens, T. */
  readonly length: number;
  /** Token at hand. */
  readonly position: number;
  /** Margins that were looked at so far. */
  evaluations: number;
  /** Extends one path by every label, as `Scorer.extend` does. */
  readonly extend: (
    previous: number,
    beforePrevious: number,
    legal: Uint8Array,
    legalAt: number,
    pathScore: number,
    floor: Float64Array,
    out: Float64Array,
  ) => boolean;
}

/** Searches over label sequences by kernels: from one token to the next, or over a stretch of tokens at a time. */
export class Trellis {
  /**
   * Paths for {@link extendPaths}, and what it finds: up to L + 1 of `scores` (−Infinity: no path), `previous` and
   * `beforePrevious` are the caller's to fill; `best` `[L]` and `from` `[L]` are written.
   */
  readonly paths: Pick<PathExtension, 'scores' | 'previous' | 'beforePrevious' | 'best' | 'from'>;
  /** Rows of the token at hand, if tokens bring any. */
  readonly tokenRows: TokenRows | undefined;
  private readonly parts: ScorerParts;
  private readonly scores: SentenceScores;
  private readonly tables: PathExtension;
  /** Kinds of tokens met before. */
  private readonly kinds: TokenKinds | undefined;
  /** Steps of the legality that was asked for last. */
  private readonly steps: LegalSteps;
  /** Steps where every label is legal. */
  private readonly noSteps: LegalSteps;
  private readonly stretch: GreedyStretch & TrellisStretch;
  /** Extends the paths. */
  private readonly extend: () => void;
  /** Extends paths over the stretch. */
  private readonly extendOver: () => number;
  /** Labels the stretch greedily, by `steps`. */
  private readonly takeBest: () => number;
  /** Labels the stretch greedily, by `noSteps`. */
  private readonly takeAnyBest: () => number;
  /** `[(T + 1) × L]` back-pointers of the stretches of a longer sentence. */
  private backs = new Uint16Array(0);
  /** Steps of legality that `steps` holds, and whose they are. */
  private stepsKnown = 0;
  private stepsOf: Legality | undefined;
  /** Rows that `tables.legal` holds. */
  private legalRows: Uint8Array | undefined;
  private legalFrom = -1;
  /** `[L]` */
  private readonly extended: Float64Array;

  /**
   * Arrays for a scorer with rows of `width` lanes.
   *
   * @hidden
   */
  static layout({ labels, tokenHistory }: ScorerParts, width: number) {
    const size = labels + 1;
    const nodes = (STRETCH + 1) * labels;
    const lanes = (STRETCH + 1) * width;
    return {
      noTokens: float32(width),
      tokens: tokenHistory && TokenRows.layout(tokenHistory, labels, width),
      kinds: tokenHistory && TokenKinds.layout(tokenHistory, width, STRETCH),
      paths: {
        scores: float64(size),
        best: float64(labels),
        previous: uint16(size),
        beforePrevious: uint16(size),
        from: uint16(labels),
        fixed: float32(width),
        legal: int32(labels * width),
      },
      masks: int32(MOST_STEPS * size * width),
      sources: uint32(MOST_STEPS * sourceCells(labels)),
      sourceMasks: int32(width <= MOST_LANES ? MOST_STEPS * labels * width : 0),
      allLegal: int32(size * width),
      stretch: {
        rows: float32(STRETCH * width),
        labels: uint16(STRETCH),
        backs: uint16(nodes),
        uppers: float32(lanes),
        gains: float32(lanes),
        margins: float32(lanes),
        others: float32(lanes),
        bounds: float32(lanes),
        pathScores: float64(nodes),
        known: uint8(nodes),
        references: float64(STRETCH + 1),
        tops: uint16(STRETCH + 1),
      },
    };
  }

  /** @param arrays of the memory. */
  constructor(
    parts: ScorerParts,
    scores: SentenceScores,
    tables: HistoryTables,
    memory: KernelMemory,
    arrays: Arrays<ReturnType<typeof Trellis.layout>>,
  ) {
    const { labels, tokenHistory } = parts;
    const { width } = tables;
    this.parts = parts;
    this.scores = scores;
    if (tokenHistory && arrays.kinds && arrays.tokens) {
      this.kinds = new TokenKinds(tokenHistory, memory, STRETCH, arrays.kinds);
      const { features } = this.kinds.history;
      this.tokenRows = new TokenRows(tokenHistory, features, memory, width, arrays.tokens);
    }
    this.tables = {
      ...tables,
      ...arrays.paths,
      count: 0,
      token: this.tokenRows?.rows ?? arrays.noTokens,
      tokenStride: this.tokenRows ? width : 0,
    };
    this.paths = this.tables;
    const { masks, sources, sourceMasks } = arrays;
    this.steps = { masks, sources, sourceMasks, periodStart: 0, period: 1 };
    this.noSteps = { ...this.steps, masks: arrays.allLegal };
    for (let row = 0; row <= labels; row++) {
      this.noSteps.masks.fill(-1, row * width, row * width + labels);
    }
    this.stretch = {
      ...arrays.stretch,
      tokens: 0,
      remaining: 0,
      isStart: false,
      previous: labels,
      beforePrevious: labels,
      hybrid: false,
      history: this.kinds?.history ?? NO_HISTORY,
    };
    const { steps, noSteps, stretch } = this;
    this.extend = memory.bindTo(extendPaths, this.tables);
    this.extendOver = memory.bindTo(extendStretch, { extension: this.tables, steps, stretch });
    this.takeBest = memory.bindTo(greedyPath, { tables, steps, stretch });
    this.takeAnyBest = memory.bindTo(greedyPath, { tables, steps: noSteps, stretch });
    this.extended = new Float64Array(labels);
  }

  /**
   * Finds for every label the best of the first `count` of {@link paths} to extend by it: writes the extended path's
   * score into `paths.best` and the path's index into `paths.from` (−Infinity and 0 for a label that no path may take).
   * Of equally good ones the path of higher score wins, then the first.
   *
   * @param legalAt offset of the row for previous label 0 in `legal`; the others follow, `[L × L]`.
   */
  extendPaths(count: number, legal: Uint8Array, legalAt: number): void {
    const { tables, scores, parts } = this;
    const { labels, width } = tables;
    const { lanes } = parts;
    if (parts.link === 'log-softmax' || parts.decide !== undefined) {
      this.extendOneByOne(count, legal, legalAt);
      return;
    }
    this.tokenRows?.fill();
    const { fixed } = scores;
    const fixedAt = scores.position * lanes;
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
    tables.count = count;
    this.extend();
  }

  /** As {@link extendPaths} where labels depend on each other. */
  private extendOneByOne(count: number, legal: Uint8Array, legalAt: number): void {
    const { extended } = this;
    const { labels } = this.tables;
    const { scores, previous, beforePrevious, best, from } = this.paths;
    best.fill(-Infinity);
    from.fill(0);
    for (const k of byScore(scores, count)) {
      const rowAt = legalAt + previous[k] * labels;
      const path = scores[k];
      if (!this.scores.extend(previous[k], beforePrevious[k], legal, rowAt, path, best, extended)) continue;
      for (let c = 0; c < labels; c++) {
        if (extended[c] > best[c]) {
          best[c] = extended[c];
          from[c] = k;
        }
      }
    }
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
    const { tables, stretch } = this;
    const { labels } = tables;
    if (this.kinds || !this.canLabelStretches(legality, length, order)) return undefined;
    const takeBest = legality ? this.takeBest : this.takeAnyBest;
    stretch.previous = labels;
    stretch.beforePrevious = labels;
    let total = 0;
    for (let from = 0; from < length; from += STRETCH) {
      this.takeStretch(from);
      total += takeBest();
      for (let t = 0; t < stretch.tokens; t++) out[from + t] = stretch.labels[t];
      stretch.previous = out[from + STRETCH - 1];
      stretch.beforePrevious = out[from + STRETCH - 2];
    }
    this.scores.evaluations += length * labels;
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
    const { tables, stretch, kinds } = this;
    const { labels } = tables;
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
      label = this.extendOver();
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
    const { link, decide } = this.parts;
    const read = secondStride + pairStride > 0 ? 2 : Math.min(1, firstStride + (this.kinds ? 1 : 0));
    if (link === 'log-softmax' || decide || read > order) return false;
    return legality === undefined || this.readSteps(legality, length);
  }

  /** Makes the tokens from `from` on the stretch that kernels label, as many as there is room for. */
  private takeStretch(from: number): void {
    const { stretch, scores } = this;
    const { fixed, length } = scores;
    const { width } = this.tables;
    const { lanes } = this.parts;
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
    const { steps } = this;
    const { labels, width } = this.tables;
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
}
