import { grown } from '../base/growable.js';
import { Alphabet } from '../data/alphabet.js';
import { FIRST_VALUE } from '../features/layout.js';
import type { View } from '../features/views.js';
import type { Model } from './model.js';
import type { SummedRows } from './summed-rows.js';

/** Distinct strings after which a tagger forgets them all and starts anew. */
const ENOUGH_STRINGS = 1 << 17;

/**
 * What one input column's strings amount to, found once per distinct string: the value ids of every view, and the
 * rows with the summed weights of all features that read this string alone, one for each offset it is seen from. Ids below FIRST_VALUE stand for positions outside the sentence, as value ids do; strings follow.
 */
export class ColumnMemo {
  /** Views of this column, as numbers in the layout. */
  readonly views: readonly number[];
  /** Where templates that read one token see it, relative to the token they score, in reading order. */
  readonly offsets: readonly number[];
  /** [ids × views] value ids. */
  values = new Uint32Array(1024);
  /** [ids × offsets] row of each id for each offset that it is seen from, 0 where it brings nothing. */
  rows = new Uint32Array(1024);
  private readonly model: Model;
  private readonly summed: SummedRows;
  private readonly derive: readonly View[];
  /** Per view of this column: number of the conjunction that reads it alone, −1 if none does. */
  private readonly alone: readonly number[];
  /** Per view of this column: [fixed slots] place in {@link offsets} of each slot of that conjunction, −1 for none. */
  private readonly placeOf: readonly Int32Array[];
  private strings = new Alphabet();

  /**
   * @param column name of the column.
   * @param views all views of the model's layout.
   * @param taken [conjunctions][fixed slots] placements that something else sums.
   */
  constructor(
    model: Model,
    summed: SummedRows,
    column: string,
    views: readonly View[],
    taken: readonly (readonly boolean[])[],
  ) {
    const { conjunctions } = model.features.layout;
    this.model = model;
    this.summed = summed;
    this.views = views.flatMap((view, v) => (view.column === column ? [v] : []));
    this.derive = this.views.map((v) => views[v]);
    this.alone = this.views.map((v) =>
      conjunctions.findIndex((c) => c.views.length === 1 && c.views[0] === v),
    );
    const offsets = this.alone.flatMap((c) => {
      if (c < 0) return [];
      const { placements, fixedSlots } = conjunctions[c];
      return placements.filter((_, slot) => slot < fixedSlots && !taken[c][slot]).map(({ offset }) => offset);
    });
    this.offsets = [...new Set(offsets)].sort((a, b) => a - b);
    this.placeOf = this.alone.map((c) => {
      const fixed = c < 0 ? [] : conjunctions[c].placements.slice(0, conjunctions[c].fixedSlots);
      return summed.placeTable(
        fixed.map(({ offset }, slot) => (taken[c][slot] ? -1 : this.offsets.indexOf(offset))),
      );
    });
    this.clear();
  }

  /** The id of a string. */
  add(text: string): number {
    const known = this.strings.size;
    return this.idOf(this.strings.add(text), known);
  }

  /** As {@link add} for UTF-8 bytes. */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const known = this.strings.size;
    return this.idOf(this.strings.addBytes(bytes, start, end), known);
  }

  /** Whether it is time to {@link clear}. */
  get full(): boolean {
    return this.strings.size > ENOUGH_STRINGS;
  }

  /** Forgets all strings; the rows must be forgotten with them. */
  clear(): void {
    this.strings = new Alphabet();
    for (let outside = 0; outside < FIRST_VALUE; outside++) {
      this.reserve(outside);
      this.values.fill(outside, outside * this.views.length, (outside + 1) * this.views.length);
      this.sum(outside);
    }
  }

  private idOf(string: number, known: number): number {
    const id = FIRST_VALUE + string;
    if (string < known) return id;
    const { views, derive } = this;
    const text = this.strings.string(string);
    this.reserve(id);
    for (let i = 0; i < views.length; i++) {
      const value = derive[i].apply(text);
      const found = value === undefined ? -1 : this.model.features.values[views[i]].find(value);
      this.values[id * views.length + i] = found < 0 ? 0 : FIRST_VALUE + found;
    }
    this.sum(id);
    return id;
  }

  private reserve(id: number): void {
    this.values = grown(this.values, (id + 1) * this.views.length);
    this.rows = grown(this.rows, (id + 1) * this.offsets.length);
  }

  private sum(id: number): void {
    const { views, offsets, alone, placeOf, summed } = this;
    summed.startBlock();
    for (let i = 0; i < views.length; i++) {
      const value = this.values[id * views.length + i];
      if (alone[i] >= 0 && value !== 0) summed.addTuple(alone[i], value, placeOf[i]);
    }
    summed.endBlock(offsets.length, this.rows, id * offsets.length);
  }
}
