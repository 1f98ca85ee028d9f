import type { Kernels } from '../kernels/kernels.js';
import {
  inSteps,
  type PackedFeatures,
  type ScoreRows,
  STEP_LANES,
  type TupleList,
} from '../kernels/score-rows.js';
import type { PackedRuns } from './pack-features.js';

/** Bytes of summed rows beyond which a tagger forgets them all and starts anew. */
const ENOUGH_BYTES = 1 << 25;

/** Most tuples that a block is the sum of. */
const MOST_TUPLES = 256;

/**
 * Rows [K] of weights summed ahead. What a string or a window brings to the tokens around it is a block: a row for each
 * place that it is seen from, and none where it brings nothing.
 */
export class SummedRows {
  /** [rows × K], row 0 stays 0. In steps where scores are. */
  readonly values: ScoreRows;
  /** Lanes K. */
  readonly lanes: number;
  private readonly kernels: Kernels;
  private readonly features: PackedFeatures;
  /** [C] where the features of each tuple of a conjunction are. */
  private readonly runs: readonly (PackedRuns | undefined)[];
  /** The tuples of the block being made. */
  private readonly list: TupleList;
  private tuples = 0;
  private placed = 0;
  private used = 1;

  /**
   * Bytes of kernel memory for them: pages cost nothing until they are used.
   *
   * @param room rows that may be added once there are enough.
   * @param places places of all tables together.
   * @param whole as the constructor has it.
   */
  static bytes(lanes: number, room: number, places: number, whole: boolean): number {
    return rowBytes(whole, numbersFor(lanes, room, whole)) + 4 * (3 * MOST_TUPLES + places);
  }

  /**
   * @param kernels with room for {@link SummedRows.bytes}.
   * @param runs [C] where the packed features of each tuple of a conjunction are; their places are slots.
   * @param whole whether rows are in steps, which features are then packed in.
   */
  constructor(
    kernels: Kernels,
    features: PackedFeatures,
    runs: readonly (PackedRuns | undefined)[],
    lanes: number,
    room: number,
    places: number,
    whole: boolean,
  ) {
    this.kernels = kernels;
    this.features = features;
    this.runs = runs;
    this.lanes = lanes;
    const numbers = numbersFor(lanes, room, whole);
    this.values = whole ? kernels.int16(numbers) : kernels.float32(numbers);
    this.list = {
      starts: kernels.uint32(MOST_TUPLES),
      ends: kernels.uint32(MOST_TUPLES),
      tables: kernels.uint32(MOST_TUPLES),
      placeOf: kernels.int32(places),
    };
  }

  /** For {@link add}: a table of the place of the block that each slot's weights go to, −1 for none. */
  placeTable(places: readonly number[]): number {
    const table = this.placed;
    this.list.placeOf.set(places, table);
    this.placed += places.length;
    return table;
  }

  /** Adds a tuple to the block being made; `table` is made by {@link placeTable}. */
  add(conjunction: number, tuple: number, table: number): void {
    const { list, runs } = this;
    (runs[conjunction] as PackedRuns).find(tuple, list.starts, list.ends, this.tuples);
    list.tables[this.tuples++] = table;
  }

  /** Makes the block, and writes the rows of its places to `out` from `at` on, 0 where it brings nothing. */
  make(places: number, out: Uint32Array, at: number): void {
    const { kernels, list, tuples, features, values, lanes, used } = this;
    this.used = kernels.sumBlock(list, tuples, features, values, lanes, used, places, out, at);
    this.tuples = 0;
  }

  /** Whether there are enough: it is time to {@link clear}. */
  get full(): boolean {
    return rowBytes(inSteps(this.values), this.used * this.lanes) > ENOUGH_BYTES;
  }

  /** Forgets all blocks. */
  clear(): void {
    this.used = 1;
  }
}

/** Bytes of so many numbers of rows, which are in steps or not. */
function rowBytes(whole: boolean, numbers: number): number {
  return numbers * (whole ? Int16Array : Float32Array).BYTES_PER_ELEMENT;
}

/** Numbers of all rows; kernels write eight at a time. */
function numbersFor(lanes: number, room: number, whole: boolean): number {
  return (1 + Math.ceil(ENOUGH_BYTES / rowBytes(whole, lanes)) + room) * lanes + STEP_LANES;
}
