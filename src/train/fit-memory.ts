import { OptionError, SpanwrightError } from '../base/errors.js';
import type { Rows } from '../data/dataset.js';
import { laneCount } from '../kernels/lane-count.js';
import type { LearnerMemory } from '../learn/learner.js';

/** How much there is to train on. */
export interface TrainingSize {
  /** Features D. */
  readonly features: number;
  /** Entries of all rows. */
  readonly entries: number;
  /** Examples N. */
  readonly examples: number;
}

/**
 * Bytes that training one block of lanes, or all labels, holds on top of the program and the corpus: the rows as they are,
 * and what the learner holds.
 *
 * @param lanes lanes of the block.
 * @param blocks blocks that are trained at a time, which share the rows.
 */
export function blockBytes(
  { features, entries, examples }: TrainingSize,
  lanes: number,
  memory: LearnerMemory,
  blocks = 1,
): number {
  const width = laneCount(lanes);
  const rows = entries + examples;
  const own = memory.entries * entries + width * (memory.weights * features + memory.scores * examples);
  return 4 * (rows + blocks * (own + 2 * examples));
}

/**
 * An error for training that needs more memory than there is.
 *
 * @param needed estimated bytes.
 * @param found what there is, in words.
 */
export function trainingMemoryError(
  needed: number,
  { features, examples }: TrainingSize,
  lanes: number,
  found: string,
): SpanwrightError {
  return new SpanwrightError(
    'no-memory',
    `training needs about ${Math.ceil(needed / 1e6)} MB beside its data, for ${features} features, ${examples} examples ` +
      `and ${lanes} lanes at a time: ${found}; expected fewer features (--cut-off, --templates) or, with learners of ` +
      'binary problems, --fit-memory or fewer threads',
  );
}

/**
 * The least cut-off, at least `cutOff`, with which training one block fits in `bytes`.
 *
 * @param rows of all features at or above `cutOff`.
 * @param memory of the learner.
 * @param counted number of rows that features are counted in, the first ones.
 * @throws OptionError where no cut-off is high enough, or only one that leaves no feature.
 */
export function cutOffWithin(
  bytes: number,
  { offsets, indices, features: all }: Rows,
  counted: number,
  lanes: number,
  memory: LearnerMemory,
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
    const needed = blockBytes({ features, entries, examples }, lanes, memory);
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
