import { OptionError } from '../base/errors.js';
import type { Rows } from '../data/dataset.js';
import { laneCount } from '../kernels/lane-count.js';

/**
 * Bytes that training one block of lanes holds, on top of the program and the corpus: rows as they are and in the kernels'
 * memory, the block's weights [D × W] and multipliers [N × W]. Each further thread holds the kernels' part again.
 *
 * @param size numbers of features D, row entries, and examples N.
 * @param lanes lanes of the block.
 */
export function blockBytes(
  { features, entries, examples }: { features: number; entries: number; examples: number },
  lanes: number,
): number {
  const width = laneCount(lanes);
  return 4 * (2 * (entries + examples) + width * (features + examples) + examples);
}

/**
 * The least cut-off, at least `cutOff`, with which training one block fits in `bytes`.
 *
 * @param rows of all features at or above `cutOff`.
 * @param counted number of rows that features are counted in, the first ones.
 * @throws OptionError where no cut-off is high enough, or only one that leaves no feature.
 */
export function cutOffWithin(
  bytes: number,
  { offsets, indices, features: all }: Rows,
  counted: number,
  lanes: number,
  cutOff: number,
): number {
  const examples = offsets.length - 1;
  const end = offsets[examples];
  const counts = new Uint32Array(all);
  for (let j = 0; j < offsets[counted]; j++) counts[indices[j]]++;
  /** [largest count + 1] features, and their row entries, by count. */
  const largest = counts.reduce((most, count) => Math.max(most, count), 0);
  const featuresOf = new Float64Array(largest + 1);
  const entriesOf = new Float64Array(largest + 1);
  for (let f = 0; f < all; f++) featuresOf[counts[f]]++;
  for (let j = 0; j < end; j++) entriesOf[counts[indices[j]]]++;
  let features = all;
  let entries = end;
  for (let least = cutOff; ; least++) {
    const needed = blockBytes({ features, entries, examples }, lanes);
    if (needed <= bytes) return least;
    if (least >= largest) {
      throw new OptionError(
        'fit-memory',
        `--fit-memory: expected at least ${Math.ceil(needed / 1e6)} MB, which the examples and their most frequent ` +
          `feature need, found ${Math.floor(bytes / 1e6)}`,
      );
    }
    features -= featuresOf[least];
    entries -= entriesOf[least];
  }
}
