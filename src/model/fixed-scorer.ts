import { grown } from '../base/growable.js';
import { PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { TupleTable } from '../features/tuple-table.js';
import type { View } from '../features/views.js';
import { createKernels, type KernelName } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { type FeatureWeights, NOWHERE, type PairTable } from '../kernels/score-rows.js';
import { ColumnMemo } from './column-memo.js';
import type { Model } from './model.js';
import { HOME_BYTES, MOST_PLACES, SummedRows } from './summed-rows.js';
import { WindowMemo } from './window-memo.js';

/** Tokens that are scored at a time. */
const STRETCH = 1024;

/** A conjunction of two values that is looked up. */
interface Pair {
  /** Its views, as numbers in the layout. */
  readonly left: number;
  readonly right: number;
  /** How far after the left value the right one stands. */
  readonly shift: number;
  readonly table: PairTable;
}

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
  private readonly features: FeatureWeights;
  private readonly pairs: readonly Pair[];
  /** Other conjunctions that are looked up. */
  private readonly rest: readonly number[];
  /** Those, and conjunctions that earlier labels are joined with. */
  private readonly tupled: readonly number[];
  /** [conjunctions][fixed slots] placements that are summed ahead. */
  private readonly ahead: readonly (readonly boolean[])[];
  /** [1] row of the features that read nothing (bias), 0 if there are none. */
  private readonly constant = new Uint32Array(1);
  /** [slots] all of them go to its only place. */
  private readonly constantPlaces: Int32Array;
  /** [columns × (T + 2 · PADDING)] ids of the sentence's strings in reading order, and of what is around them. */
  private ids = new Uint32Array(1024);
  /** [windows × (T + 2 · PADDING)] number of the window at each position. */
  private windowIds = new Uint32Array(1024);
  /** Rows that each token's score is the sum of. */
  private readonly rows: Uint32Array;
  /** [STRETCH + 1] where each token's are in `rows`. */
  private readonly rowStarts: Uint32Array;
  /** [2 × (STRETCH + 2 · PADDING)] the values of a pair's views. */
  private readonly values: Uint32Array;
  /** [STRETCH × K] */
  private readonly sums: Float32Array;

  /**
   * @param inputColumns names of the columns read.
   * @param views the views of the model's layout.
   * @param tuples where the sentence's value ids go, and its tuples of the conjunctions that are looked up.
   * @param kernels implementation of the inner loops.
   */
  constructor(
    model: Model,
    inputColumns: readonly string[],
    views: readonly View[],
    tuples: SentenceTuples,
    kernels: KernelName,
  ) {
    const { layout, slots, starts, tables } = model.features;
    const { conjunctions } = layout;
    const { weights } = model;
    this.model = model;
    this.tuples = tuples;
    this.lanes = laneCount(model.problems);
    const isPair = conjunctions.map(
      ({ views: parts, placements }) =>
        parts.length === 2 && placements.every(({ history }) => history === 'none'),
    );
    // A conjunction's tables, and its row tables in every window and column that may sum it.
    const tableCells = conjunctions.reduce(
      (sum, { fixedSlots }, c) => sum + 7 * starts[c].length + 64 + 64 * fixedSlots,
      0,
    );
    const mostRows = 1 + conjunctions.reduce((sum, { fixedSlots }) => sum + fixedSlots, 0);
    const bytes =
      HOME_BYTES +
      4 *
        (STRETCH * (mostRows + this.lanes + 1) + 1 + 2 * (STRETCH + 2 * PADDING) + tableCells + MOST_PLACES) +
      2 * slots.length +
      4 * weights.starts.length +
      6 * weights.values.length;
    // Lanes of two bytes are for the plain kernels only.
    const isSmall = weights.lanes instanceof Uint8Array;
    const own = createKernels(10 + 64 * conjunctions.length, bytes, isSmall ? kernels : 'plain');
    const { float32, uint8, uint16, uint32, int32 } = own;
    this.features = {
      slots: filled(uint16(slots.length), slots),
      starts: filled(uint32(weights.starts.length), weights.starts),
      lanes: filled((isSmall ? uint8 : uint16)(weights.lanes.length), weights.lanes),
      values: filled(float32(weights.values.length), weights.values),
    };
    const ownStarts = starts.map((firsts) => filled(uint32(firsts.length), firsts));
    this.summed = new SummedRows(own, this.features, ownStarts, this.lanes);
    const inWindows = conjunctions.map(({ fixedSlots }) => new Array<boolean>(fixedSlots).fill(false));
    this.windows = WindowMemo.plan(model, this.summed, inWindows);
    this.columns = inputColumns.map((column) => new ColumnMemo(model, this.summed, column, views, inWindows));
    this.ahead = conjunctions.map((conjunction, c) =>
      inWindows[c].map((inWindow) => inWindow || conjunction.views.length < 2),
    );
    this.pairs = conjunctions.flatMap((conjunction, c): Pair[] => {
      if (!isPair[c] || !this.ahead[c].includes(false)) return [];
      const pairTable = tables[c] as TupleTable;
      const { hashed } = pairTable;
      const keys = pairTable.pack();
      const offsets = conjunction.placements.map(({ offset }, slot) =>
        this.ahead[c][slot] ? NOWHERE : offset,
      );
      const [left, right] = conjunction.views;
      const table = {
        hashed: filled(uint32(hashed.length), hashed),
        keys: filled(uint32(keys.length), keys),
        starts: ownStarts[c],
        offsets: filled(int32(offsets.length), offsets),
      };
      return [{ left, right, shift: conjunction.shifts[1], table }];
    });
    const all = conjunctions.map((_, c) => c);
    this.rest = all.filter((c) => this.ahead[c].includes(false) && !isPair[c]);
    this.tupled = all.filter(
      (c) => this.rest.includes(c) || conjunctions[c].placements.some(({ history }) => history !== 'none'),
    );
    const places = [...this.columns, ...this.windows].reduce((sum, { offsets }) => sum + offsets.length, 0);
    this.rows = uint32(STRETCH * (1 + places));
    this.rowStarts = uint32(STRETCH + 1);
    this.values = uint32(2 * (STRETCH + 2 * PADDING));
    this.sums = float32(STRETCH * this.lanes);
    this.constantPlaces = int32(conjunctions.find(({ views: parts }) => parts.length === 0)?.fixedSlots ?? 0);
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
    this.tuples.compute(this.tupled, this.model.features.tables, false);
    this.findWindows();
    const { length } = this.tuples;
    for (let from = 0; from < length; from += STRETCH) {
      this.sumStretch(from, Math.min(STRETCH, length - from), out);
    }
    this.addRest(out);
  }

  private place(column: number, t: number, id: number): void {
    const { values, stride } = this.tuples;
    const { views, values: valuesOf } = this.columns[column];
    const at = PADDING + t;
    this.ids[column * stride + at] = id;
    for (let i = 0; i < views.length; i++) values[views[i] * stride + at] = valuesOf[id * views.length + i];
  }

  private findWindows(): void {
    const { windows } = this;
    const { values, stride, length } = this.tuples;
    this.windowIds = grown(this.windowIds, windows.length * stride);
    const { windowIds } = this;
    for (let w = 0; w < windows.length; w++) {
      const { offsets } = windows[w];
      const first = PADDING + Math.min(...offsets);
      const last = PADDING + length - 1 + Math.max(...offsets);
      for (let at = first; at <= last; at++) {
        windowIds[w * stride + at] = windows[w].idAt(values, stride, at);
      }
    }
  }

  /** Scores the tokens from `from` on: what is summed ahead, and pairs. */
  private sumStretch(from: number, tokens: number, out: Float32Array): void {
    const { columns, windows, windowIds, ids, rows, rowStarts, summed, lanes, sums, values, pairs } = this;
    const { values: sentence, stride } = this.tuples;
    const [constant] = this.constant;
    let count = 0;
    for (let t = 0; t < tokens; t++) {
      rowStarts[t] = count;
      if (constant !== 0) rows[count++] = constant;
      for (let c = 0; c < columns.length; c++) {
        count = addRows(columns[c], ids, c * stride + PADDING + from + t, rows, count);
      }
      for (let w = 0; w < windows.length; w++) {
        count = addRows(windows[w], windowIds, w * stride + PADDING + from + t, rows, count);
      }
    }
    rowStarts[tokens] = count;
    const { kernels } = summed;
    kernels.sumRows(summed.values, lanes, rows, rowStarts, tokens, sums);
    const { reach } = this.model.features.layout;
    const right = STRETCH + 2 * PADDING;
    for (let i = 0; i < pairs.length; i++) {
      const { left, right: rightView, shift, table } = pairs[i];
      // The right value must not be beyond what stands after the sentence.
      const positions = tokens + 2 * reach - shift;
      const start = PADDING - reach + from;
      for (let p = 0; p < positions; p++) {
        values[p] = sentence[left * stride + start + p];
        values[right + p] = sentence[rightView * stride + start + p + shift];
      }
      kernels.addPairs(values, 0, right, positions, -reach, table, this.features, lanes, tokens, sums);
    }
    for (let i = 0, to = from * lanes; i < tokens * lanes; i++, to++) out[to] = sums[i];
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
    this.summed.startBlock();
    const c = conjunctions.findIndex(({ views }) => views.length === 0);
    if (c >= 0) this.summed.addTuple(c, 0, this.constantPlaces);
    this.summed.endBlock(1, this.constant, 0);
  }
}

/** Lists the rows that the strings or windows around a position bring to it; returns how many rows there are then. */
function addRows(
  { offsets, rows }: Pick<ColumnMemo, 'offsets' | 'rows'>,
  ids: Uint32Array,
  position: number,
  out: Uint32Array,
  count: number,
): number {
  const places = offsets.length;
  let filled = count;
  for (let i = 0; i < places; i++) {
    const row = rows[ids[position + offsets[i]] * places + i];
    if (row !== 0) out[filled++] = row;
  }
  return filled;
}

/** The array with the values in it. */
function filled<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array>(
  array: T,
  values: ArrayLike<number>,
): T {
  array.set(values);
  return array;
}
