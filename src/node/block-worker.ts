/** Thread that trains lane blocks, one after another; started by `thread-pool.ts`. */
import { parentPort } from 'node:worker_threads';
import type { BinaryLearner } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { SparseWeights } from '../model/sparse-weights.js';
import { openCheckpoint } from './file-checkpoint.js';
import type { BlockMessage, BlockTask } from './thread-pool.js';

const send = (message: BlockMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

parentPort?.on('message', ({ learner, problem: shared, options, checkpoint }: BlockTask) => {
  const problem = checkpoint
    ? { ...shared, checkpoint: openCheckpoint(checkpoint, (notKept) => send({ notKept })) }
    : shared;
  const rows = (LEARNERS[learner] as BinaryLearner).trainBlock(problem, options, (report) => send(report));
  const { starts, lanes, values } = SparseWeights.ofRows(rows, problem.problems);
  send(
    { starts, lanes, values },
    [starts, lanes, values].map(({ buffer }) => buffer as ArrayBuffer),
  );
});
