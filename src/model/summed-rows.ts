import { grown } from '../base/growable.js';
import { type Kernels, PLAIN } from '../kernels/kernels.js';
import type { FeatureWeights } from '../kernels/score-rows.js';

/** Bytes of summed rows beyond which a tagger forgets them all and starts anew. */
const ENOUGH_BYTES = 1 << 25;
/** Bytes of {@link SummedRows.home}: a sentence may add some more; pages cost nothing until they are used. */
export const HOME_BYTES = ENOUGH_BYTES + (1 << 23);

/** Rows [K] of weights summed ahead, in blocks that are made when first needed. */
export class SummedRows {
  /** [rows × K]; in the kernels' memory, unless a sentence of very many new words needs more. */
  values: Float32Array;
  /** Lanes K. */
  readonly lanes: number;
  private readonly own: Kernels;
  private readonly home: Float32Array;
  private readonly features: FeatureWeights;
  private readonly starts: readonly Uint32Array[];
  private used = 0;
  /** Rows below this have been used before. */
  private touched = 0;

  /**
   * @param kernels whose arrays the others are; {@link HOME_BYTES} of them will be used.
   * @param starts [C][tuples + 1] first feature of each tuple of a conjunction.
   */
  constructor(kernels: Kernels, features: FeatureWeights, starts: readonly Uint32Array[], lanes: number) {
    this.own = kernels;
    this.features = features;
    this.starts = starts;
    this.lanes = lanes;
    this.home = kernels.float32(HOME_BYTES / Float32Array.BYTES_PER_ELEMENT);
    this.values = this.home;
  }

  /** The kernels that can work on {@link values}. */
  get kernels(): Kernels {
    return this.values === this.home ? this.own : PLAIN;
  }

  /** A table of rows for {@link addTuple}: [slots] the row in a block that each slot's weights go to, −1 for none. */
  rowTable(rows: readonly number[]): Int32Array {
    const table = this.own.int32(rows.length);
    table.set(rows);
    return table;
  }

  /** Makes a block of zero rows; returns the number of the first. */
  allocate(rows: number): number {
    const first = this.used;
    this.used += rows;
    this.values = grown(this.values, this.used * this.lanes);
    if (first < this.touched) this.values.fill(0, first * this.lanes, this.used * this.lanes);
    this.touched = Math.max(this.touched, this.used);
    return first;
  }

  /** Adds the weights of a tuple's features to rows of a block; `rowOf` is made by {@link rowTable}. */
  addTuple(conjunction: number, tuple: number, rowOf: Int32Array, block: number): void {
    const { values, lanes, features } = this;
    this.kernels.addTuple(this.starts[conjunction], tuple, rowOf, features, values, lanes, block);
  }

  /** Whether it is time to {@link clear}. */
  get full(): boolean {
    return this.used * this.lanes * Float32Array.BYTES_PER_ELEMENT > ENOUGH_BYTES;
  }

  /** Forgets all blocks. */
  clear(): void {
    this.used = 0;
    this.values = this.home;
  }
}
