import { grown } from '../base/growable.js';
import { PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { View } from '../features/views.js';
import { sumRows } from '../kernels/sum-rows.js';
import { laneCount } from '../learn/learner.js';
import { ColumnMemo } from './column-memo.js';
import type { Model } from './model.js';
import { SummedRows } from './summed-rows.js';
import { WindowMemo } from './window-memo.js';

/**
 * The part of a sentence's scores that reads no earlier label. What one string, or one window of part-of-speech tags,
 * brings to the tokens around it is summed once and remembered; the rest is looked up feature by feature.
 */
export class FixedScorer {
  private readonly model: Model;
  private readonly tuples: SentenceTuples;
  private readonly lanes: number;
  private readonly summed: SummedRows;
  private readonly columns: readonly ColumnMemo[];
  private readonly windows: readonly WindowMemo[];
  /** Conjunctions that are looked up feature by feature. */
  private readonly rest: readonly number[];
  /** [conjunctions][fixed slots] placements that are summed ahead. */
  private readonly ahead: readonly (readonly boolean[])[];
  /** Row of the features that read nothing (bias). */
  private constant = 0;
  /** [columns × (T + 2 · PADDING)] ids of the sentence's strings in reading order, and of what is around them. */
  private ids = new Uint32Array(1024);
  /** [windows × (T + 2 · PADDING)] first row of the window at each position. */
  private windowBlocks = new Uint32Array(1024);
  /** Rows that one token's score is the sum of. */
  private readonly rows: Uint32Array;

  /**
   * @param inputColumns names of the columns read.
   * @param views the views of the model's layout.
   * @param tuples where the sentence's value ids go, and its tuples of the conjunctions that are looked up.
   */
  constructor(model: Model, inputColumns: readonly string[], views: readonly View[], tuples: SentenceTuples) {
    const { conjunctions } = model.features.layout;
    this.model = model;
    this.tuples = tuples;
    this.lanes = laneCount(model.problems);
    this.summed = new SummedRows(model);
    const inWindows = conjunctions.map(({ fixedSlots }) => new Array<boolean>(fixedSlots).fill(false));
    this.windows = WindowMemo.plan(model, this.summed, inWindows);
    this.columns = inputColumns.map((column) => new ColumnMemo(model, this.summed, column, views, inWindows));
    const ahead = conjunctions.map((conjunction, c) =>
      inWindows[c].map((inWindow) => inWindow || conjunction.views.length < 2),
    );
    this.ahead = ahead;
    this.rest = conjunctions.flatMap(({ placements }, c) =>
      ahead[c].includes(false) || placements.some(({ history }) => history !== 'none') ? [c] : [],
    );
    const blocks = [...this.columns, ...this.windows];
    this.rows = new Uint32Array(1 + blocks.reduce((sum, { offsets }) => sum + offsets.length, 0));
    this.sumConstant();
  }

  /** Starts a sentence of `length` tokens. */
  start(length: number): void {
    const { columns } = this;
    if (this.summed.full || columns.some((column) => column.full)) this.forget();
    this.tuples.reset(length);
    const stride = length + 2 * PADDING;
    this.ids = grown(this.ids, columns.length * stride);
    for (let c = 0; c < columns.length; c++) {
      const first = c * stride + PADDING;
      for (let distance = 1; distance <= PADDING; distance++) {
        this.ids[first - distance] = distance;
        this.ids[first + length - 1 + distance] = PADDING + distance;
      }
    }
  }

  /** Sets the cell of a column at position t in reading order. */
  set(column: number, t: number, text: string): void {
    this.place(column, t, this.columns[column].add(text));
  }

  /** As {@link set} for UTF-8 bytes. */
  setBytes(column: number, t: number, bytes: Uint8Array, start: number, end: number): void {
    this.place(column, t, this.columns[column].addBytes(bytes, start, end));
  }

  /** Writes the scores of the sentence, all of whose cells are set, into `out` [T × K]. */
  sum(out: Float32Array): void {
    this.tuples.compute(this.rest, this.model.features.tables, false);
    this.sumAhead(out);
    this.addRest(out);
  }

  private place(column: number, t: number, id: number): void {
    const { values, stride } = this.tuples;
    const { views, values: valuesOf } = this.columns[column];
    const at = PADDING + t;
    this.ids[column * stride + at] = id;
    for (let i = 0; i < views.length; i++) values[views[i] * stride + at] = valuesOf[id * views.length + i];
  }

  private sumAhead(out: Float32Array): void {
    const { columns, windows, ids, rows, lanes, summed } = this;
    const { values, stride, length } = this.tuples;
    this.windowBlocks = grown(this.windowBlocks, windows.length * stride);
    const { windowBlocks } = this;
    for (let w = 0; w < windows.length; w++) {
      const { offsets } = windows[w];
      const first = PADDING + Math.min(...offsets);
      const last = PADDING + length - 1 + Math.max(...offsets);
      for (let at = first; at <= last; at++) {
        windowBlocks[w * stride + at] = windows[w].blockAt(values, stride, at);
      }
    }
    for (let t = 0; t < length; t++) {
      let count = 0;
      rows[count++] = this.constant;
      for (let c = 0; c < columns.length; c++) {
        const { offsets, blocks } = columns[c];
        const at = c * stride + PADDING + t;
        for (let i = 0; i < offsets.length; i++) rows[count++] = blocks[ids[at + offsets[i]]] + i;
      }
      for (let w = 0; w < windows.length; w++) {
        const { offsets } = windows[w];
        const at = w * stride + PADDING + t;
        for (let i = 0; i < offsets.length; i++) rows[count++] = windowBlocks[at + offsets[i]] + i;
      }
      sumRows(summed.values, lanes, rows, 0, count, out, t * lanes);
    }
  }

  private addRest(out: Float32Array): void {
    const { rest, ahead, lanes } = this;
    const { features, weights } = this.model;
    const { slots, layout } = features;
    const { starts: firsts, lanes: laneOf, values } = weights;
    const { tuples, stride, length } = this.tuples;
    for (let r = 0; r < rest.length; r++) {
      const c = rest[r];
      const { fixedSlots, placements } = layout.conjunctions[c];
      const summedAhead = ahead[c];
      const starts = features.starts[c];
      const base = c * stride + PADDING;
      for (let p = -layout.reach; p < length + layout.reach; p++) {
        const tuple = tuples[base + p];
        if (tuple < 0) continue;
        for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
          const slot = slots[f];
          if (slot >= fixedSlots) break;
          const t = p - placements[slot].offset;
          if (t < 0 || t >= length || summedAhead[slot]) continue;
          const at = t * lanes;
          for (let j = firsts[f]; j < firsts[f + 1]; j++) out[at + laneOf[j]] += values[j];
        }
      }
    }
  }

  private forget(): void {
    this.summed.clear();
    for (const column of this.columns) column.clear();
    for (const window of this.windows) window.clear();
    this.sumConstant();
  }

  private sumConstant(): void {
    const { conjunctions } = this.model.features.layout;
    this.constant = this.summed.allocate(1);
    const c = conjunctions.findIndex(({ views }) => views.length === 0);
    if (c >= 0) this.summed.addTuple(c, 0, new Int16Array(conjunctions[c].fixedSlots), this.constant);
  }
}
