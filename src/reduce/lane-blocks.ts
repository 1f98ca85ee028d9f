import type { CodeMatrix } from './reduction.js';

/** Most problems trained in one block of lanes: sixteen 32-bit lanes fill one cache line. */
const LARGEST_BLOCK = 16;
/** How many times as many examples a problem of a block may see as another. */
const SPREAD = 4;
/** Problems that see less than 1/16 of the examples are not told apart by size: their blocks are small enough. */
const LAST_LEVEL = 2;

/**
 * Which problems are trained together, in blocks of lanes that share their examples: problems that see more than a quarter
 * of them, those that see more than a sixteenth, and the rest, since a block costs what all its problems together see. The
 * blocks must not depend on the number of threads: a block's random stream and shrinking are its own.
 *
 * @param counts [L] how often each label occurs.
 * @returns the problems of each block, ascending; blocks that see most examples come first.
 */
export function laneBlocks(code: CodeMatrix, counts: ArrayLike<number>): Uint16Array[] {
  const { problems } = code;
  const sizes = problemSizes(code, counts);
  const all = Array.from(counts).reduce((sum, count) => sum + count, 0);
  const levels: number[][] = [];
  for (let problem = 0; problem < problems; problem++) {
    let level = 0;
    while (level < LAST_LEVEL && sizes[problem] * SPREAD ** (level + 1) <= all) level++;
    levels[level] ??= [];
    levels[level].push(problem);
  }
  return levels.flatMap((members) => {
    const blocks = Math.ceil(members.length / LARGEST_BLOCK);
    return Array.from({ length: blocks }, (_, block) =>
      Uint16Array.from(
        members.slice(
          Math.floor((members.length * block) / blocks),
          Math.floor((members.length * (block + 1)) / blocks),
        ),
      ),
    );
  });
}

/** [P] how many examples each problem sees. */
export function problemSizes(
  { labels, problems, signs }: CodeMatrix,
  counts: ArrayLike<number>,
): Float64Array {
  const sizes = new Float64Array(problems);
  for (let label = 0; label < labels; label++) {
    for (let k = 0; k < problems; k++) if (signs[label * problems + k] !== 0) sizes[k] += counts[label];
  }
  return sizes;
}
