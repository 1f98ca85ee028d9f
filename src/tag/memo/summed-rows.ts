import type { Bound } from '../../kernels/kernel.js';
import type { KernelMemory } from '../../kernels/kernels.js';
import { type Arrays, float32, int16, int32, uint32 } from '../../kernels/layout.js';
import {
  inSteps,
  type PackedFeatures,
  type ScoreRows,
  STEP_LANES,
  type TupleList,
} from '../../kernels/score-rows.js';
import { type BlockParts, sumBlocks } from '../../kernels/sum-blocks.js';
import type { PackedRuns } from '../pack-features.js';

const KERNELS = { sumBlocks };

/** Bytes of summed rows beyond which a tagger forgets them all and starts anew. */
const ENOUGH_BYTES = 1 << 25;

/** Most tuples that a block is the sum of. */
const MOST_TUPLES = 256;

/** A part of blocks: a tuple of one conjunction. */
export interface BlockPart {
  /** Its number in the layout. */
  readonly conjunction: number;
  /** Offset of a tuple's number, so that 0 is left for none: 1, or 0 for value ids. */
  readonly shift: number;
  /** Where in the tuples those of this part are. */
  readonly tuplesAt: number;
  /** [fixed slots] place of the block that each slot's weights go to, −1 for none. */
  readonly placeOf: readonly number[];
}

/** Parts of blocks, as {@link SummedRows.sum} needs it. */
export interface BlockPlan extends BlockParts {
  /** Parts it was made of. */
  readonly parts: readonly BlockPart[];
}

/**
 * Rows [K] of weights summed ahead. What a string or a window brings to the tokens around it is a block: a row for each
 * place that it is seen from, and none where it brings nothing.
 */
export class SummedRows {
  /** [rows × K], row 0 stays 0. In steps where scores are. */
  readonly values: ScoreRows;
  /** Lanes K. */
  readonly lanes: number;
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly features: PackedFeatures;
  private readonly runs: PackedRuns;
  /** The tuples of the block being made. */
  private readonly list: TupleList;
  private placed = 0;
  private used = 1;

  /**
   * Arrays for rows; pages of memory cost nothing until they are used.
   *
   * @param room rows that may be added once there are enough.
   * @param places places of all plans' parts together.
   * @param isWhole whether rows are in steps, which features are then packed in.
   *
   * @hidden
   */
  static layout(lanes: number, room: number, places: number, isWhole: boolean) {
    const numbers = numbersFor(lanes, room, isWhole);
    return {
      values: isWhole ? int16(numbers) : float32(numbers),
      list: {
        starts: uint32(MOST_TUPLES),
        ends: uint32(MOST_TUPLES),
        tables: uint32(MOST_TUPLES),
        placeOf: int32(places),
      },
    };
  }

  /**
   * Arrays for a plan of so many parts.
   *
   * @hidden
   */
  static planLayout(parts: number) {
    return { tuplesAt: uint32(parts), runsAt: uint32(parts), tables: uint32(parts) };
  }

  /**
   * @param runs where the packed features of each tuple are.
   * @param arrays of the memory.
   */
  constructor(
    memory: KernelMemory,
    features: PackedFeatures,
    runs: PackedRuns,
    lanes: number,
    arrays: Arrays<ReturnType<typeof SummedRows.layout>>,
  ) {
    this.kernels = memory.bind(KERNELS);
    this.features = features;
    this.runs = runs;
    this.lanes = lanes;
    this.values = arrays.values;
    this.list = arrays.list;
  }

  /**
   * Plans blocks of these parts.
   *
   * @param arrays of the memory, for so many parts.
   */
  plan(parts: readonly BlockPart[], arrays: Arrays<ReturnType<typeof SummedRows.planLayout>>): BlockPlan {
    const { list, runs } = this;
    const made = { ...arrays, parts };
    parts.forEach(({ conjunction, shift, tuplesAt, placeOf }, i) => {
      made.tuplesAt[i] = tuplesAt;
      made.runsAt[i] = runs.firsts[conjunction] - shift;
      made.tables[i] = this.placed;
      list.placeOf.set(placeOf, this.placed);
      this.placed += placeOf.length;
    });
    return made;
  }

  /**
   * Makes blocks.
   *
   * @param tuples those of all parts; in the kernels' memory.
   * @param count number of blocks.
   * @param places places of a block.
   * @param out the rows of each block's places are written from `at` on, 0 where it brings nothing.
   */
  sum(
    plan: BlockPlan,
    tuples: Uint32Array,
    count: number,
    places: number,
    out: Uint32Array,
    at: number,
  ): void {
    const { list, runs, features, values, lanes, used } = this;
    for (const { conjunction, shift, tuplesAt } of plan.parts) {
      runs.pack(conjunction, tuples, tuplesAt, count, shift);
    }
    this.used = this.kernels.sumBlocks({
      list,
      runs,
      parts: plan,
      tuples,
      count,
      features,
      matrix: values,
      width: lanes,
      next: used,
      places,
      blocks: out,
      at,
    });
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
