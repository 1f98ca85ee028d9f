import { decodeUtf8 } from '../base/utf8.js';
import { type Conjunction, FIRST_VALUE, PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { TupleTable } from '../features/tuple-table.js';
import type { View } from '../features/views.js';
import type { DensePairTable } from '../kernels/dense-pairs.js';
import { findStrings } from '../kernels/find-ids.js';
import { createKernels, type KernelName, type Kernels } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { inSteps, type PackedFeatures, type PairTable, type ScoreRows } from '../kernels/score-rows.js';
import type { Direction } from '../tags/direction.js';
import { ColumnMemo, type MemoColumn } from './column-memo.js';
import type { Model } from './model.js';
import {
  denseCells,
  denseSize,
  FeaturePacker,
  fillDenseTable,
  fillPairTable,
  PackedRuns,
  pairCells,
  tokensOf,
} from './pack-features.js';
import { SummedRows } from './summed-rows.js';
import { WindowMemo } from './window-memo.js';

/** Tokens that are scored at a time. */
const STRETCH = 1024;
/** Positions of a stretch: its tokens, and what is around them. */
const SPAN = STRETCH + 2 * PADDING;
/** Rows before and after those of a stretch's tokens, for what pairs at its ends bring to tokens beyond it. */
const MARGIN = 2 * PADDING;
/** Bytes of text that the kernels can read at a time. */
const TEXT_BYTES = 1 << 18;

/** Weights that rows of a conjunction's tuples may hold together. */
const MOST_REST = 1 << 19;

/** A conjunction of two values that is looked up. */
interface Pair {
  /** Its views, as numbers in the layout. */
  readonly left: number;
  readonly right: number;
  /** How far after the left value the right one stands. */
  readonly shift: number;
  readonly table: PairTable | DensePairTable;
}

/** A sentence's cells. */
export interface SentenceCells {
  /** UTF-8 text that the cells are in, line after line. */
  readonly bytes: Uint8Array;
  /** [T × input columns × 2] start and end of each cell in `bytes`, in text order. */
  readonly cells: Uint32Array;
  /** [derived columns][T] number of each derived cell among its column's strings, in text order. */
  readonly derived: readonly Uint8Array[];
  /** Tokens T. */
  readonly length: number;
}

/**
 * The part of a sentence's scores that reads no earlier label. What one string, or one window of part-of-speech tags,
 * brings to the tokens around it is summed once and remembered; pairs of values are looked up.
 *
 * Works on stretches of tokens in the kernels' memory, where every array has the size that a stretch needs at most;
 * what is remembered is forgotten before a stretch for which there might not be room.
 */
export class FixedScorer {
  private readonly model: Model;
  private readonly tuples: SentenceTuples;
  private readonly lanes: number;
  private readonly direction: Direction;
  private readonly kernels: Kernels;
  private readonly summed: SummedRows;
  private readonly inputs: number;
  private readonly columns: readonly ColumnMemo[];
  private readonly windows: readonly WindowMemo[];
  private readonly pairs: readonly Pair[];
  /** Other conjunctions that are looked up. */
  private readonly rest: readonly number[];
  /** [rest] of those with few tuples: [tuples × fixed slots × K] what each brings. */
  private readonly restRows: readonly (Float32Array | undefined)[];
  private readonly features: PackedFeatures;
  /** Whether values go to the tuples. */
  private readonly keepsValues: boolean;
  /** [conjunctions][fixed slots] placements that are summed ahead. */
  private readonly ahead: readonly (readonly boolean[])[];
  /** [1] row of the features that read nothing (bias), 0 if there are none. */
  private readonly constant: Uint32Array;
  /** Table that gives all their slots the only place. */
  private readonly constantTable: number;
  /** [TEXT_BYTES] */
  private readonly text: Uint8Array;
  /** [SPAN × input columns × 2] */
  private readonly cells: Uint32Array;
  /** [columns × SPAN] ids of the stretch's strings in reading order, and of what is around them. */
  private readonly ids: Uint32Array;
  /** [views × SPAN] their values, those that are read. */
  private readonly values: Uint32Array;
  /** [SPAN] ids of one kind of window. */
  private readonly windowIds: Uint32Array;
  /** Rows that a token's score is the sum of: of the constant, then column by column and window by window. */
  private readonly rowsPerToken: number;
  /** [STRETCH × rowsPerToken] */
  private readonly rows: Uint32Array;
  /** [STRETCH + 1] where each token's are in `rows`. */
  private readonly rowStarts: Uint32Array;
  /** [(MARGIN + STRETCH + MARGIN) × K], in steps where {@link sumsInSteps} says so. */
  private readonly sums: ScoreRows;
  /** [STRETCH × K] those of the tokens, */
  private readonly tokenSums: ScoreRows;
  /** and as they are handed out. */
  private readonly scores: Float32Array;

  /**
   * @param inputs names of the columns read.
   * @param derived the columns derived from them.
   * @param views the views of the model's layout.
   * @param keptViews views whose values are wanted in the tuples, as numbers in the layout.
   * @param tuples where those go, and those of views that are joined with earlier labels.
   * @param name implementation of the inner loops.
   */
  constructor(
    model: Model,
    inputs: readonly string[],
    derived: readonly MemoColumn[],
    views: readonly View[],
    keptViews: readonly number[],
    tuples: SentenceTuples,
    name: KernelName,
  ) {
    const { layout, starts, tables } = model.features;
    const { conjunctions } = layout;
    const lanes = laneCount(model.problems);
    const columns = [...inputs.map((input): MemoColumn => ({ name: input })), ...derived];
    this.model = model;
    this.tuples = tuples;
    this.lanes = lanes;
    this.direction = model.tagSet.direction;
    this.inputs = inputs.length;

    const inWindows = conjunctions.map(({ fixedSlots }) => new Array<boolean>(fixedSlots).fill(false));
    const windows = WindowMemo.plan(model, inWindows);
    this.ahead = conjunctions.map(({ views: parts }, c) =>
      inWindows[c].map((inWindow) => inWindow || parts.length < 2),
    );
    const all = conjunctions.map((_, c) => c);
    const paired = all.filter((c) => this.isPair(c));
    this.rest = all.filter((c) => this.ahead[c].includes(false) && !paired.includes(c));
    this.restRows = this.rest.map((c) => restRows(model, c, lanes));
    const tupled = all.filter(
      (c) => this.rest.includes(c) || conjunctions[c].placements.some(({ history }) => history !== 'none'),
    );
    const read = [
      ...windows.flatMap(({ host }) => host.views),
      ...[...paired, ...tupled].flatMap((c) => conjunctions[c].views),
      ...keptViews,
    ];

    const keptOf = ({ name: column }: MemoColumn) =>
      views.filter((view, v) => view.column === column && read.includes(v)).length;
    const placesOf = (column: MemoColumn) => mostPlaces(conjunctions, views, column);
    const memoPlaces = sum(columns.map(placesOf)) + sum(windows.map(({ host }) => host.fixedSlots));
    const room = (SPAN + FIRST_VALUE) * memoPlaces + 1;
    const tablePlaces =
      sum(conjunctions.map(({ fixedSlots }) => fixedSlots)) +
      sum(windows.flatMap(({ members }) => members.map(({ placeOf }) => placeOf.length)));
    const tokens = conjunctions.map((conjunction, c) => tokensOf(conjunction, this.ahead[c]));
    const whole = sumsInSteps(model);
    const dense = tokens.map((slots, c) =>
      whole && paired.includes(c) ? denseSize(model, c, slots) : undefined,
    );
    const cellsOf = (c: number) => {
      const size = dense[c];
      return size ? denseCells(size) : pairCells(starts[c].length - 1);
    };
    const bytes =
      4 * FeaturePacker.words(model, whole) +
      4 * sum(paired.map(cellsOf)) +
      SummedRows.bytes(lanes, room, tablePlaces, whole) +
      sum(columns.map((column) => ColumnMemo.bytes(column, keptOf(column), placesOf(column)))) +
      sum(windows.map((window) => WindowMemo.bytes(window))) +
      TEXT_BYTES +
      4 * SPAN * (2 * inputs.length + columns.length + views.length + 1) +
      4 * (STRETCH * (memoPlaces + 2) + 1) +
      (whole ? 2 : 4) * (STRETCH + 2 * MARGIN) * lanes +
      (whole ? 4 * STRETCH * lanes : 0);
    const arrays = 16 + 2 * paired.length + 6 * columns.length + 5 * windows.length;
    const kernels = createKernels(arrays, bytes, name);
    const { float32, int16, uint8, uint32 } = kernels;
    this.kernels = kernels;
    const features = new FeaturePacker(model, kernels, whole);
    this.features = features;
    const runs = all.map((c) => {
      const places = this.ahead[c].map((isAhead, slot) => (isAhead ? slot : undefined));
      return places.every((place) => place === undefined)
        ? undefined
        : new PackedRuns(features, model, c, places);
    });
    this.pairs = paired.map((c) => {
      const [left, right] = conjunctions[c].views;
      const keys = (tables[c] as TupleTable).pack();
      const size = dense[c];
      const table = size
        ? fillDenseTable(model, c, keys, tokens[c], size, uint32(denseCells(size)))
        : fillPairTable(keys, features.pack(c, tokens[c]), uint32(cellsOf(c)));
      return { left, right, shift: conjunctions[c].shifts[1], table };
    });
    this.summed = new SummedRows(kernels, features, runs, lanes, room, tablePlaces, whole);
    this.windows = windows.map((window) => new WindowMemo(model, kernels, this.summed, window));
    this.columns = columns.map(
      (column) => new ColumnMemo(model, kernels, this.summed, column, read, views, inWindows),
    );
    this.keepsValues = keptViews.length > 0 || tupled.length > 0;
    this.constant = uint32(1);
    this.text = uint8(TEXT_BYTES);
    this.cells = uint32(SPAN * inputs.length * 2);
    this.ids = uint32(columns.length * SPAN);
    this.values = uint32(views.length * SPAN);
    this.windowIds = uint32(SPAN);
    this.rowsPerToken = 1 + sum([...this.columns, ...this.windows].map(({ offsets }) => offsets.length));
    this.rows = uint32(STRETCH * this.rowsPerToken);
    this.rowStarts = uint32(STRETCH + 1);
    for (let t = 0; t <= STRETCH; t++) this.rowStarts[t] = t * this.rowsPerToken;
    this.sums = (whole ? int16 : float32)((STRETCH + 2 * MARGIN) * lanes);
    this.tokenSums = this.sums.subarray(MARGIN * lanes, (MARGIN + STRETCH) * lanes);
    this.scores = inSteps(this.tokenSums) ? float32(STRETCH * lanes) : this.tokenSums;
    const constantSlots = conjunctions.find(({ views: parts }) => parts.length === 0)?.fixedSlots ?? 0;
    this.constantTable = this.summed.placeTable(new Array<number>(constantSlots).fill(0));
    this.sumConstant();
  }

  /** Writes the scores of a sentence into `out` [T × K]. */
  score(sentence: SentenceCells, out: Float32Array): void {
    const { length } = sentence;
    if (this.keepsValues) this.tuples.reset(length);
    for (let from = 0; from < length; from += STRETCH) {
      const tokens = Math.min(STRETCH, length - from);
      this.makeRoom(tokens + 2 * PADDING);
      this.findIds(sentence, from, tokens);
      this.takeValues(tokens);
      this.sumRows(tokens);
      this.addPairs(tokens);
      if (this.keepsValues) this.keepValues(from, tokens);
      this.scaleSums(tokens);
      out.set(this.scores.subarray(0, tokens * this.lanes), from * this.lanes);
    }
    if (this.rest.length === 0) return;
    this.tuples.compute(this.rest, this.model.features.tables, false);
    this.addRest(length, out);
  }

  /** Fills the tuples with the values of all views of a sentence: for explanations, which no speed is needed for. */
  fillValues({ bytes, cells, derived, length }: SentenceCells): void {
    const { tuples, columns, inputs } = this;
    tuples.reset(length);
    columns.forEach((memo, c) => {
      for (let t = 0; t < length; t++) {
        const token = this.direction === 'backward' ? length - 1 - t : t;
        const at = 2 * (token * inputs + c);
        const text =
          c < inputs
            ? decodeUtf8(bytes.subarray(cells[at], cells[at + 1]))
            : (memo.column.strings as readonly string[])[derived[c - inputs][token]];
        const values = memo.findValues(text);
        for (let i = 0; i < values.length; i++) {
          tuples.values[memo.all[i] * tuples.stride + PADDING + t] = values[i];
        }
      }
    });
  }

  private isPair(c: number): boolean {
    const { views, placements } = this.model.features.layout.conjunctions[c];
    return (
      views.length === 2 &&
      placements.every(({ history }) => history === 'none') &&
      this.ahead[c].includes(false)
    );
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

  /** Finds the ids of what stands at the positions of a stretch, from PADDING before its first token on. */
  private findIds({ bytes, cells, derived, length }: SentenceCells, from: number, tokens: number): void {
    const { columns, ids, inputs, direction } = this;
    const first = Math.max(0, from - PADDING);
    const count = Math.min(length, from + tokens + PADDING) - first;
    // Position of the first token that is found, and tokens between positions.
    const at = PADDING + first - from;
    const step = direction === 'backward' ? -1 : 1;
    const firstToken = step < 0 ? length - 1 - first : first;
    const lowest = step < 0 ? length - first - count : first;
    for (let c = 0; c < columns.length; c++) {
      const base = c * SPAN;
      for (let position = 0; position < at; position++) {
        ids[base + position] = at - position;
      }
      for (
        let distance = 1, position = base + at + count;
        position < base + tokens + 2 * PADDING;
        position++
      ) {
        ids[position] = PADDING + distance++;
      }
      if (c < inputs) continue;
      const numbers = derived[c - inputs];
      for (let i = 0; i < count; i++) ids[base + at + i] = FIRST_VALUE + numbers[firstToken + i * step];
    }
    this.findStrings(bytes, cells, lowest, firstToken, step, count, at);
  }

  private findStrings(
    bytes: Uint8Array,
    cells: Uint32Array,
    lowest: number,
    firstToken: number,
    step: number,
    count: number,
    at: number,
  ): void {
    const { columns, ids, inputs, kernels } = this;
    const width = 2 * inputs;
    let start = bytes.length;
    let end = 0;
    for (let c = 0; c < inputs; c++) {
      start = Math.min(start, cells[lowest * width + 2 * c]);
      end = Math.max(end, cells[(lowest + count - 1) * width + 2 * c + 1]);
    }
    const fits = end - start <= TEXT_BYTES;
    if (fits) {
      this.text.set(bytes.subarray(start, end));
      this.cells.set(cells.subarray(lowest * width, (lowest + count) * width));
    }
    for (let c = 0; c < inputs; c++) {
      const { table } = columns[c];
      const idsAt = c * SPAN + at;
      const cell = firstToken * width + 2 * c;
      const unknown = fits
        ? kernels.findStrings(
            table,
            this.text,
            start,
            this.cells,
            cell - lowest * width,
            step * width,
            count,
            ids,
            idsAt,
          )
        : findStrings(table, bytes, 0, cells, cell, step * width, count, ids, idsAt);
      if (unknown === 0) continue;
      for (let i = 0; i < count; i++) {
        if (ids[idsAt + i] !== 0) continue;
        const own = cell + i * step * width;
        ids[idsAt + i] = columns[c].add(bytes, cells[own], cells[own + 1]);
      }
    }
  }

  /** Takes the value ids of all positions, for the views that are read further on. */
  private takeValues(tokens: number): void {
    const { columns, ids, values, kernels } = this;
    const positions = tokens + 2 * PADDING;
    for (let c = 0; c < columns.length; c++) {
      const { views, values: valuesOf } = columns[c];
      for (let i = 0; i < views.length; i++) {
        kernels.takeColumn(ids, c * SPAN, positions, valuesOf, views.length, i, values, views[i] * SPAN);
      }
    }
  }

  /** Sums what strings and windows bring to the tokens. */
  private sumRows(tokens: number): void {
    const { columns, windows, windowIds, ids, values, rows, rowStarts, rowsPerToken, kernels, summed } = this;
    let column = 1;
    for (let c = 0; c < columns.length; c++) {
      const { offsets, rows: rowsOf } = columns[c];
      kernels.listRows(ids, c * SPAN + PADDING, offsets, rowsOf, tokens, rows, column, rowsPerToken);
      column += offsets.length;
    }
    for (let w = 0; w < windows.length; w++) {
      const { offsets, leastOffset, largestOffset, rows: rowsOf } = windows[w];
      const first = PADDING + leastOffset;
      windows[w].find(values, SPAN, first, tokens + largestOffset - leastOffset, windowIds);
      kernels.listRows(windowIds, PADDING, offsets, rowsOf, tokens, rows, column, rowsPerToken);
      column += offsets.length;
    }
    kernels.sumRows(summed.values, this.lanes, rows, rowStarts, tokens, this.tokenSums);
  }

  /** Adds what pairs of values bring to the tokens, also those that stand partly outside the stretch. */
  private addPairs(tokens: number): void {
    const { pairs, values, kernels, features, lanes, sums } = this;
    const { reach } = this.model.features.layout;
    const start = PADDING - reach;
    const first = (MARGIN - reach) * lanes;
    for (let i = 0; i < pairs.length; i++) {
      const { left, right, shift, table } = pairs[i];
      // The right value must not be beyond what stands after the stretch.
      const positions = tokens + 2 * reach - shift;
      const leftAt = left * SPAN + start;
      const rightAt = right * SPAN + start + shift;
      if ('groups' in table) {
        kernels.addDensePairs(values, leftAt, rightAt, positions, table, lanes, sums as Int16Array, first);
      } else kernels.addPairs(values, leftAt, rightAt, positions, table, features, lanes, sums, first);
    }
  }

  /** Turns sums that are in steps into scores. */
  private scaleSums(tokens: number): void {
    const { tokenSums, scores, kernels, model, lanes } = this;
    if (inSteps(tokenSums)) kernels.scaleSteps(tokenSums, tokens * lanes, model.weights.step, scores);
  }

  /** Copies the values of the stretch's tokens to the tuples. */
  private keepValues(from: number, tokens: number): void {
    const { tuples, values } = this;
    for (const { views } of this.columns) {
      for (let i = 0; i < views.length; i++) {
        const at = views[i] * SPAN + PADDING;
        tuples.values.set(values.subarray(at, at + tokens), views[i] * tuples.stride + PADDING + from);
      }
    }
  }

  private addRest(length: number, out: Float32Array): void {
    const { rest, restRows: rowsOf, ahead, lanes } = this;
    const { features, weights } = this.model;
    const { slots, layout } = features;
    const { starts: firsts, lanes: laneOf, packed, factor } = weights;
    const { tuples, stride } = this.tuples;
    const { fround } = Math;
    for (let r = 0; r < rest.length; r++) {
      const c = rest[r];
      const { fixedSlots, placements } = layout.conjunctions[c];
      const summedAhead = ahead[c];
      const rows = rowsOf[r];
      const starts = features.starts[c];
      const base = c * stride + PADDING;
      for (let p = -layout.reach; p < length + layout.reach; p++) {
        const tuple = tuples[base + p];
        if (tuple < 0) continue;
        if (rows) {
          for (let slot = 0; slot < fixedSlots; slot++) {
            const t = p - placements[slot].offset;
            if (t < 0 || t >= length || summedAhead[slot]) continue;
            const to = t * lanes;
            const from = (tuple * fixedSlots + slot) * lanes;
            for (let k = 0; k < lanes; k++) out[to + k] += rows[from + k];
          }
          continue;
        }
        for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
          const slot = slots[f];
          if (slot >= fixedSlots) break;
          const t = p - placements[slot].offset;
          if (t < 0 || t >= length || summedAhead[slot]) continue;
          const at = t * lanes;
          for (let j = firsts[f]; j < firsts[f + 1]; j++) out[at + laneOf[j]] += fround(packed[j] * factor);
        }
      }
    }
  }

  /** Sums the features that read nothing, and lists their row for every token. */
  private sumConstant(): void {
    const { conjunctions } = this.model.features.layout;
    const c = conjunctions.findIndex(({ views }) => views.length === 0);
    if (c >= 0 && conjunctions[c].fixedSlots > 0) this.summed.add(c, 0, this.constantTable);
    this.summed.make(1, this.constant, 0);
    for (let t = 0; t < STRETCH; t++) this.rows[t * this.rowsPerToken] = this.constant[0];
  }
}

/** Most steps that a weight is: −128 to 127 fit into a byte, */
const MOST_STEPS = 128;
/** and a sum of them into two. */
const MOST_SUM = 32767;

/**
 * Whether scores are summed in steps, in int16: weights must be in steps, and the features that a token can have, one for
 * each slot, so few that no sum is too large. Such sums are exact.
 */
function sumsInSteps({ weights, features }: Model): boolean {
  const slots = sum(features.layout.conjunctions.map(({ fixedSlots }) => fixedSlots));
  return weights.step > 0 && slots * MOST_STEPS <= MOST_SUM;
}

/** What each tuple of a conjunction brings, in rows that are added without looking for weights; nothing if these are many. */
function restRows({ features, weights }: Model, c: number, lanes: number): Float32Array | undefined {
  const { fixedSlots } = features.layout.conjunctions[c];
  const starts = features.starts[c];
  const tuples = starts.length - 1;
  if (tuples * fixedSlots * lanes > MOST_REST) return undefined;
  const rows = new Float32Array(tuples * fixedSlots * lanes);
  for (let tuple = 0; tuple < tuples; tuple++) {
    for (let f = starts[tuple]; f < starts[tuple + 1]; f++) {
      const slot = features.slots[f];
      if (slot < fixedSlots) weights.addTo(f, rows, (tuple * fixedSlots + slot) * lanes);
    }
  }
  return rows;
}

/** Most places that templates see one column's strings from. */
function mostPlaces(
  conjunctions: readonly Conjunction[],
  views: readonly View[],
  { name }: MemoColumn,
): number {
  const offsets = conjunctions.flatMap(({ views: parts, placements, fixedSlots }) =>
    parts.length === 1 && views[parts[0]].column === name
      ? placements.slice(0, fixedSlots).map(({ offset }) => offset)
      : [],
  );
  return new Set(offsets).size;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
