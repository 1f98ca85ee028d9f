import type { Conjunction } from '../features/layout.js';
import { findWindows } from '../kernels/find-ids.js';
import { hashTuple } from '../kernels/hash.js';
import type { Kernels } from '../kernels/kernels.js';
import type { Model } from './model.js';
import type { SummedRows } from './summed-rows.js';

/** A view with more values than this has too many windows for a memo to pay. */
const MOST_VALUES = 1000;
/** Likewise for more tokens than this, */
const MOST_PARTS = 5;
/** and for more than three tokens of a view with more values than this. */
const FEW_VALUES = 16;
/** Windows that are remembered at a time. */
const MOST_WINDOWS = 1 << 16;

/** A conjunction whose weights are known once those of a window that contains it are. */
interface Member {
  readonly conjunction: number;
  /** Its parts, as parts of the window. */
  readonly parts: readonly number[];
  /** [fixed slots] place in the window's offsets that each placement goes to; −1 for those it leaves. */
  readonly placeOf: readonly number[];
}

/** A window that is worth remembering, and what it then sums. */
export interface WindowPlan {
  /** The conjunction that the window is one of. */
  readonly host: Conjunction;
  /** What its weights are made of. */
  readonly members: readonly Member[];
}

/**
 * Windows over a column of few values, such as three part-of-speech tags in a row: for each distinct window a block of
 * rows with the summed weights of everything that it determines, one row for each offset it is seen from. Windows have
 * ids from 1. All arrays are of one size, in the kernels' memory; before they are full everything is forgotten.
 */
export class WindowMemo {
  /** Views read, as numbers in the layout. */
  readonly views: readonly number[];
  /** Where each view is read, from 0. */
  readonly shifts: readonly number[];
  /** Where the window stands, relative to the token scored, in reading order. */
  readonly offsets: Int32Array;
  /** The least of the offsets, */
  readonly leastOffset: number;
  /** and the largest. */
  readonly largestOffset: number;
  /** [ids × offsets] row of each window for each offset that it is seen from, 0 where it brings nothing. */
  readonly rows: Uint32Array;
  private readonly model: Model;
  private readonly kernels: Kernels;
  private readonly summed: SummedRows;
  private readonly members: readonly { conjunction: number; parts: readonly number[]; table: number }[];
  /** [capacity] ids by hash, and [ids × arity] their values: what `findWindows` reads. */
  private readonly slots: Uint32Array;
  private readonly keys: Uint32Array;
  /** [arity] */
  private readonly parts: Uint32Array;
  private readonly memberKey = new Uint32Array(MOST_PARTS);
  /** Windows known. */
  private size = 0;

  /** Bytes of kernel memory that a memo needs. */
  static bytes({ host }: WindowPlan): number {
    const arity = host.views.length;
    const places = host.fixedSlots;
    return 4 * ((MOST_WINDOWS + 1) * (arity + places) + 2 * MOST_WINDOWS + arity + places);
  }

  /** @param kernels with room for {@link WindowMemo.bytes}. */
  constructor(model: Model, kernels: Kernels, summed: SummedRows, { host, members }: WindowPlan) {
    this.model = model;
    this.kernels = kernels;
    this.summed = summed;
    this.views = host.views;
    this.shifts = host.shifts;
    this.offsets = kernels.int32(host.fixedSlots);
    this.offsets.set(host.placements.slice(0, host.fixedSlots).map(({ offset }) => offset));
    this.leastOffset = Math.min(...this.offsets);
    this.largestOffset = Math.max(...this.offsets);
    this.members = members.map(({ conjunction, parts, placeOf }) => ({
      conjunction,
      parts,
      table: summed.placeTable(placeOf),
    }));
    const arity = host.views.length;
    this.rows = kernels.uint32((MOST_WINDOWS + 1) * host.fixedSlots);
    this.keys = kernels.uint32((MOST_WINDOWS + 1) * arity);
    this.slots = kernels.uint32(2 * MOST_WINDOWS);
    this.parts = kernels.uint32(arity);
  }

  /**
   * The windows that pay for a model: the largest small conjunctions over one column of few values that contain
   * others.
   *
   * @param taken [conjunctions][fixed slots] is set for every placement that a window sums.
   */
  static plan(model: Model, taken: boolean[][]): WindowPlan[] {
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
    const plans: WindowPlan[] = [];
    for (const host of hosts) {
      if (taken[layout.conjunctions.indexOf(host)].some((isTaken) => isTaken)) continue;
      const claimed = taken.map((slots) => [...slots]);
      const members = layout.conjunctions.flatMap((_, c) => membersOf(model, host, c, claimed));
      if (members.length < 2) continue;
      plans.push({ host, members });
      claimed.forEach((slots, c) => {
        taken[c] = slots;
      });
    }
    return plans;
  }

  /**
   * Finds the ids of the windows at some positions, and remembers those that it has not met.
   *
   * @param values value ids, those of view v from `v · stride` on; in the kernels' memory.
   * @param first position of the first window's first token.
   * @param ids written from `first` on.
   */
  find(values: Uint32Array, stride: number, first: number, count: number, ids: Uint32Array): void {
    const { kernels, views, shifts, parts, slots, keys } = this;
    for (let i = 0; i < parts.length; i++) parts[i] = views[i] * stride + first + shifts[i];
    if (kernels.findWindows(values, parts, count, slots, keys, ids, first) === 0) return;
    for (let i = 0; i < count; i++) {
      if (ids[first + i] !== 0) continue;
      // It may have been met a few positions ago.
      for (let part = 0; part < parts.length; part++)
        parts[part] = views[part] * stride + first + i + shifts[part];
      const isNew = findWindows(values, parts, 1, slots, keys, ids, first + i) > 0;
      if (isNew) ids[first + i] = this.add(values);
    }
  }

  /** Whether there might not be room for so many more windows, so that it is time to {@link clear}. */
  isFull(windows: number): boolean {
    return this.size + windows > MOST_WINDOWS;
  }

  /** Forgets all windows; the rows must be forgotten with them. */
  clear(): void {
    this.slots.fill(0);
    this.size = 0;
  }

  /** Remembers the window whose values stand where `parts` says. */
  private add(values: Uint32Array): number {
    const { parts, slots, keys } = this;
    const arity = parts.length;
    const id = ++this.size;
    for (let i = 0; i < arity; i++) keys[id * arity + i] = values[parts[i]];
    const mask = slots.length - 1;
    let slot = hashTuple(keys, id * arity, arity) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id;
    this.sum(id);
    return id;
  }

  private sum(id: number): void {
    const { summed, keys, memberKey } = this;
    const { tables } = this.model.features;
    const from = id * this.parts.length;
    for (const { conjunction, parts, table } of this.members) {
      let present = true;
      for (let i = 0; i < parts.length; i++) {
        memberKey[i] = keys[from + parts[i]];
        if (memberKey[i] === 0) present = false;
      }
      if (!present) continue;
      const tuple = tables[conjunction]?.id(memberKey, false) ?? memberKey[0];
      if (tuple >= 0) summed.add(conjunction, tuple, table);
    }
    const places = this.offsets.length;
    summed.make(places, this.rows, id * places);
  }
}

/** The ways in which a window contains a conjunction, each with the placements it then sums, which are marked as taken. */
function membersOf(model: Model, host: Conjunction, c: number, taken: readonly boolean[][]): Member[] {
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
      members.push({ conjunction: c, parts, placeOf });
    }
  }
  return members;
}
