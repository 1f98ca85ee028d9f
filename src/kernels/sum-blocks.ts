/** Blocks of rows for many strings or windows at once. The plain kernel, oracle of its WebAssembly twin. */
import type { Kernel } from './kernel.js';
import { type BlockRows, inSteps, sumBlock, type TupleList } from './score-rows.js';

/** Where the packed features of tuples are. */
export interface TupleRuns {
  /** Start of each tuple's run in the words. */
  readonly starts: Uint32Array;
  /** End of each tuple's run in the words. */
  readonly ends: Uint32Array;
}

/** Parts of blocks: each block sums one tuple of each. */
export interface BlockParts {
  /** [parts] where in `tuples` each part's tuples are. */
  readonly tuplesAt: Uint32Array;
  /** [parts] where among the runs that of the part's tuple 0 is. */
  readonly runsAt: Uint32Array;
  /** [parts] where in `placeOf` the part's table is. */
  readonly tables: Uint32Array;
}

/** Blocks that are summed. */
export interface BlockSum extends BlockRows {
  /** Room for the tuples of a block; changed. */
  readonly list: TupleList;
  /** Features of each tuple. */
  readonly runs: TupleRuns;
  /** Parts of a block. */
  readonly parts: BlockParts;
  /** Tuples of each part, one for each block; 0 is none. */
  readonly tuples: Uint32Array;
  /** Number of blocks. */
  readonly count: number;
  /** First row that is free. */
  readonly next: number;
  /** Place in `blocks` of the first block. */
  readonly at: number;
}

/** Sums blocks one after another, as {@link sumBlock} does. Returns the first row that is free after them. */
export const sumBlocks: Kernel<BlockSum, number> = {
  name: 'sumBlocks',
  plain(sum) {
    const { list, runs, parts, tuples, count, next, places, at } = sum;
    const { starts, ends } = runs;
    const { tuplesAt, runsAt, tables } = parts;
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
      free = sumBlock(list, listed, sum, free, at + i * places);
    }
    return free;
  },
  parameters: {
    listStarts: ['uint32', ({ list }) => list.starts],
    listEnds: ['uint32', ({ list }) => list.ends],
    listTables: ['uint32', ({ list }) => list.tables],
    placeOf: ['int32', ({ list }) => list.placeOf],
    starts: ['uint32', ({ runs }) => runs.starts],
    ends: ['uint32', ({ runs }) => runs.ends],
    tuplesAt: ['uint32', ({ parts }) => parts.tuplesAt],
    runsAt: ['uint32', ({ parts }) => parts.runsAt],
    tables: ['uint32', ({ parts }) => parts.tables],
    parts: ['number', ({ parts }) => parts.tables.length],
    tuples: ['uint32', ({ tuples }) => tuples],
    count: ['number', ({ count }) => count],
    words: ['uint32', ({ features }) => features.words],
    matrix: ['rows', ({ matrix }) => matrix],
    width: ['number', ({ width }) => width],
    next: ['number', ({ next }) => next],
    places: ['number', ({ places }) => places],
    blocks: ['uint32', ({ blocks }) => blocks, ({ at }) => at],
    inSteps: ['flag', ({ matrix }) => inSteps(matrix)],
  },
};
