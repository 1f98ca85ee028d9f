/** Blocks of rows for many strings or windows at once. The plain kernel, oracle of its WebAssembly twin. */
import { type PackedFeatures, type ScoreRows, sumBlock, type TupleList } from './score-rows.js';

/** Where the packed features of tuples are. */
export interface TupleRuns {
  /** Where the run of each tuple starts in the words, */
  readonly starts: Uint32Array;
  /** and ends. */
  readonly ends: Uint32Array;
}

/** What blocks are the sums of: a tuple of each part. */
export interface BlockParts {
  /** [parts] where in `tuples` each one's are, */
  readonly tuplesAt: Uint32Array;
  /** [parts] where among the runs that of its tuple 0 is, */
  readonly runsAt: Uint32Array;
  /** [parts] and where in `placeOf` its table is. */
  readonly tables: Uint32Array;
}

/**
 * Sums blocks one after another, as `sumBlock` does.
 *
 * @param list with room for the tuples of a block; changed.
 * @param tuples the tuples of each part, one for each block; 0 is none.
 * @param count number of blocks.
 * @param next the first row that is free.
 * @param blocks [count × places] their rows are written from `at` on.
 * @returns the first row that is free now.
 */
export function sumBlocks(
  list: TupleList,
  { starts, ends }: TupleRuns,
  { tuplesAt, runsAt, tables }: BlockParts,
  tuples: Uint32Array,
  count: number,
  features: PackedFeatures,
  matrix: ScoreRows,
  width: number,
  next: number,
  places: number,
  blocks: Uint32Array,
  at: number,
): number {
  let free = next;
  for (let i = 0; i < count; i++) {
    let listed = 0;
    for (let part = 0; part < tables.length; part++) {
      const tuple = tuples[tuplesAt[part] + i];
      if (tuple === 0) continue;
      list.starts[listed] = starts[runsAt[part] + tuple];
      list.ends[listed] = ends[runsAt[part] + tuple];
      list.tables[listed++] = tables[part];
    }
    free = sumBlock(list, listed, features, matrix, width, free, places, blocks, at + i * places);
  }
  return free;
}
