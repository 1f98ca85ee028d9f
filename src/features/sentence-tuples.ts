import { grown } from '../base/growable.js';
import { FIRST_VALUE, type Layout, PADDING } from './layout.js';
import type { TupleTable } from './tuple-table.js';

/**
 * One sentence as value ids and, per conjunction, tuple ids, in reading order. Values are filled in after {@link reset}, or
 * read where they are ({@link view}). Buffers are reused from sentence to sentence.
 */
export class SentenceTuples {
  /** Values that are filled in. */
  private own: Uint32Array = new Uint32Array(1024);
  /** Number of tokens T. */
  length = 0;
  /** Distance between two views' values and between two conjunctions' tuples: T + 2 · PADDING or more. */
  stride = 0;
  /** [V × stride] value of view v at token t is at `v · stride + PADDING + t`; fill before {@link compute}. */
  values = this.own;
  /** [C × stride] tuple of conjunction c at position t, −1 if it has none, is at `c · stride + PADDING + t`. */
  tuples = new Int32Array(1024);
  private readonly layout: Layout;
  private readonly columns: Uint32Array;

  constructor(layout: Layout) {
    this.layout = layout;
    this.columns = new Uint32Array(Math.max(0, ...layout.conjunctions.map(({ views }) => views.length)));
  }

  /** Makes room for a sentence of `length` tokens and fills in what stands before and after it. */
  reset(length: number): void {
    const stride = length + 2 * PADDING;
    const { views } = this.layout;
    this.own = grown(this.own, views.length * stride);
    this.view(this.own, stride, length);
    for (let v = 0; v < views.length; v++) {
      const start = v * stride + PADDING;
      for (let distance = 1; distance <= PADDING; distance++) {
        this.values[start - distance] = distance;
        this.values[start + length - 1 + distance] = PADDING + distance;
      }
    }
  }

  /**
   * Reads the values of a sentence of `length` tokens where they are.
   *
   * @param values that of view v at token t is at `v · stride + PADDING + t`, those of what stands before and after it likewise,
   *   as far as they are read.
   */
  view(values: Uint32Array, stride: number, length: number): void {
    this.values = values;
    this.stride = stride;
    this.length = length;
    // Those of the last conjunction reach as far beyond the last token as its values.
    this.tuples = grown(this.tuples, this.layout.conjunctions.length * stride + PADDING);
  }

  /**
   * Finds tuple ids from the values.
   *
   * @param which conjunctions to find tuples of; those of the others keep what they had.
   * @param tables [C] tables of the conjunctions of two or more views.
   * @param insert whether unknown tuples get an id.
   */
  compute(which: readonly number[], tables: readonly (TupleTable | undefined)[], insert: boolean): void {
    const { conjunctions, reach } = this.layout;
    const { values, tuples, stride, length, columns } = this;
    const from = PADDING - reach;
    const to = PADDING + length + reach;
    for (let i = 0; i < which.length; i++) {
      const c = which[i];
      const { views, shifts } = conjunctions[c];
      const out = c * stride;
      const arity = views.length;
      const table = tables[c];
      if (table === undefined) {
        const input = arity === 0 ? -1 : views[0] * stride;
        for (let p = from; p < to; p++) {
          tuples[out + p] = input < 0 ? 0 : values[input + p] - (values[input + p] === 0 ? 1 : 0);
        }
        continue;
      }
      const last = to - shifts[arity - 1];
      for (let p = last; p < to; p++) tuples[out + p] = -1;
      for (let part = 0; part < arity; part++) columns[part] = views[part] * stride + shifts[part];
      table.idsInColumns(values, columns, from, last, insert, tuples, out);
    }
  }
}

/** Number of tuple ids of a conjunction of at most one view, whose tuples are the view's values themselves. */
export function untabledTuples(views: readonly number[], valueCounts: readonly number[]): number {
  return views.length === 0 ? 1 : FIRST_VALUE + valueCounts[views[0]];
}
