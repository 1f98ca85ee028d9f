import { grown } from '../base/growable.js';
import type { Conjunction } from '../features/layout.js';
import { TupleTable } from '../features/tuple-table.js';
import type { Model } from './model.js';
import type { SummedRows } from './summed-rows.js';

/** A view with more values than this has too many windows for a memo to pay. */
const MOST_VALUES = 1000;
/** Likewise for more tokens than this, */
const MOST_PARTS = 5;
/** and for more than three tokens of a view with more values than this. */
const FEW_VALUES = 16;

/** A conjunction whose weights are known once those of a window that contains it are. */
interface Member {
  readonly conjunction: number;
  /** Its parts, as parts of the window. */
  readonly parts: readonly number[];
  /** [fixed slots] place in the window's offsets that each placement goes to; −1 for those it leaves. */
  readonly placeOf: Int32Array;
}

/**
 * Windows over a column of few values, such as three part-of-speech tags in a row: for each distinct window a block of
 * rows with the summed weights of everything that it determines, one row for each offset it is seen from.
 */
export class WindowMemo {
  /** Views read, as numbers in the layout. */
  readonly views: readonly number[];
  /** Where each view is read, from 0. */
  readonly shifts: readonly number[];
  /** Where the window stands, relative to the token scored, in reading order. */
  readonly offsets: readonly number[];
  /** [windows × offsets] row of each window for each offset that it is seen from, 0 where it brings nothing. */
  rows = new Uint32Array(1024);
  private readonly model: Model;
  private readonly summed: SummedRows;
  private readonly members: readonly Member[];
  private readonly key = new Uint32Array(MOST_PARTS);
  private readonly memberKey = new Uint32Array(MOST_PARTS);
  private windows: TupleTable;

  private constructor(model: Model, summed: SummedRows, host: Conjunction, members: readonly Member[]) {
    this.model = model;
    this.summed = summed;
    this.views = host.views;
    this.shifts = host.shifts;
    this.offsets = host.placements.slice(0, host.fixedSlots).map(({ offset }) => offset);
    this.members = members;
    this.windows = new TupleTable(host.views.length);
  }

  /**
   * The windows that pay for a model: the largest small conjunctions over one column of few values that contain
   * others.
   *
   * @param taken [conjunctions][fixed slots] is set for every placement that a window sums.
   */
  static plan(model: Model, summed: SummedRows, taken: boolean[][]): WindowMemo[] {
    const { layout, values } = model.features;
    const hosts = layout.conjunctions
      .filter(
        ({ views, fixedSlots }) =>
          views.length > 1 &&
          views.length <= MOST_PARTS &&
          fixedSlots > 0 &&
          views.every((view) => view === views[0]) &&
          values[views[0]].size <= (views.length > 3 ? FEW_VALUES : MOST_VALUES),
      )
      .sort((a, b) => b.views.length - a.views.length);
    const memos: WindowMemo[] = [];
    for (const host of hosts) {
      if (taken[layout.conjunctions.indexOf(host)].some((isTaken) => isTaken)) continue;
      const claimed = taken.map((slots) => [...slots]);
      const members = layout.conjunctions.flatMap((_, c) => membersOf(model, summed, host, c, claimed));
      if (members.length < 2) continue;
      memos.push(new WindowMemo(model, summed, host, members));
      claimed.forEach((slots, c) => {
        taken[c] = slots;
      });
    }
    return memos;
  }

  /**
   * Number of the window at a position.
   *
   * @param values value ids of a sentence, [views × stride].
   * @param at position of the window's first token.
   */
  idAt(values: Uint32Array, stride: number, at: number): number {
    const { views, shifts, key } = this;
    for (let i = 0; i < views.length; i++) key[i] = values[views[i] * stride + at + shifts[i]];
    const known = this.windows.size;
    const id = this.windows.id(key, true);
    if (id === known) this.sum(id);
    return id;
  }

  /** Forgets all windows; the rows must be forgotten with them. */
  clear(): void {
    this.windows = new TupleTable(this.views.length);
  }

  private sum(id: number): void {
    const { summed, key, memberKey } = this;
    const { tables } = this.model.features;
    const places = this.offsets.length;
    this.rows = grown(this.rows, (id + 1) * places);
    summed.startBlock();
    for (const { conjunction, parts, placeOf } of this.members) {
      let present = true;
      for (let i = 0; i < parts.length; i++) {
        memberKey[i] = key[parts[i]];
        if (memberKey[i] === 0) present = false;
      }
      if (!present) continue;
      const tuple = tables[conjunction]?.id(memberKey, false) ?? memberKey[0];
      if (tuple >= 0) summed.addTuple(conjunction, tuple, placeOf);
    }
    summed.endBlock(places, this.rows, id * places);
  }
}

/** The ways in which a window contains a conjunction, each with the placements it then sums, which are marked as taken. */
function membersOf(
  model: Model,
  summed: SummedRows,
  host: Conjunction,
  c: number,
  taken: readonly boolean[][],
): Member[] {
  const { views, shifts, placements, fixedSlots } = model.features.layout.conjunctions[c];
  const offsets = host.placements.slice(0, host.fixedSlots).map(({ offset }) => offset);
  const members: Member[] = [];
  if (views.length === 0) return members;
  for (let start = 0; start < host.views.length; start++) {
    const parts = views.map((view, i) =>
      host.shifts.findIndex((shift, p) => host.views[p] === view && shift === host.shifts[start] + shifts[i]),
    );
    if (parts.includes(-1)) continue;
    const placeOf = placements.slice(0, fixedSlots).map(({ offset }, slot) => {
      const place = taken[c][slot] ? -1 : offsets.indexOf(offset - host.shifts[start]);
      if (place >= 0) taken[c][slot] = true;
      return place;
    });
    if (placeOf.some((place) => place >= 0)) {
      members.push({ conjunction: c, parts, placeOf: summed.placeTable(placeOf) });
    }
  }
  return members;
}
