import { grown } from '../base/growable.js';
import { Alphabet } from '../data/alphabet.js';
import { FIRST_VALUE } from '../features/layout.js';
import type { View } from '../features/views.js';

/** Distinct strings of a column whose views are remembered; beyond this they are forgotten and found anew. */
const REMEMBERED_STRINGS = 1 << 17;

/** One input column of a tagger: remembers the value ids of every view for each distinct string. */
export class ColumnViews {
  /** Views of this column, as numbers in the layout. */
  readonly views: readonly number[];
  /** [strings × views] value ids. */
  valuesOf = new Uint32Array(1024);
  private readonly derive: readonly View[];
  private readonly values: readonly Alphabet[];
  private strings = new Alphabet();

  /**
   * @param column name of the column.
   * @param views all views of the layout.
   * @param values their strings.
   */
  constructor(column: string, views: readonly View[], values: readonly Alphabet[]) {
    this.views = views.flatMap((view, v) => (view.column === column ? [v] : []));
    this.derive = this.views.map((v) => views[v]);
    this.values = this.views.map((v) => values[v]);
  }

  /** The number of a string, its views' values known. */
  add(text: string): number {
    const known = this.strings.size;
    const id = this.strings.add(text);
    if (id === known) this.view(id);
    return id;
  }

  /** As {@link add} for UTF-8 bytes. */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const known = this.strings.size;
    const id = this.strings.addBytes(bytes, start, end);
    if (id === known) this.view(id);
    return id;
  }

  /** Bounds memory on endless input. */
  forgetIfFull(): void {
    if (this.strings.size > REMEMBERED_STRINGS) this.strings = new Alphabet();
  }

  private view(id: number): void {
    const { derive, values } = this;
    const text = this.strings.string(id);
    this.valuesOf = grown(this.valuesOf, (id + 1) * derive.length);
    for (let i = 0; i < derive.length; i++) {
      const value = derive[i].apply(text);
      const found = value === undefined ? -1 : values[i].find(value);
      this.valuesOf[id * derive.length + i] = found < 0 ? 0 : FIRST_VALUE + found;
    }
  }
}
