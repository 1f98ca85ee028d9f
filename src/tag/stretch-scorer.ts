import { grown } from '../base/growable.js';
import { decodeUtf8 } from '../base/utf8.js';
import type { Scorer } from '../decode/scorer.js';
import type { DerivedColumns } from '../features/derived-columns.js';
import { PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { View } from '../features/views.js';
import type { WordColumn } from '../features/words/word-kind.js';
import { takeColumn } from '../kernels/find-ids.js';
import type { Bound } from '../kernels/kernel.js';
import { createMemory, type KernelName } from '../kernels/kernels.js';
import { float32, int16, uint32 } from '../kernels/layout.js';
import { inSteps, listRows, type ScoreRows, scaleSteps, sumRows } from '../kernels/score-rows.js';
import type { Model } from '../model/model.js';
import type { Direction } from '../tags/direction.js';
import { ColumnMemo, type MemoColumn } from './memo/column-memo.js';
import { type BlockPlan, SummedRows } from './memo/summed-rows.js';
import { WindowMemo } from './memo/window-memo.js';
import { FeaturePacker, PackedRuns } from './pack-features.js';
import { BEYOND, PairSums } from './pair-sums.js';
import { RestSums } from './rest-sums.js';
import { planScoring, type ScoringPlan } from './scoring-plan.js';
import { NO_SENTENCES, POSITIONS, type SentenceCells } from './stretch.js';
import { StretchIds } from './stretch-ids.js';

const KERNELS = { takeColumn, listRows, sumRows, scaleSteps };

/** Columns that a model reads. */
export interface ScoredColumns {
  /** Names of the input columns. */
  readonly inputs: readonly string[];
  /** Columns made of a sentence's characters. */
  readonly derived: DerivedColumns | undefined;
  /** Columns made of a document's words. */
  readonly words: readonly WordColumn[];
  /** Views of the model's layout. */
  readonly views: readonly View[];
  /** Views whose values are wanted in the tuples, as numbers in the layout. */
  readonly kept: readonly number[];
}

/** Columns that no input has. */
function derivedColumns({ derived, words }: ScoredColumns): MemoColumn[] {
  return [...(derived?.names ?? []).map((name, c) => ({ name, strings: derived?.strings[c] })), ...words];
}

/** Arrays that stretches of a model are scored in. */
function stretchLayout(model: Model, plan: ScoringPlan) {
  const { lanes, views, isWhole } = plan;
  const sums = (POSITIONS + 2 * BEYOND) * lanes;
  return {
    words: FeaturePacker.layout(model, isWhole),
    runs: PackedRuns.layout(model, plan.ahead),
    pairs: PairSums.layout(model, plan.pairs),
    summed: SummedRows.layout(lanes, plan.rowRoom, plan.places, isWhole),
    windows: plan.windows.map((window) => WindowMemo.layout(model, window)),
    columns: plan.columns.map((column) => ColumnMemo.layout(model, views, column)),
    ids: StretchIds.layout(plan),
    constant: { plan: SummedRows.planLayout(1), tuple: uint32(1), row: uint32(1) },
    values: uint32(PADDING + views.length * POSITIONS),
    windowIds: uint32(POSITIONS),
    rows: uint32(POSITIONS * plan.rowsPerToken),
    rowStarts: uint32(POSITIONS + 1),
    sums: isWhole ? int16(sums) : float32(sums),
    scores: isWhole ? float32(POSITIONS * lanes) : undefined,
  };
}

/**
 * The part of a sentence's scores that reads no earlier label. What one string, or one window of part-of-speech tags,
 * brings to the tokens around it is summed once and remembered; pairs of values are looked up.
 *
 * Works on stretches in the kernels' memory, where every array has the size that a stretch needs at most: as many sentences
 * as there is room for, one after another in reading order, with positions outside of them in between, as many as
 * templates look beyond a sentence. What pairs and windows there bring goes to these positions, which nobody reads. A
 * sentence that is longer than a stretch is scored part by part. What is remembered is forgotten before a stretch for which
 * there might not be room.
 */
export class StretchScorer {
  private readonly model: Model;
  private readonly plan: ScoringPlan;
  private readonly tuples: SentenceTuples;
  private readonly direction: Direction;
  private readonly derived: DerivedColumns | undefined;
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly summed: SummedRows;
  private readonly columns: readonly ColumnMemo[];
  private readonly windows: readonly WindowMemo[];
  private readonly pairs: PairSums;
  private readonly rest: RestSums;
  private readonly ids: StretchIds;
  /** [1] row of the features that read nothing (bias), 0 if there are none. */
  /** [K] is added to the scores of every token, where there is one. */
  bias: Float32Array | undefined;
  private readonly constant: Uint32Array;
  /** Sums these features, if there are any. */
  private readonly constantPlan: BlockPlan | undefined;
  /** [1] their tuple. */
  private readonly constantTuple: Uint32Array;
  /** [PADDING + views × POSITIONS] values by position of those views that are read, after room for what nobody reads. */
  private readonly allValues: Uint32Array;
  /** [views × POSITIONS] the same values without that room. */
  private readonly values: Uint32Array;
  /** [POSITIONS] ids of one kind of window. */
  private readonly windowIds: Uint32Array;
  /** [POSITIONS × rows per token] */
  private readonly rows: Uint32Array;
  /** [POSITIONS + 1] place of each token's rows in `rows`. */
  private readonly rowStarts: Uint32Array;
  /** [(BEYOND + POSITIONS + BEYOND) × K], in steps where the plan says so. */
  private readonly sums: ScoreRows;
  /** [POSITIONS × K] those from the first token on. */
  private readonly tokenSums: ScoreRows;
  /** [POSITIONS × K] the same as they are handed out. */
  private readonly scores: Float32Array;
  /** [T × K] scores of a sentence that is longer than a stretch. */
  private longScores = new Float32Array(0);
  /** [POSITIONS] position of each of the scored sentences. */
  private readonly places = new Uint32Array(POSITIONS);
  /** Sentences that were scored last are among these. */
  private scored: SentenceCells = NO_SENTENCES;
  /** First sentence that was scored. */
  private first = 0;
  /** Whether that is one that is longer than a stretch. */
  private isLong = false;

  /**
   * @param tuples where kept values go, and those of views that are joined with earlier labels.
   * @param name implementation of the inner loops.
   */
  constructor(model: Model, read: ScoredColumns, tuples: SentenceTuples, name: KernelName) {
    const plan = planScoring(model, read.inputs, derivedColumns(read), read.views, read.kept);
    const { lanes, margin, isWhole } = plan;
    const { arrays, ...memory } = createMemory(stretchLayout(model, plan), name);
    const { direction } = model.tagSet;
    this.model = model;
    this.plan = plan;
    this.tuples = tuples;
    this.direction = direction;
    this.derived = read.derived;
    this.kernels = memory.bind(KERNELS);
    const features = new FeaturePacker(model, isWhole, arrays.words);
    const runs = new PackedRuns(features, model, plan.ahead, arrays.runs);
    this.pairs = new PairSums(model, plan.pairs, lanes, features, memory, arrays.pairs);
    const summed = new SummedRows(memory, features, runs, lanes, arrays.summed);
    this.summed = summed;
    this.windows = plan.windows.map(
      (window, w) => new WindowMemo(model, window, summed, memory, arrays.windows[w]),
    );
    this.columns = plan.columns.map(
      (column, c) => new ColumnMemo(model, read.views, column, summed, memory, arrays.columns[c]),
    );
    this.rest = new RestSums(model, plan, tuples);
    this.ids = new StretchIds(plan, this.columns, read.derived, direction, memory, arrays.ids);
    this.allValues = arrays.values;
    this.values = arrays.values.subarray(PADDING);
    this.windowIds = arrays.windowIds;
    this.rows = arrays.rows;
    this.rowStarts = arrays.rowStarts;
    for (let t = 0; t <= POSITIONS; t++) this.rowStarts[t] = t * plan.rowsPerToken;
    this.sums = arrays.sums;
    const firstToken = (BEYOND + margin) * lanes;
    this.tokenSums = this.sums.subarray(firstToken, firstToken + POSITIONS * lanes);
    this.scores = arrays.scores ?? (this.tokenSums as Float32Array);
    this.constant = arrays.constant.row;
    this.constantTuple = arrays.constant.tuple;
    if (plan.constant >= 0) {
      const { fixedSlots } = model.features.layout.conjunctions[plan.constant];
      const placeOf = new Array<number>(fixedSlots).fill(0);
      this.constantTuple[0] = 1;
      this.constantPlan = summed.plan(
        [{ conjunction: plan.constant, shift: 1, tuplesAt: 0, placeOf }],
        arrays.constant.plan,
      );
    }
    this.sumConstant();
  }

  /**
   * Scores as many sentences as a stretch has room for, one at least; {@link take} then hands them out.
   *
   * @param sentences not to be changed while they are handed out.
   * @param first the first of them to score.
   * @param count number of all sentences.
   * @returns the sentence after the last one that was scored.
   */
  score(sentences: SentenceCells, first: number, count: number): number {
    const { places } = this;
    const { margin } = this.plan;
    const { starts } = sentences;
    this.scored = sentences;
    this.first = first;
    let positions = 0;
    let end = first;
    for (; end < Math.min(count, first + POSITIONS); end++) {
      const own = starts[end + 1] - starts[end] + 2 * margin;
      if (positions + own > POSITIONS) break;
      places[end - first] = positions + margin;
      positions += own;
    }
    this.isLong = end === first;
    if (this.isLong) this.scoreLong(sentences, first);
    else {
      this.makeRoom(positions);
      this.ids.find(sentences, first, end);
      this.scoreStretch(positions);
    }
    return this.isLong ? first + 1 : end;
  }

  /**
   * Hands out one of the sentences scored last: its scores [T × K] as the scorer's, in reading order, and its values to the
   * tuples. They hold until the next sentences are scored.
   */
  take(sentence: number, scorer: Scorer): void {
    const { tuples, places, scores } = this;
    const { lanes, margin, keepsValues } = this.plan;
    const { starts } = this.scored;
    const length = starts[sentence + 1] - starts[sentence];
    if (this.isLong) {
      scorer.take(this.longScores, length);
      return;
    }
    const place = places[sentence - this.first];
    const row = place - margin;
    scorer.take(scores.subarray(row * lanes, (row + length) * lanes), length);
    if (keepsValues) tuples.view(this.allValues.subarray(place), POSITIONS, length);
  }

  /** Fills the tuples with the values of all views of a sentence: for explanations, which no speed is needed for. */
  fillValues(sentences: SentenceCells, sentence: number): void {
    const { tuples, columns } = this;
    const { inputs } = this.plan;
    const { bytes, cells, starts } = sentences;
    const first = starts[sentence];
    const length = starts[sentence + 1] - first;
    this.ids.deriveColumns(sentences, sentence);
    tuples.reset(length);
    columns.forEach((memo, c) => {
      for (let t = 0; t < length; t++) {
        const token = this.direction === 'backward' ? length - 1 - t : t;
        const at = 2 * ((first + token) * inputs + c);
        const values = memo.valuesOf(
          c < inputs
            ? decodeUtf8(bytes.subarray(cells[at], cells[at + 1]))
            : this.derivedCell(sentences, memo.column, c - inputs, first, token),
        );
        for (let i = 0; i < values.length; i++) {
          tuples.values[memo.all[i] * tuples.stride + PADDING + t] = values[i];
        }
      }
    });
  }

  /** Cell of a token in a derived column. @param first the sentence's first token. */
  private derivedCell(
    { bytes, derived }: SentenceCells,
    { strings }: MemoColumn,
    column: number,
    first: number,
    token: number,
  ): string {
    const own = this.derived?.cells[column];
    if (own) return (strings as readonly string[])[own[token]];
    const cells = derived?.[column] as Uint32Array;
    const at = first + token;
    return strings ? strings[cells[at]] : decodeUtf8(bytes.subarray(cells[2 * at], cells[2 * at + 1]));
  }

  private makeRoom(positions: number): void {
    const { summed, columns, windows } = this;
    if (
      !summed.full &&
      !columns.some((column) => column.isFull(positions)) &&
      !windows.some((window) => window.isFull(positions))
    ) {
      return;
    }
    summed.clear();
    for (const column of columns) column.clear();
    for (const window of windows) window.clear();
    this.sumConstant();
  }

  /** Scores a sentence that is longer than a stretch, part by part. */
  private scoreLong(sentences: SentenceCells, sentence: number): void {
    const { tuples, scores } = this;
    const { margin, lanes, keepsValues } = this.plan;
    const length = sentences.starts[sentence + 1] - sentences.starts[sentence];
    this.longScores = grown(this.longScores, length * lanes);
    this.ids.deriveColumns(sentences, sentence);
    const most = POSITIONS - 2 * margin;
    for (let from = 0; from < length; from += most) {
      const tokens = Math.min(most, length - from);
      this.makeRoom(tokens + 2 * margin);
      this.ids.findPart(sentences, sentence, from, tokens);
      this.scoreStretch(tokens + 2 * margin);
      this.longScores.set(scores.subarray(0, tokens * lanes), from * lanes);
      if (!keepsValues) continue;
      tuples.reset(length);
      this.keepValues(from, tokens);
    }
  }

  /** Scores the stretch whose positions have their ids. */
  private scoreStretch(positions: number): void {
    const { margin, lanes, rest } = this.plan;
    const { tokenSums, scores, model } = this;
    const tokens = positions - 2 * margin;
    this.takeValues(positions);
    this.sumRows(tokens);
    this.pairs.add(this.values, positions, this.sums);
    if (inSteps(tokenSums)) {
      const { step } = model.weights;
      this.kernels.scaleSteps({ steps: tokenSums, length: tokens * lanes, step, out: scores });
    }
    if (rest.length > 0) {
      this.tuples.view(this.allValues.subarray(margin), POSITIONS, tokens);
      this.rest.add(scores, tokens);
    }
    if (this.bias === undefined) return;
    for (let at = 0; at < tokens * lanes; at += lanes) {
      for (let k = 0; k < lanes; k++) scores[at + k] += this.bias[k];
    }
  }

  /** Takes the value ids of all positions, for the views that are read further on. */
  private takeValues(positions: number): void {
    const { columns, ids, values, kernels } = this;
    for (let c = 0; c < columns.length; c++) {
      const { views, values: valuesOf } = columns[c];
      for (let i = 0; i < views.length; i++) {
        kernels.takeColumn({
          ids: ids.ids,
          first: c * POSITIONS,
          count: positions,
          table: valuesOf,
          width: views.length,
          column: i,
          out: values,
          at: views[i] * POSITIONS,
        });
      }
    }
  }

  /** Sums what strings and windows bring to the tokens, and to what stands between sentences. */
  private sumRows(tokens: number): void {
    const { columns, windows, windowIds, ids, values, rows: out, kernels } = this;
    const { margin, lanes, rowsPerToken: stride } = this.plan;
    let column = 1;
    for (let c = 0; c < columns.length; c++) {
      const { offsets, rows: rowsOf } = columns[c];
      const first = c * POSITIONS + margin;
      kernels.listRows({ ids: ids.ids, first, offsets, rowsOf, tokens, out, column, stride });
      column += offsets.length;
    }
    for (let w = 0; w < windows.length; w++) {
      const { offsets, leastOffset, largestOffset, rows: rowsOf } = windows[w];
      const count = tokens + largestOffset - leastOffset;
      windows[w].find(values, POSITIONS, margin + leastOffset, count, windowIds);
      kernels.listRows({ ids: windowIds, first: margin, offsets, rowsOf, tokens, out, column, stride });
      column += offsets.length;
    }
    kernels.sumRows({
      matrix: this.summed.values,
      width: lanes,
      rows: out,
      starts: this.rowStarts,
      first: 0,
      tokens,
      out: this.tokenSums,
    });
  }

  /** Copies the values of the tokens of a part of a sentence to the tuples. */
  private keepValues(from: number, tokens: number): void {
    const { tuples, values } = this;
    const { margin } = this.plan;
    for (const { views } of this.columns) {
      for (let i = 0; i < views.length; i++) {
        const at = views[i] * POSITIONS + margin;
        tuples.values.set(values.subarray(at, at + tokens), views[i] * tuples.stride + PADDING + from);
      }
    }
  }

  /** Sums the features that read nothing, and lists their row for every token. */
  private sumConstant(): void {
    const { summed, constantPlan, constantTuple, constant } = this;
    if (constantPlan) summed.sum(constantPlan, constantTuple, 1, 1, constant, 0);
    for (let t = 0; t < POSITIONS; t++) this.rows[t * this.plan.rowsPerToken] = this.constant[0];
  }
}
