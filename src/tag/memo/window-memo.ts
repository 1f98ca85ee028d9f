import type { Conjunction } from '../../features/layout.js';
import type { Windows } from '../../kernels/find-ids.js';
import type { KernelMemory } from '../../kernels/kernels.js';
import { type Arrays, int32, uint32 } from '../../kernels/layout.js';
import { WindowIds } from '../../kernels/window-ids.js';
import type { Model } from '../../model/model.js';
import { type BlockPlan, SummedRows } from './summed-rows.js';

/** A view with more values than this has too many windows for a memo to pay. */
const MOST_VALUES = 1000;
/** Windows of more tokens than this are not remembered. */
const MOST_PARTS = 5;
/** Windows of more than three tokens are not remembered for views with more values than this. */
const FEW_VALUES = 16;
/** Windows that are remembered at a time. */
const MOST_WINDOWS = 1 << 16;
/** Windows that are added at a time. */
const BATCH = 256;

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
  /** Conjunctions whose weights it sums. */
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
  /** Least offset. */
  readonly leastOffset: number;
  /** Largest offset. */
  readonly largestOffset: number;
  /** [ids × offsets] row of each window for each offset that it is seen from, 0 where it brings nothing. */
  readonly rows: Uint32Array;
  private readonly summed: SummedRows;
  private readonly plan: BlockPlan;
  private readonly members: readonly {
    readonly parts: readonly number[];
    /** Ids of the conjunction's tuples, each one more than the tuple; nothing where that is the value of the only part. */
    readonly known: WindowIds | undefined;
    /** [arity] where in the keys the parts of a window are. */
    readonly keysAt: Uint32Array;
  }[];
  private readonly ids: WindowIds;
  /** [arity] */
  private readonly parts: Uint32Array;
  /** [members × BATCH] tuples of the windows being added. */
  private readonly tuples: Uint32Array;

  /**
   * Arrays for a window.
   *
   * @hidden
   */
  static layout(model: Model, { host, members }: WindowPlan) {
    const arity = host.views.length;
    const places = host.fixedSlots;
    return {
      offsets: int32(places),
      rows: uint32((MOST_WINDOWS + 1) * places),
      ids: WindowIds.layout(MOST_WINDOWS, arity),
      parts: uint32(arity),
      tuples: uint32(members.length * BATCH),
      tables: tabledOf(members).map((c) => {
        const { length, arity: width } = tuplesOf(model, c);
        return WindowIds.layout(length, width);
      }),
      keysAt: members.map(({ parts }) => uint32(parts.length)),
      plan: SummedRows.planLayout(members.length),
    };
  }

  /** @param arrays of the memory. */
  constructor(
    model: Model,
    { host, members }: WindowPlan,
    summed: SummedRows,
    memory: KernelMemory,
    arrays: Arrays<ReturnType<typeof WindowMemo.layout>>,
  ) {
    this.summed = summed;
    this.views = host.views;
    this.shifts = host.shifts;
    this.offsets = arrays.offsets;
    this.offsets.set(host.placements.slice(0, host.fixedSlots).map(({ offset }) => offset));
    this.leastOffset = Math.min(...this.offsets);
    this.largestOffset = Math.max(...this.offsets);
    this.rows = arrays.rows;
    this.ids = new WindowIds(memory, MOST_WINDOWS, arrays.ids);
    this.parts = arrays.parts;
    this.tuples = arrays.tuples;
    const tables = new Map(
      tabledOf(members).map((c, i) => {
        const tuples = tuplesOf(model, c);
        const known = new WindowIds(memory, tuples.length, arrays.tables[i]);
        this.enter(tuples, known);
        return [c, known];
      }),
    );
    this.members = members.map(({ conjunction, parts }, i) => ({
      parts,
      known: tables.get(conjunction),
      keysAt: arrays.keysAt[i],
    }));
    this.plan = summed.plan(
      members.map(({ conjunction, placeOf }, i) => ({
        conjunction,
        shift: tables.has(conjunction) ? 1 : 0,
        tuplesAt: i * BATCH,
        placeOf,
      })),
      arrays.plan,
    );
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
    const { views, shifts, parts, ids: known } = this;
    for (let i = 0; i < parts.length; i++) parts[i] = views[i] * stride + first + shifts[i];
    const windows: Windows = { values, parts, step: 1, count };
    if (known.find(windows, ids, first) === 0) return;
    for (let from = 0; from < count; from += BATCH) {
      const next = known.size + 1;
      const added = known.add({ ...windows, count: Math.min(BATCH, count - from) }, ids, first + from);
      for (let i = 0; i < parts.length; i++) parts[i] += BATCH;
      if (added > 0) this.sum(next, added);
    }
  }

  /** Whether there might not be room for so many more windows, so that it is time to {@link clear}. */
  isFull(windows: number): boolean {
    return this.ids.isFull(windows);
  }

  /** Forgets all windows; the rows must be forgotten with them. */
  clear(): void {
    this.ids.clear();
  }

  /** Enters a model's tuples. */
  private enter({ arity, length, keys }: ModelTuples, known: WindowIds): void {
    // Where they are kept anyway.
    known.keys.set(keys, arity);
    const parts = this.parts.subarray(0, arity);
    const ids = this.tuples.subarray(0, BATCH);
    for (let from = 0; from < length; from += BATCH) {
      ids.fill(0);
      for (let i = 0; i < arity; i++) parts[i] = (from + 1) * arity + i;
      const count = Math.min(BATCH, length - from);
      known.add({ values: known.keys, parts, step: arity, count }, ids, 0);
    }
  }

  /** Sums what consecutive windows bring. */
  private sum(first: number, count: number): void {
    const { summed, plan, members, tuples, offsets, rows } = this;
    const { keys } = this.ids;
    const arity = this.parts.length;
    for (let m = 0; m < members.length; m++) {
      const { parts, known, keysAt } = members[m];
      const at = m * BATCH;
      for (let i = 0; i < parts.length; i++) keysAt[i] = first * arity + parts[i];
      // A window with a value that is none has no tuple: no tuple of a model has one.
      if (known) known.find({ values: keys, parts: keysAt, step: arity, count }, tuples, at);
      else for (let i = 0; i < count; i++) tuples[at + i] = keys[keysAt[0] + i * arity];
    }
    summed.sum(plan, tuples, count, offsets.length, rows, first * offsets.length);
  }
}

/** Conjunctions of several values among members. */
function tabledOf(members: readonly Member[]): number[] {
  return [...new Set(members.filter(({ parts }) => parts.length > 1).map(({ conjunction }) => conjunction))];
}

/** Tuples of a conjunction of several values. */
interface ModelTuples {
  readonly arity: number;
  /** Number of tuples. */
  readonly length: number;
  /** [length × arity] */
  readonly keys: Uint32Array;
}

function tuplesOf({ features }: Model, conjunction: number): ModelTuples {
  const arity = features.layout.conjunctions[conjunction].views.length;
  const keys = features.tables[conjunction]?.pack() ?? new Uint32Array(0);
  return { arity, length: keys.length / arity, keys };
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
