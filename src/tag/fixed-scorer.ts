import { grown } from '../base/growable.js';
import { decodeUtf8 } from '../base/utf8.js';
import type { Scorer } from '../decode/scorer.js';
import type { DerivedColumns } from '../features/derived-columns.js';
import { type Conjunction, FIRST_VALUE, PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { TupleTable } from '../features/tuple-table.js';
import type { View } from '../features/views.js';
import type { DensePairTable } from '../kernels/dense-pairs.js';
import { findStrings } from '../kernels/find-ids.js';
import { createKernels, type KernelName, type Kernels } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { inSteps, type PackedFeatures, type PairTable, type ScoreRows } from '../kernels/score-rows.js';
import type { Model } from '../model/model.js';
import type { Direction } from '../tags/direction.js';
import { ColumnMemo, type MemoColumn } from './memo/column-memo.js';
import { type BlockPlan, SummedRows } from './memo/summed-rows.js';
import { WindowMemo } from './memo/window-memo.js';
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

/** Positions of a stretch, which is scored at a time: tokens of sentences, and what is around these. */
const SPAN = 1024;
/** Rows before and after those of a stretch, for what pairs at its ends bring to tokens beyond it. */
const BEYOND = PADDING;
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

/** Sentences of some text. */
export interface SentenceCells {
  /** UTF-8 text that the cells are in, line after line. */
  readonly bytes: Uint8Array;
  /** [tokens × input columns × 2] start and end of each cell in `bytes`, in text order, of one sentence after another. */
  readonly cells: Uint32Array;
  /** [sentences + 1] where each sentence starts, in tokens. */
  readonly starts: Uint32Array;
}

const NOTHING: SentenceCells = {
  bytes: new Uint8Array(0),
  cells: new Uint32Array(0),
  starts: new Uint32Array(1),
};

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
export class FixedScorer {
  private readonly model: Model;
  private readonly tuples: SentenceTuples;
  private readonly lanes: number;
  private readonly direction: Direction;
  private readonly kernels: Kernels;
  private readonly summed: SummedRows;
  private readonly inputs: number;
  private readonly wordColumn: number;
  private readonly derived: DerivedColumns | undefined;
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
  /** What sums them, if there are any, */
  private readonly constantPlan: BlockPlan | undefined;
  /** [1] and their tuple. */
  private readonly constantTuple: Uint32Array;
  /** [TEXT_BYTES] */
  private readonly text: Uint8Array;
  /** [SPAN × input columns × 2] */
  private readonly cells: Uint32Array;
  /** [SPAN + 1] where the stretch's sentences start, in tokens from its first one on. */
  private readonly starts: Uint32Array;
  /** Positions outside of a sentence, before and after it. */
  private readonly margin: number;
  /** [columns × SPAN] ids of the stretch's strings in text order, */
  private readonly found: Uint32Array;
  /** [columns × SPAN] and by position. */
  private readonly ids: Uint32Array;
  /** [PADDING + views × SPAN] values by position of those views that are read, after room for what nobody reads, */
  private readonly allValues: Uint32Array;
  /** [views × SPAN] and without that. */
  private readonly values: Uint32Array;
  /** [SPAN] ids of one kind of window. */
  private readonly windowIds: Uint32Array;
  /** [T] the sentence's characters as derived columns number them. */
  private characters = new Uint32Array(SPAN);
  /** Rows that a token's score is the sum of: of the constant, then column by column and window by window. */
  private readonly rowsPerToken: number;
  /** [SPAN × rowsPerToken] */
  private readonly rows: Uint32Array;
  /** [SPAN + 1] where each token's are in `rows`. */
  private readonly rowStarts: Uint32Array;
  /** [(BEYOND + SPAN + BEYOND) × K], in steps where {@link sumsInSteps} says so. */
  private readonly sums: ScoreRows;
  /** [SPAN × K] those from the first token on, */
  private readonly tokenSums: ScoreRows;
  /** and as they are handed out. */
  private readonly scores: Float32Array;
  /** [T × K] scores of a sentence that is longer than a stretch. */
  private longScores = new Float32Array(0);
  /** [SPAN] position of each of the scored sentences. */
  private readonly places = new Uint32Array(SPAN);
  /** What was scored last, */
  private scored: SentenceCells = NOTHING;
  /** which of the sentences first, */
  private first = 0;
  /** and whether that is one that is longer than a stretch. */
  private isLong = false;

  /**
   * @param inputs names of the columns read.
   * @param derived columns made of their characters.
   * @param views the views of the model's layout.
   * @param keptViews views whose values are wanted in the tuples, as numbers in the layout.
   * @param tuples where those go, and those of views that are joined with earlier labels.
   * @param name implementation of the inner loops.
   */
  constructor(
    model: Model,
    inputs: readonly string[],
    derived: DerivedColumns | undefined,
    views: readonly View[],
    keptViews: readonly number[],
    tuples: SentenceTuples,
    name: KernelName,
  ) {
    const { layout, starts, tables } = model.features;
    const { conjunctions } = layout;
    const lanes = laneCount(model.problems);
    const columns: MemoColumn[] = inputs.map((input) => ({ name: input }));
    derived?.names.forEach((column, c) => {
      columns.push({ name: column, strings: derived.strings[c] });
    });
    this.model = model;
    this.tuples = tuples;
    this.lanes = lanes;
    this.direction = model.tagSet.direction;
    this.inputs = inputs.length;
    this.wordColumn = inputs.indexOf('word');
    this.derived = derived;
    // Templates of whole chunks look beyond the reach of the others.
    this.margin = keptViews.length > 0 ? PADDING : layout.reach;

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
    const memos = [
      ...columns.map((column) => ColumnMemo.room(model, column, views, keptOf(column), placesOf(column))),
      ...windows.map((window) => WindowMemo.room(model, window)),
    ];
    const bytes =
      4 * FeaturePacker.words(model, whole) +
      4 * sum(paired.map(cellsOf)) +
      8 * PackedRuns.cells(model, this.ahead) +
      SummedRows.bytes(lanes, room, tablePlaces, whole) +
      SummedRows.planBytes(1) +
      sum(memos.map((memo) => memo.bytes)) +
      TEXT_BYTES +
      4 * (SPAN * (2 * inputs.length + 2 * columns.length + views.length + 2) + PADDING + 1) +
      4 * (SPAN * (memoPlaces + 2) + 1) +
      (whole ? 2 : 4) * (SPAN + 2 * BEYOND) * lanes +
      (whole ? 4 * SPAN * lanes : 0);
    const arrays = 24 + 2 * paired.length + sum(memos.map((memo) => memo.arrays));
    const kernels = createKernels(arrays, bytes, name);
    const { float32, int16, uint8, uint32 } = kernels;
    this.kernels = kernels;
    const features = new FeaturePacker(model, kernels, whole);
    this.features = features;
    const runs = new PackedRuns(features, model, kernels, this.ahead);
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
    this.starts = uint32(SPAN + 1);
    this.found = uint32(columns.length * SPAN);
    this.ids = uint32(columns.length * SPAN);
    this.allValues = uint32(PADDING + views.length * SPAN);
    this.values = this.allValues.subarray(PADDING);
    this.windowIds = uint32(SPAN);
    this.rowsPerToken = 1 + sum([...this.columns, ...this.windows].map(({ offsets }) => offsets.length));
    this.rows = uint32(SPAN * this.rowsPerToken);
    this.rowStarts = uint32(SPAN + 1);
    for (let t = 0; t <= SPAN; t++) this.rowStarts[t] = t * this.rowsPerToken;
    this.sums = (whole ? int16 : float32)((SPAN + 2 * BEYOND) * lanes);
    const firstToken = (BEYOND + this.margin) * lanes;
    this.tokenSums = this.sums.subarray(firstToken, firstToken + SPAN * lanes);
    this.scores = inSteps(this.tokenSums) ? float32(SPAN * lanes) : this.tokenSums;
    this.constantTuple = uint32(1);
    const constant = conjunctions.findIndex(
      ({ views: parts, fixedSlots }) => parts.length === 0 && fixedSlots > 0,
    );
    if (constant >= 0) {
      const placeOf = new Array<number>(conjunctions[constant].fixedSlots).fill(0);
      this.constantTuple[0] = 1;
      this.constantPlan = this.summed.plan([{ conjunction: constant, shift: 1, tuplesAt: 0, placeOf }]);
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
    const { places, margin } = this;
    const { starts } = sentences;
    this.scored = sentences;
    this.first = first;
    let positions = 0;
    let end = first;
    for (; end < Math.min(count, first + SPAN); end++) {
      const own = starts[end + 1] - starts[end] + 2 * margin;
      if (positions + own > SPAN) break;
      places[end - first] = positions + margin;
      positions += own;
    }
    this.isLong = end === first;
    if (this.isLong) this.scoreLong(sentences, first);
    else {
      this.makeRoom(positions);
      this.findIds(sentences, first, end);
      this.scoreStretch(positions);
    }
    return this.isLong ? first + 1 : end;
  }

  /**
   * Hands out one of the sentences scored last: its scores [T × K] as the scorer's, in reading order, and its values to the
   * tuples. They hold until the next sentences are scored.
   */
  take(sentence: number, scorer: Scorer): void {
    const { lanes, tuples, places, scores } = this;
    const { starts } = this.scored;
    const length = starts[sentence + 1] - starts[sentence];
    if (this.isLong) {
      scorer.take(this.longScores, length);
      return;
    }
    const place = places[sentence - this.first];
    const row = place - this.margin;
    scorer.take(scores.subarray(row * lanes, (row + length) * lanes), length);
    if (this.keepsValues) tuples.view(this.allValues.subarray(place), SPAN, length);
  }

  /** Fills the tuples with the values of all views of a sentence: for explanations, which no speed is needed for. */
  fillValues(sentences: SentenceCells, sentence: number): void {
    const { tuples, columns, inputs, derived } = this;
    const { bytes, cells, starts } = sentences;
    const first = starts[sentence];
    const length = starts[sentence + 1] - first;
    this.deriveColumns(sentences, sentence);
    tuples.reset(length);
    columns.forEach((memo, c) => {
      for (let t = 0; t < length; t++) {
        const token = this.direction === 'backward' ? length - 1 - t : t;
        const at = 2 * ((first + token) * inputs + c);
        const text =
          c < inputs
            ? decodeUtf8(bytes.subarray(cells[at], cells[at + 1]))
            : (memo.column.strings as readonly string[])[derived?.cells[c - inputs][token] as number];
        const values = memo.valuesOf(text);
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

  /** Scores a sentence that is longer than a stretch, part by part. */
  private scoreLong(sentences: SentenceCells, sentence: number): void {
    const { tuples, margin, lanes, scores } = this;
    const length = sentences.starts[sentence + 1] - sentences.starts[sentence];
    this.longScores = grown(this.longScores, length * lanes);
    this.deriveColumns(sentences, sentence);
    const most = SPAN - 2 * margin;
    for (let from = 0; from < length; from += most) {
      const tokens = Math.min(most, length - from);
      this.makeRoom(tokens + 2 * margin);
      this.findIdsOfPart(sentences, sentence, from, tokens);
      this.scoreStretch(tokens + 2 * margin);
      this.longScores.set(scores.subarray(0, tokens * lanes), from * lanes);
      if (!this.keepsValues) continue;
      tuples.reset(length);
      this.keepValues(from, tokens);
    }
  }

  /** Scores the stretch whose positions have their ids. */
  private scoreStretch(positions: number): void {
    const tokens = positions - 2 * this.margin;
    this.takeValues(positions);
    this.sumRows(tokens);
    this.addPairs(positions);
    this.scaleSums(tokens);
    if (this.rest.length > 0) this.addRest(tokens);
  }

  /** Finds the ids of what stands at the positions of a stretch of whole sentences, those from `first` to `end` − 1. */
  private findIds(sentences: SentenceCells, first: number, end: number): void {
    const { columns, found, ids, margin, direction, starts, kernels, derived } = this;
    const firstToken = sentences.starts[first];
    for (let s = first; s <= end; s++) starts[s - first] = sentences.starts[s] - firstToken;
    this.findStrings(sentences, firstToken, starts[end - first]);
    for (let s = first; s < end && derived; s++) {
      this.deriveColumns(sentences, s);
      this.numberDerived(0, starts[s - first + 1] - starts[s - first], starts[s - first]);
    }
    const backward = direction === 'backward';
    for (let c = 0; c < columns.length; c++) {
      kernels.layOutSentences(found, c * SPAN, starts, end - first, margin, PADDING, backward, ids, c * SPAN);
    }
  }

  /** The same for a part of a sentence: `tokens` tokens from `from` on, in reading order. */
  private findIdsOfPart(sentences: SentenceCells, sentence: number, from: number, tokens: number): void {
    const { columns, found, ids, margin, direction, starts, kernels } = this;
    const firstToken = sentences.starts[sentence];
    const length = sentences.starts[sentence + 1] - firstToken;
    const first = Math.max(0, from - margin);
    const count = Math.min(length, from + tokens + margin) - first;
    const backward = direction === 'backward';
    const lowest = backward ? length - first - count : first;
    starts[0] = 0;
    starts[1] = count;
    this.findStrings(sentences, firstToken + lowest, count);
    this.numberDerived(lowest, count, 0);
    // Position of the first token that is found.
    const at = margin + first - from;
    for (let c = 0; c < columns.length; c++) {
      const base = c * SPAN;
      kernels.layOutSentences(found, base, starts, 1, 0, PADDING, backward, ids, base + at);
      for (let position = 0; position < at; position++) ids[base + position] = at - position;
      const past = at + count;
      for (let position = past; position < tokens + 2 * margin; position++) {
        ids[base + position] = PADDING + 1 + position - past;
      }
    }
  }

  /** Finds the ids of the strings of `count` tokens, in text order. */
  private findStrings({ bytes, cells }: SentenceCells, firstToken: number, count: number): void {
    const { columns, found, inputs, kernels } = this;
    const width = 2 * inputs;
    const first = firstToken * width;
    const last = first + (count - 1) * width;
    let start = bytes.length;
    let end = 0;
    for (let c = 0; c < inputs && count > 0; c++) {
      start = Math.min(start, cells[first + 2 * c]);
      end = Math.max(end, cells[last + 2 * c + 1]);
    }
    const fits = end - start <= TEXT_BYTES;
    if (fits) {
      this.text.set(bytes.subarray(start, end));
      this.cells.set(cells.subarray(first, first + count * width));
    }
    for (let c = 0; c < inputs; c++) {
      const { table } = columns[c];
      const at = c * SPAN;
      const unknown = fits
        ? kernels.findStrings(table, this.text, start, this.cells, 2 * c, width, count, found, at)
        : findStrings(table, bytes, 0, cells, first + 2 * c, width, count, found, at);
      if (unknown === 0) continue;
      if (fits) columns[c].add(false, this.text, start, this.cells, 2 * c, width, count, found, at);
      else columns[c].add(true, bytes, 0, cells, first + 2 * c, width, count, found, at);
    }
  }

  /** Fills the derived columns of a sentence. */
  private deriveColumns({ bytes, cells, starts }: SentenceCells, sentence: number): void {
    const { derived, inputs, wordColumn } = this;
    if (!derived) return;
    const first = starts[sentence];
    const length = starts[sentence + 1] - first;
    this.characters = grown(this.characters, length);
    for (let t = 0; t < length; t++) {
      const at = 2 * ((first + t) * inputs + wordColumn);
      this.characters[t] = derived.characters.findBytes(bytes, cells[at], cells[at + 1]);
    }
    derived.fill(this.characters, length);
  }

  /** Takes the ids of `count` tokens of the sentence in the derived columns, from token `from` on, as those found from `at` on. */
  private numberDerived(from: number, count: number, at: number): void {
    const { derived, found, inputs } = this;
    derived?.cells.forEach((numbers, c) => {
      const to = (inputs + c) * SPAN + at;
      for (let i = 0; i < count; i++) found[to + i] = FIRST_VALUE + numbers[from + i];
    });
  }

  /** Takes the value ids of all positions, for the views that are read further on. */
  private takeValues(positions: number): void {
    const { columns, ids, values, kernels } = this;
    for (let c = 0; c < columns.length; c++) {
      const { views, values: valuesOf } = columns[c];
      for (let i = 0; i < views.length; i++) {
        kernels.takeColumn(ids, c * SPAN, positions, valuesOf, views.length, i, values, views[i] * SPAN);
      }
    }
  }

  /** Sums what strings and windows bring to the tokens, and to what stands between sentences. */
  private sumRows(tokens: number): void {
    const { columns, windows, windowIds, ids, values, rows, rowStarts, rowsPerToken, kernels, summed } = this;
    const { margin } = this;
    let column = 1;
    for (let c = 0; c < columns.length; c++) {
      const { offsets, rows: rowsOf } = columns[c];
      kernels.listRows(ids, c * SPAN + margin, offsets, rowsOf, tokens, rows, column, rowsPerToken);
      column += offsets.length;
    }
    for (let w = 0; w < windows.length; w++) {
      const { offsets, leastOffset, largestOffset, rows: rowsOf } = windows[w];
      const first = margin + leastOffset;
      windows[w].find(values, SPAN, first, tokens + largestOffset - leastOffset, windowIds);
      kernels.listRows(windowIds, margin, offsets, rowsOf, tokens, rows, column, rowsPerToken);
      column += offsets.length;
    }
    kernels.sumRows(summed.values, this.lanes, rows, rowStarts, tokens, this.tokenSums);
  }

  /** Adds what pairs of values bring to the tokens, also those that stand partly outside of sentences. */
  private addPairs(positions: number): void {
    const { pairs, values, kernels, features, lanes, sums } = this;
    for (let i = 0; i < pairs.length; i++) {
      const { left, right, shift, table } = pairs[i];
      const leftAt = left * SPAN;
      const rightAt = right * SPAN + shift;
      const count = positions - shift;
      const first = BEYOND * lanes;
      if ('groups' in table) {
        kernels.addDensePairs(values, leftAt, rightAt, count, table, lanes, sums as Int16Array, first);
      } else kernels.addPairs(values, leftAt, rightAt, count, table, features, lanes, sums, first);
    }
  }

  /** Turns sums that are in steps into scores. */
  private scaleSums(tokens: number): void {
    const { tokenSums, scores, kernels, model, lanes } = this;
    if (inSteps(tokenSums)) kernels.scaleSteps(tokenSums, tokens * lanes, model.weights.step, scores);
  }

  /** Copies the values of the tokens of a part of a sentence to the tuples. */
  private keepValues(from: number, tokens: number): void {
    const { tuples, values, margin } = this;
    for (const { views } of this.columns) {
      for (let i = 0; i < views.length; i++) {
        const at = views[i] * SPAN + margin;
        tuples.values.set(values.subarray(at, at + tokens), views[i] * tuples.stride + PADDING + from);
      }
    }
  }

  /** Adds what all other conjunctions bring, taking the stretch as one sentence: no tuple reaches over what is between two. */
  private addRest(length: number): void {
    const { rest, restRows: rowsOf, ahead, lanes, scores: out } = this;
    this.tuples.view(this.allValues.subarray(this.margin), SPAN, length);
    this.tuples.compute(rest, this.model.features.tables, false);
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
    const { summed, constantPlan, constantTuple, constant } = this;
    if (constantPlan) summed.sum(constantPlan, constantTuple, 1, 1, constant, 0);
    for (let t = 0; t < SPAN; t++) this.rows[t * this.rowsPerToken] = this.constant[0];
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
