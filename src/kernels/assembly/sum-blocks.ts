import { sumBlock, sumStepBlock } from './score-rows';

/** The twin of `../sum-blocks.ts`; pointers are bytes, `tuples` those of the first block. */
export function sumBlocks(
  listStarts: usize,
  listEnds: usize,
  listTables: usize,
  placeOf: usize,
  starts: usize,
  ends: usize,
  tuplesAt: usize,
  runsAt: usize,
  tables: usize,
  parts: i32,
  tuples: usize,
  count: i32,
  words: usize,
  matrix: usize,
  width: i32,
  next: u32,
  places: i32,
  blocks: usize,
  inSteps: bool,
): u32 {
  let free = next;
  let block = blocks;
  for (let i: i32 = 0; i < count; i++) {
    const own = tuples + ((<usize>i) << 2);
    let bytes: usize = 0;
    for (let part: usize = 0; part < (<usize>parts) << 2; part += 4) {
      const tuple = load<u32>(own + (<usize>load<u32>(tuplesAt + part) << 2));
      if (tuple == 0) continue;
      const run = (<usize>(load<u32>(runsAt + part) + tuple)) << 2;
      store<u32>(listStarts + bytes, load<u32>(starts + run));
      store<u32>(listEnds + bytes, load<u32>(ends + run));
      store<u32>(listTables + bytes, load<u32>(tables + part));
      bytes += 4;
    }
    const listed = <i32>(bytes >> 2);
    if (inSteps) {
      free = sumStepBlock(
        listStarts,
        listEnds,
        listTables,
        placeOf,
        listed,
        words,
        matrix,
        width,
        free,
        places,
        block,
      );
    } else {
      free = sumBlock(
        listStarts,
        listEnds,
        listTables,
        placeOf,
        listed,
        words,
        matrix,
        width,
        free,
        places,
        block,
      );
    }
    block += (<usize>places) << 2;
  }
  return free;
}
