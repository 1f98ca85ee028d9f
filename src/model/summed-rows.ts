import { grown } from '../base/growable.js';
import { type Kernels, PLAIN } from '../kernels/kernels.js';
import type { FeatureWeights } from '../kernels/score-rows.js';

/** Bytes of summed rows beyond which a tagger forgets them all and starts anew. */
const ENOUGH_BYTES = 1 << 25;
/** Bytes that rows have in the kernels' memory: a sentence may add some more; pages cost nothing until they are used. */
export const HOME_BYTES = ENOUGH_BYTES + (1 << 23);

/** Most places that a block has rows for. */
export const MOST_PLACES = 64;

/**
 * Rows [K] of weights summed ahead. What a string or a window brings to the tokens around it is a block: a row for each
 * place that it is seen from, and none where it brings nothing.
 */
export class SummedRows {
  /** [rows × K]; in the kernels' memory, unless a sentence of very many new words needs more. Row 0 is none. */
  values: Float32Array;
  /** Lanes K. */
  readonly lanes: number;
  private readonly own: Kernels;
  private readonly home: Float32Array;
  private readonly features: FeatureWeights;
  private readonly starts: readonly Uint32Array[];
  /** [MOST_PLACES] rows of the block being made. */
  private readonly block: Uint32Array;
  private used = 1;

  /**
   * @param kernels whose arrays the others are; {@link HOME_BYTES} of them will be used, and a few more.
   * @param starts [C][tuples + 1] first feature of each tuple of a conjunction.
   */
  constructor(kernels: Kernels, features: FeatureWeights, starts: readonly Uint32Array[], lanes: number) {
    this.own = kernels;
    this.features = features;
    this.starts = starts;
    this.lanes = lanes;
    this.home = kernels.float32(HOME_BYTES / Float32Array.BYTES_PER_ELEMENT);
    this.block = kernels.uint32(MOST_PLACES);
    this.values = this.home;
  }

  /** The kernels that can work on {@link values}. */
  get kernels(): Kernels {
    return this.values === this.home ? this.own : PLAIN;
  }

  /** For {@link addTuple}: [slots] the place that each slot's weights go to, −1 for none. */
  placeTable(places: readonly number[]): Int32Array {
    const table = this.own.int32(places.length);
    table.set(places);
    return table;
  }

  /** Starts a block. */
  startBlock(): void {
    this.block.fill(0);
    this.values = grown(this.values, (this.used + MOST_PLACES) * this.lanes);
  }

  /** Adds the weights of a tuple's features to the block; `placeOf` is made by {@link placeTable}. */
  addTuple(conjunction: number, tuple: number, placeOf: Int32Array): void {
    const { starts, features, block, values, lanes, used } = this;
    this.used = this.kernels.addTuple(
      starts[conjunction],
      tuple,
      placeOf,
      features,
      block,
      values,
      lanes,
      used,
    );
  }

  /** Writes the rows of the block's `places` places to `out` from `at` on, 0 where it brings nothing. */
  endBlock(places: number, out: Uint32Array, at: number): void {
    const { block } = this;
    for (let i = 0; i < places; i++) out[at + i] = block[i];
  }

  /** Whether it is time to {@link clear}. */
  get full(): boolean {
    return this.used * this.lanes * Float32Array.BYTES_PER_ELEMENT > ENOUGH_BYTES;
  }

  /** Forgets all blocks. */
  clear(): void {
    this.used = 1;
    this.values = this.home;
  }
}
