import { listNames, OptionError } from '../base/errors.js';
import type { Dataset } from '../data/dataset.js';
import type { Configuration } from '../model/configuration.js';
import { laneBlocks } from '../reduce/lane-blocks.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { labelCounts, labelStatistics } from './label-statistics.js';
import type { PreparedData } from './prepare.js';
import type { BlockProblem } from './train-options.js';

/**
 * The strategy's problems; none for learners of all labels at once.
 *
 * @throws OptionError where the strategy cannot be used with the data's labels.
 */
export function codeOf(
  { tagSet, index, dataset }: PreparedData,
  { strategy, seed, options }: Configuration,
): CodeMatrix | undefined {
  if (strategy === undefined) return undefined;
  const code = REDUCTIONS[strategy].code(labelStatistics(tagSet, index, dataset, seed), options);
  if (code.problems === 0) {
    throw new OptionError(
      'strategy',
      `--strategy ${strategy}: expected data with two labels or more, found ${listNames(tagSet.tags)} alone`,
    );
  }
  return code;
}

/** The problems of each block of lanes. */
export function blocksOf({ tagSet, dataset }: PreparedData, code: CodeMatrix): Uint16Array[] {
  return laneBlocks(code, labelCounts(tagSet, dataset));
}

/** Lanes of the largest block. */
export function largestBlock(blocks: readonly Uint16Array[]): number {
  return Math.max(...blocks.map(({ length }) => length));
}

/** The blocks of lanes, each with its columns of the code matrix. */
export function blockProblems(
  { rows, labels }: Dataset,
  code: CodeMatrix,
  blocks: readonly Uint16Array[],
  seed: number,
): BlockProblem[] {
  return blocks.map((columns, block) => {
    const signs = new Int8Array(code.labels * columns.length);
    for (let label = 0, at = 0; label < code.labels; label++) {
      for (const column of columns) signs[at++] = code.signs[label * code.problems + column];
    }
    return { rows, labels, labelCount: code.labels, signs, problems: columns.length, block, seed };
  });
}
