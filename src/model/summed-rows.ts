import { grown } from '../base/growable.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { laneCount } from '../learn/learner.js';
import type { Model } from './model.js';
import type { SparseWeights } from './sparse-weights.js';

/** Bytes of summed rows beyond which a tagger forgets them all and starts anew. */
const ENOUGH_BYTES = 1 << 25;
/** Bytes of {@link SummedRows.home}: a sentence may add some more; pages cost nothing until they are used. */
export const HOME_BYTES = ENOUGH_BYTES + (1 << 23);

/** Rows [K] of weights summed ahead, in blocks that are made when first needed. */
export class SummedRows {
  /** [rows × K]; {@link home}, unless a sentence of very many new words needs more. */
  values: Float32Array;
  /** Where rows are while there is room. */
  readonly home: Float32Array;
  /** Lanes K. */
  readonly lanes: number;
  private readonly features: FeatureIndex;
  private readonly weights: SparseWeights;
  private used = 0;
  /** Rows below this have been used before. */
  private touched = 0;

  /** @param home {@link HOME_BYTES} of zeros. */
  constructor({ features, weights, problems }: Model, home: Float32Array) {
    this.features = features;
    this.weights = weights;
    this.lanes = laneCount(problems);
    this.home = home;
    this.values = home;
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

  /**
   * Adds the weights of a tuple's features to rows of a block.
   *
   * @param rowOf [slots] the row in the block that each slot's weights go to, −1 for none; slots beyond have none.
   */
  addTuple(conjunction: number, tuple: number, rowOf: Int16Array, block: number): void {
    const { values, lanes } = this;
    const { slots } = this.features;
    const { starts: firsts, lanes: laneOf, values: weightOf } = this.weights;
    const starts = this.features.starts[conjunction];
    const end = starts[tuple + 1];
    for (let f = starts[tuple]; f < end; f++) {
      const slot = slots[f];
      if (slot >= rowOf.length) break;
      if (rowOf[slot] < 0) continue;
      const at = (block + rowOf[slot]) * lanes;
      const last = firsts[f + 1];
      for (let j = firsts[f]; j < last; j++) values[at + laneOf[j]] += weightOf[j];
    }
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
