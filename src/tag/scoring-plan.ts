import { type Conjunction, FIRST_VALUE, PADDING } from '../features/layout.js';
import type { View } from '../features/views.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Model } from '../model/model.js';
import { ColumnMemo, type ColumnPlan, type MemoColumn } from './memo/column-memo.js';
import { WindowMemo, type WindowPlan } from './memo/window-memo.js';
import { type DenseSize, denseSize, tokensOf } from './pair-tables.js';
import { POSITIONS } from './stretch.js';

/** A conjunction of two values that is looked up. */
export interface PairPlan {
  /** Its number in the layout. */
  readonly conjunction: number;
  /** View of the left value, as a number in the layout. */
  readonly left: number;
  /** View of the right value. */
  readonly right: number;
  /** How far after the left value the right one stands. */
  readonly shift: number;
  /** [fixed slots] tokens that its features are for, as of `tokensOf`. */
  readonly tokens: readonly (number | undefined)[];
  /** Size of its dense table, if it has one. */
  readonly dense: DenseSize | undefined;
}

/** Ways in which the history-free scores of a model are summed. */
export interface ScoringPlan {
  /** Lanes K of a score. */
  readonly lanes: number;
  /** All views of the model's layout. */
  readonly views: readonly View[];
  /** Number of input columns. */
  readonly inputs: number;
  /** Number of the input column `word`, −1 for none. */
  readonly wordColumn: number;
  /** Memos of strings: of the input columns, then of the derived ones. */
  readonly columns: readonly ColumnPlan[];
  /** Memos of windows. */
  readonly windows: readonly WindowPlan[];
  /** Conjunctions of two values that are looked up. */
  readonly pairs: readonly PairPlan[];
  /** Other conjunctions that are looked up. */
  readonly rest: readonly number[];
  /** [conjunctions][fixed slots] placements that memos sum. */
  readonly ahead: readonly (readonly boolean[])[];
  /** Conjunction of the features that read nothing (bias), −1 for none. */
  readonly constant: number;
  /** Positions outside of a sentence, before and after it. */
  readonly margin: number;
  /** Whether values go to the tuples. */
  readonly keepsValues: boolean;
  /** Whether scores are summed in steps, in int16. */
  readonly isWhole: boolean;
  /** Rows that a token's score is the sum of: of the constant, then column by column and window by window. */
  readonly rowsPerToken: number;
  /** Rows that a stretch may add to those that are remembered. */
  readonly rowRoom: number;
  /** Places of the parts of all blocks. */
  readonly places: number;
}

/**
 * Plans how a model is summed.
 *
 * @param inputs names of the columns read.
 * @param derived columns made of their tokens.
 * @param views the views of the model's layout.
 * @param keptViews views whose values are wanted in the tuples, as numbers in the layout.
 */
export function planScoring(
  model: Model,
  inputs: readonly string[],
  derived: readonly MemoColumn[],
  views: readonly View[],
  keptViews: readonly number[],
): ScoringPlan {
  const { layout } = model.features;
  const { conjunctions } = layout;
  const inWindows = conjunctions.map(({ fixedSlots }) => new Array<boolean>(fixedSlots).fill(false));
  const windows = WindowMemo.plan(model, inWindows);
  const ahead = conjunctions.map(({ views: parts }, c) =>
    inWindows[c].map((inWindow) => inWindow || parts.length < 2),
  );
  const all = conjunctions.map((_, c) => c);
  const paired = all.filter((c) => isPair(conjunctions[c]) && ahead[c].includes(false));
  const rest = all.filter((c) => ahead[c].includes(false) && !paired.includes(c));
  const tupled = all.filter(
    (c) => rest.includes(c) || conjunctions[c].placements.some(({ history }) => history !== 'none'),
  );
  const read = [
    ...windows.flatMap(({ host }) => host.views),
    ...[...paired, ...tupled].flatMap((c) => conjunctions[c].views),
    ...keptViews,
  ];
  const memoColumns: MemoColumn[] = [...inputs.map((name) => ({ name })), ...derived];
  const columns = memoColumns.map((column) => ColumnMemo.plan(model, column, views, read, inWindows));
  const isWhole = sumsInSteps(model);
  const seen =
    sum(columns.map(({ offsets }) => offsets.length)) + sum(windows.map(({ host }) => host.fixedSlots));
  const constant = conjunctions.findIndex(
    ({ views: parts, fixedSlots }) => parts.length === 0 && fixedSlots > 0,
  );
  const parts = [...columns.flatMap((column) => column.parts), ...windows.flatMap(({ members }) => members)];
  return {
    lanes: laneCount(model.problems),
    views,
    inputs: inputs.length,
    wordColumn: inputs.indexOf('word'),
    columns,
    windows,
    pairs: paired.map((c) => planPair(model, c, ahead[c], isWhole)),
    rest,
    ahead,
    constant,
    // Templates of whole chunks look beyond the reach of the others.
    margin: keptViews.length > 0 ? PADDING : layout.reach,
    keepsValues: keptViews.length > 0 || tupled.length > 0,
    isWhole,
    rowsPerToken: 1 + seen,
    rowRoom: (POSITIONS + FIRST_VALUE) * seen + 1,
    places:
      sum(parts.map(({ placeOf }) => placeOf.length)) +
      (constant < 0 ? 0 : conjunctions[constant].fixedSlots),
  };
}

/** Whether a conjunction is one of two values without earlier labels. */
function isPair({ views, placements }: Conjunction): boolean {
  return views.length === 2 && placements.every(({ history }) => history === 'none');
}

function planPair(model: Model, c: number, isAhead: readonly boolean[], isWhole: boolean): PairPlan {
  const conjunction = model.features.layout.conjunctions[c];
  const [left, right] = conjunction.views;
  const tokens = tokensOf(conjunction, isAhead);
  const dense = isWhole ? denseSize(model, c, tokens) : undefined;
  return { conjunction: c, left, right, shift: conjunction.shifts[1], tokens, dense };
}

/** Largest weight in steps: −128 to 127 fit into a byte. */
const MOST_STEPS = 128;
/** Largest sum of weights in steps: int16. */
const MOST_SUM = 32767;

/**
 * Whether scores are summed in steps, in int16: weights must be in steps, and the features that a token can have, one for
 * each slot, so few that no sum is too large. Such sums are exact.
 */
function sumsInSteps({ weights, features }: Model): boolean {
  const slots = sum(features.layout.conjunctions.map(({ fixedSlots }) => fixedSlots));
  return weights.step > 0 && slots * MOST_STEPS <= MOST_SUM;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
