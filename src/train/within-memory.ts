import { isOutOfMemory, OptionError, SpanwrightError } from '../base/errors.js';
import type { LearnerMemory } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import type { Configuration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { blockBytes, cutOffWithin, type TrainingSize, trainingMemoryError } from './fit-memory.js';
import { blocksOf, codeOf, largestBlock } from './lane-problems.js';
import type { PreparedData } from './prepare.js';
import type { TrainOptions } from './train-options.js';

/** Does the training, unless it is estimated to need more memory than there may be. */
export async function withinMemory<T>(
  prepared: PreparedData,
  code: CodeMatrix | undefined,
  { learner }: Configuration,
  { init, maxMemory = Infinity, blocksAtOnce = 1 }: TrainOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { index, tagSet } = prepared;
  const { rows } = prepared.dataset;
  const examples = rows.offsets.length - 1;
  const size: TrainingSize = { features: index.size, entries: rows.offsets[examples], examples };
  const blocks = code && blocksOf(prepared, code);
  const lanes = blocks ? largestBlock(blocks) : tagSet.tags.length;
  const atOnce = blocks ? Math.min(blocksAtOnce, blocks.length) : 1;
  const needed = blockBytes(size, lanes, memoryOf(learner, init), atOnce);
  if (needed > maxMemory) {
    throw trainingMemoryError(needed, size, lanes, `found ${Math.floor(maxMemory / 1e6)} MB`);
  }
  try {
    return await work();
  } catch (error) {
    const isKnown = error instanceof SpanwrightError && error.code === 'no-memory';
    if (!isKnown && !isOutOfMemory(error)) throw error;
    throw trainingMemoryError(needed, size, lanes, error.message);
  }
}

/** The cut-off with which the largest block of lanes fits in memory. */
export function fittingCutOff(
  prepared: PreparedData,
  configuration: Configuration,
  bytes: number,
  init: Model | undefined,
): number {
  const code = codeOf(prepared, configuration);
  if (code === undefined) {
    throw new OptionError(
      'fit-memory',
      `--fit-memory goes with learners of binary problems, such as svm: found ${configuration.learner}`,
    );
  }
  const { dataset, record } = prepared;
  const memory = memoryOf(configuration.learner, init);
  const lanes = largestBlock(blocksOf(prepared, code));
  return cutOffWithin(bytes, dataset.rows, record.tokens, lanes, memory, configuration.cutOff);
}

/** Memory of a learner, with the weights that it starts from. */
function memoryOf(learner: string, init: Model | undefined): LearnerMemory {
  const { memory } = LEARNERS[learner];
  return init ? { ...memory, weights: memory.weights + 1 } : memory;
}
