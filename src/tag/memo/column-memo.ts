import { encodeUtf8 } from '../../base/utf8.js';
import { FIRST_VALUE } from '../../features/layout.js';
import type { View } from '../../features/views.js';
import type { StringTable, TextCells } from '../../kernels/find-ids.js';
import type { KernelMemory } from '../../kernels/kernels.js';
import { type Arrays, int32, uint32 } from '../../kernels/layout.js';
import type { Model } from '../../model/model.js';
import { StringIds } from './string-ids.js';
import { type BlockPart, type BlockPlan, SummedRows } from './summed-rows.js';
import { ViewValues } from './view-values.js';

/** Ids that there is room for, some of them taken by what stands outside of sentences. */
const MOST_IDS = 1 << 17;
/** Bytes of the strings that are remembered. */
const POOL_BYTES = 1 << 21;
/** Strings that are added at a time. */
const BATCH = 256;

/** One column of the input that a memo is of. */
export interface MemoColumn {
  /** Its name. */
  readonly name: string;
  /** All strings that it can have, where they are few and known; such a column is set by their numbers. */
  readonly strings?: readonly string[] | undefined;
}

/** Views of a column, and features of its strings that are summed. */
export interface ColumnPlan {
  /** The column. */
  readonly column: MemoColumn;
  /** All views of the column, as numbers in the layout. */
  readonly all: readonly number[];
  /** Those whose values are kept. */
  readonly kept: readonly number[];
  /** Offsets that strings are seen from, ascending. */
  readonly offsets: readonly number[];
  /** Parts of a string's block. */
  readonly parts: readonly BlockPart[];
}

/**
 * Memo of one input column's strings, each looked at once: the value ids of every view, and the
 * rows with the summed weights of all features that read this string alone, one for each offset it is seen from. Ids
 * below FIRST_VALUE stand for positions outside the sentence, as value ids do; strings follow. All arrays are of one
 * size, in the kernels' memory; before they are full everything is forgotten.
 *
 * Strings are added many at a time, in kernels as far as can be: much of a text is met for the first time, and would be read by
 * code that the engine has not yet compiled well.
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
  private readonly ids: StringIds;
  private readonly viewValues: ViewValues;
  private readonly summed: SummedRows;
  private readonly plan: BlockPlan;
  /** [kept views] place of each among {@link all}. */
  private readonly kept: readonly number[];
  /** [BATCH × 2] start and end of the strings being added. */
  private readonly added: Uint32Array;

  /**
   * Plans the memo of a column.
   *
   * @param views all views of the model's layout.
   * @param read numbers of the views whose values are read; other columns' do not matter.
   * @param taken [conjunctions][fixed slots] placements that are summed elsewhere.
   */
  static plan(
    { features }: Model,
    column: MemoColumn,
    views: readonly View[],
    read: readonly number[],
    taken: readonly (readonly boolean[])[],
  ): ColumnPlan {
    const { conjunctions } = features.layout;
    const all = views.flatMap((view, v) => (view.column === column.name ? [v] : []));
    const alone = all.flatMap((v, i) => {
      const c = conjunctions.findIndex((one) => one.views.length === 1 && one.views[0] === v);
      if (c < 0 || conjunctions[c].fixedSlots === 0) return [];
      const { placements, fixedSlots } = conjunctions[c];
      const offsets = placements
        .slice(0, fixedSlots)
        .map(({ offset }, slot) => (taken[c][slot] ? undefined : offset));
      return [{ conjunction: c, tuplesAt: i * BATCH, offsets }];
    });
    const seen = alone.flatMap(({ offsets }) => offsets.filter((offset) => offset !== undefined));
    const offsets = [...new Set(seen)].sort((a, b) => a - b);
    return {
      column,
      all,
      kept: all.filter((v) => read.includes(v)),
      offsets,
      parts: alone.map(({ conjunction, tuplesAt, offsets: own }) => ({
        conjunction,
        shift: 0,
        tuplesAt,
        placeOf: own.map((offset) => (offset === undefined ? -1 : offsets.indexOf(offset))),
      })),
    };
  }

  /**
   * Arrays for a memo; `views` are all of the model's layout.
   *
   * @hidden
   */
  static layout(
    { features }: Model,
    views: readonly View[],
    { column, all, kept, offsets, parts }: ColumnPlan,
  ) {
    const most = capacityOf(column.strings);
    return {
      offsets: int32(offsets.length),
      values: uint32(most * kept.length),
      rows: uint32(most * offsets.length),
      added: uint32(2 * BATCH),
      ids: StringIds.layout(most, poolBytes(column.strings)),
      viewValues: ViewValues.layout(
        all.map((v) => views[v]),
        all.map((v) => features.values[v]),
        BATCH,
      ),
      plan: SummedRows.planLayout(parts.length),
    };
  }

  /**
   * @param views all views of the model's layout.
   * @param arrays of the memory.
   */
  constructor(
    { features }: Model,
    views: readonly View[],
    { column, all, kept, offsets, parts }: ColumnPlan,
    summed: SummedRows,
    memory: KernelMemory,
    arrays: Arrays<ReturnType<typeof ColumnMemo.layout>>,
  ) {
    this.column = column;
    this.summed = summed;
    this.all = all;
    this.views = kept;
    this.kept = kept.map((v) => all.indexOf(v));
    this.plan = summed.plan(parts, arrays.plan);
    this.offsets = arrays.offsets;
    this.offsets.set(offsets);
    this.values = arrays.values;
    this.rows = arrays.rows;
    this.added = arrays.added;
    this.ids = new StringIds(memory, FIRST_VALUE, arrays.ids);
    this.viewValues = new ViewValues(
      all.map((v) => views[v]),
      all.map((v) => features.values[v]),
      BATCH,
      memory,
      arrays.viewValues,
    );
    this.addKnown();
  }

  /** Hash table from a string's bytes to its id. */
  get table(): StringTable {
    return this.ids.table;
  }

  /**
   * Gives ids to the strings that `findStrings`, asked the same, did not find.
   *
   * @param isOutside whether the text is not in the kernels' memory.
   */
  add(isOutside: boolean, text: TextCells, ids: Uint32Array, at: number): void {
    const { added, viewValues } = this;
    for (let from = 0; from < text.count; from += BATCH) {
      const first = this.ids.size;
      const batch: TextCells = {
        ...text,
        cell: text.cell + from * text.step,
        count: Math.min(BATCH, text.count - from),
      };
      const isNew = this.ids.add(isOutside, batch, ids, at + from, added);
      if (isNew === 0) continue;
      viewValues.find(isOutside, text.bytes, added, isNew);
      this.keep(first, isNew);
    }
  }

  /** Value ids of a string, by view of {@link all}, 0 for none: for explanations, which no speed is needed for. */
  valuesOf(text: string): number[] {
    return this.viewValues.valuesOf(text);
  }

  /** Whether there might not be room for so many more strings, so that it is time to {@link clear}. */
  isFull(strings: number): boolean {
    return this.column.strings === undefined && this.ids.isFull(strings);
  }

  /** Forgets all strings; the rows must be forgotten with them. */
  clear(): void {
    this.ids.clear();
    this.addKnown();
  }

  /** Adds what stands outside of sentences, and the strings that are known beforehand. */
  private addKnown(): void {
    const { found } = this.viewValues;
    for (let v = 0; v < this.all.length; v++) {
      for (let id = 0; id < FIRST_VALUE; id++) found[v * BATCH + id] = id;
    }
    this.keep(0, FIRST_VALUE);
    const strings = (this.column.strings ?? []).map((text) => encodeUtf8(text));
    const bytes = new Uint8Array(strings.reduce((sum, { length }) => sum + length, 0));
    const cells = new Uint32Array(2 * strings.length);
    let end = 0;
    strings.forEach((string, i) => {
      bytes.set(string, end);
      cells[2 * i] = end;
      end += string.length;
      cells[2 * i + 1] = end;
    });
    const text: TextCells = { bytes, base: 0, cells, cell: 0, step: 2, count: strings.length };
    this.add(true, text, new Uint32Array(strings.length), 0);
  }

  /** Keeps the values of consecutive ids that were found, and sums what they bring. */
  private keep(first: number, count: number): void {
    const { kept, values, viewValues, summed, plan, rows, offsets } = this;
    const { found } = viewValues;
    for (let k = 0; k < kept.length; k++) {
      const at = kept[k] * BATCH;
      for (let i = 0; i < count; i++) values[(first + i) * kept.length + k] = found[at + i];
    }
    summed.sum(plan, found, count, offsets.length, rows, first * offsets.length);
  }
}

/** Ids that a memo has room for. */
function capacityOf(strings: readonly string[] | undefined): number {
  return strings ? FIRST_VALUE + strings.length : MOST_IDS;
}

function poolBytes(strings: readonly string[] | undefined): number {
  return strings?.reduce((sum, text) => sum + encodeUtf8(text).length, 0) ?? POOL_BYTES;
}
