import { grown } from '../base/growable.js';
import type { SparseWeights } from './sparse-weights.js';

/** Bytes of summed rows beyond which a tagger forgets them all and starts anew. */
const ENOUGH_BYTES = 1 << 26;
/** Bytes to start with; pages of it cost nothing until they are used. */
const FIRST_BYTES = 1 << 24;

/** Rows [K] of weights summed ahead, in blocks that are made when first needed. */
export class SummedRows {
  /** [rows × K]; may be replaced by {@link allocate}. */
  values: Float32Array;
  /** Lanes K. */
  readonly lanes: number;
  private readonly weights: SparseWeights;
  private used = 0;
  /** Rows below this have been used before. */
  private touched = 0;

  constructor(weights: SparseWeights, lanes: number) {
    this.weights = weights;
    this.lanes = lanes;
    this.values = new Float32Array(FIRST_BYTES / Float32Array.BYTES_PER_ELEMENT);
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

  /** Adds a feature's weights to a row. */
  add(feature: number, row: number): void {
    this.weights.addTo(feature, this.values, row * this.lanes);
  }

  /** Whether it is time to {@link clear}. */
  get full(): boolean {
    return this.used * this.lanes * Float32Array.BYTES_PER_ELEMENT > ENOUGH_BYTES;
  }

  /** Forgets all blocks. */
  clear(): void {
    this.used = 0;
  }
}
