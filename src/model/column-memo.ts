import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import { FIRST_VALUE } from '../features/layout.js';
import type { View } from '../features/views.js';
import { findStrings, hashKey, type StringTable, stringKey } from '../kernels/find-ids.js';
import type { Kernels } from '../kernels/kernels.js';
import type { Model } from './model.js';
import type { SummedRows } from './summed-rows.js';

/** Distinct strings that are remembered at a time, */
const MOST_STRINGS = 1 << 17;
/** and their bytes together. */
const POOL_BYTES = 1 << 21;
/** Entries that a table starts with; it grows with the strings. */
const FEWEST_ENTRIES = 1 << 8;
/** A string of more bytes is not remembered: it gets a new id each time. */
const LONG_STRING = 1 << 10;

/** One column of the input that a memo is of. */
export interface MemoColumn {
  /** Its name. */
  readonly name: string;
  /** All strings that it can have, where they are few and known; such a column is set by their numbers. */
  readonly strings?: readonly string[] | undefined;
}

/**
 * What one input column's strings amount to, found once per distinct string: the value ids of every view, and the
 * rows with the summed weights of all features that read this string alone, one for each offset it is seen from. Ids
 * below FIRST_VALUE stand for positions outside the sentence, as value ids do; strings follow. All arrays are of one
 * size, in the kernels' memory; before they are full everything is forgotten.
 */
export class ColumnMemo {
  /** The column. */
  readonly column: MemoColumn;
  /** All views of this column, as numbers in the layout. */
  readonly all: readonly number[];
  /** Those whose values are kept. */
  readonly views: readonly number[];
  /** Where templates that read one token see it, relative to the token they score, in reading order. */
  readonly offsets: Int32Array;
  /** [ids × views] their value ids. */
  readonly values: Uint32Array;
  /** [ids × offsets] row of each id for each offset that it is seen from, 0 where it brings nothing. */
  readonly rows: Uint32Array;
  /** What finds ids from bytes. */
  readonly table: StringTable;
  private readonly model: Model;
  private readonly summed: SummedRows;
  /** Per view of this column: what it makes of a string, */
  private readonly derive: readonly View[];
  /** its place among the views that are kept, −1 if it is not one, */
  private readonly keptAt: readonly number[];
  /** and its value id of the last string. */
  private readonly found: Uint32Array;
  /** Per view of this column: number of the conjunction that reads it alone, −1 if none does. */
  private readonly alone: readonly number[];
  /** Per view of this column: table of the place in {@link offsets} of each slot of that conjunction. */
  private readonly tables: readonly number[];
  private readonly most: number;
  /** Ids given. */
  private size = 0;
  /** Bytes of the pool in use. */
  private pooled = 0;

  /** Bytes of kernel memory that a memo needs at most. */
  static bytes({ strings }: MemoColumn, kept: number, places: number): number {
    const most = capacityOf(strings);
    return 4 * (most * (kept + places + 1) + tableCells(most) + places) + poolBytes(strings);
  }

  /**
   * @param kernels with room for {@link ColumnMemo.bytes}.
   * @param kept numbers of the views whose values are kept; other columns' do not matter.
   * @param views all views of the model's layout.
   * @param taken [conjunctions][fixed slots] placements that something else sums.
   */
  constructor(
    model: Model,
    kernels: Kernels,
    summed: SummedRows,
    column: MemoColumn,
    kept: readonly number[],
    views: readonly View[],
    taken: readonly (readonly boolean[])[],
  ) {
    const { conjunctions } = model.features.layout;
    this.column = column;
    this.model = model;
    this.summed = summed;
    this.all = views.flatMap((view, v) => (view.column === column.name ? [v] : []));
    this.derive = this.all.map((v) => views[v]);
    this.found = new Uint32Array(this.all.length);
    this.views = this.all.filter((v) => kept.includes(v));
    this.keptAt = this.all.map((v) => this.views.indexOf(v));
    this.alone = this.all.map((v) =>
      conjunctions.findIndex((c) => c.views.length === 1 && c.views[0] === v && c.fixedSlots > 0),
    );
    const offsets = this.alone.flatMap((c) => {
      if (c < 0) return [];
      const { placements, fixedSlots } = conjunctions[c];
      return placements.filter((_, slot) => slot < fixedSlots && !taken[c][slot]).map(({ offset }) => offset);
    });
    const distinct = [...new Set(offsets)].sort((a, b) => a - b);
    this.tables = this.alone.map((c) => {
      const fixed = c < 0 ? [] : conjunctions[c].placements.slice(0, conjunctions[c].fixedSlots);
      return summed.placeTable(
        fixed.map(({ offset }, slot) => (taken[c][slot] ? -1 : distinct.indexOf(offset))),
      );
    });
    this.most = capacityOf(column.strings);
    this.offsets = kernels.int32(distinct.length);
    this.offsets.set(distinct);
    this.values = kernels.uint32(this.most * this.views.length);
    this.rows = kernels.uint32(this.most * distinct.length);
    this.table = {
      entries: kernels.uint32(tableCells(this.most)),
      capacity: FEWEST_ENTRIES,
      pool: kernels.uint8(poolBytes(column.strings)),
      starts: kernels.uint32(this.most),
    };
    this.addKnown();
  }

  /** The id of the string `bytes[start … end − 1]`, remembered if it is not too long. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const { table, values, views, keptAt, found } = this;
    cell[0] = start;
    cell[1] = end;
    if (findStrings(table, bytes, 0, cell, 0, 2, 1, known, 0) === 0) return known[0];
    const id = this.size++;
    if (end - start <= LONG_STRING) this.remember(bytes, start, end, id);
    this.findValues(decodeUtf8(bytes.subarray(start, end)));
    for (let i = 0; i < found.length; i++)
      if (keptAt[i] >= 0) values[id * views.length + keptAt[i]] = found[i];
    this.sum(id);
    return id;
  }

  /** Value ids of a string, by view of {@link all}, 0 for none; the array is written anew by the next call. */
  findValues(text: string): Uint32Array {
    const { all, derive, found } = this;
    const { values } = this.model.features;
    for (let i = 0; i < all.length; i++) {
      const value = derive[i].apply(text);
      const id = value === undefined ? -1 : values[all[i]].find(value);
      found[i] = id < 0 ? 0 : FIRST_VALUE + id;
    }
    return found;
  }

  /** Whether there might not be room for so many more strings, so that it is time to {@link clear}. */
  isFull(strings: number): boolean {
    if (this.column.strings) return false;
    return this.size + strings > this.most || this.pooled + strings * LONG_STRING > POOL_BYTES;
  }

  /** Forgets all strings; the rows must be forgotten with them. */
  clear(): void {
    const { table } = this;
    table.entries.fill(0, 0, 4 * table.capacity);
    table.capacity = FEWEST_ENTRIES;
    this.pooled = 0;
    this.addKnown();
  }

  /** Adds what stands outside of sentences, and the strings that are known beforehand. */
  private addKnown(): void {
    const { views, values, found } = this;
    for (this.size = 0; this.size < FIRST_VALUE; this.size++) {
      values.fill(this.size, this.size * views.length, (this.size + 1) * views.length);
      found.fill(this.size);
      this.sum(this.size);
    }
    for (const text of this.column.strings ?? []) {
      const bytes = encodeUtf8(text);
      this.add(bytes, 0, bytes.length);
    }
  }

  private remember(bytes: Uint8Array, start: number, end: number, id: number): void {
    const { table } = this;
    if (4 * table.capacity < table.entries.length && 2 * id > table.capacity) this.growTable();
    const { pool, starts } = table;
    stringKey(bytes, start, end, key);
    this.place(key[0], key[1], end - start, id);
    starts[id] = this.pooled;
    for (let i = start; i < end; i++) pool[this.pooled++] = bytes[i];
  }

  /** Enters a string into the first free entry. */
  private place(low: number, high: number, length: number, id: number): void {
    const { entries, capacity } = this.table;
    let slot = hashKey(low, high, length) & (capacity - 1);
    while (entries[4 * slot + 3] !== 0) slot = (slot + 1) & (capacity - 1);
    entries[4 * slot] = low;
    entries[4 * slot + 1] = high;
    entries[4 * slot + 2] = length;
    entries[4 * slot + 3] = id;
  }

  private growTable(): void {
    const { table } = this;
    const old = table.entries.slice(0, 4 * table.capacity);
    table.entries.fill(0, 0, 4 * table.capacity);
    table.capacity *= 2;
    for (let i = 0; i < old.length; i += 4) {
      if (old[i + 3] !== 0) this.place(old[i], old[i + 1], old[i + 2], old[i + 3]);
    }
  }

  /** Sums what a string brings; its value ids are in `found`. */
  private sum(id: number): void {
    const { offsets, alone, tables, summed, found } = this;
    for (let i = 0; i < alone.length; i++) {
      if (alone[i] >= 0 && found[i] !== 0) summed.add(alone[i], found[i], tables[i]);
    }
    summed.make(offsets.length, this.rows, id * offsets.length);
  }
}

const cell = new Uint32Array(2);
const known = new Uint32Array(1);
const key = new Uint32Array(2);

/** Ids that a memo has room for. */
function capacityOf(strings: readonly string[] | undefined): number {
  return FIRST_VALUE + (strings?.length ?? MOST_STRINGS);
}

function poolBytes(strings: readonly string[] | undefined): number {
  return strings?.reduce((sum, text) => sum + encodeUtf8(text).length, 0) ?? POOL_BYTES;
}

/** Numbers of a table of so many strings that is at most half full. */
function tableCells(strings: number): number {
  return 4 * Math.max(FEWEST_ENTRIES, 2 ** Math.ceil(Math.log2(2 * strings)));
}
