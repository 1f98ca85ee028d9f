/** Thread that trains one lane block; started by `thread-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { BinaryLearner } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { openCheckpoint } from './file-checkpoint.js';
import type { BlockMessage, BlockTask } from './thread-pool.js';

const { learner, problem: shared, options, checkpoint } = workerData as BlockTask;
const problem = checkpoint ? { ...shared, checkpoint: openCheckpoint(checkpoint) } : shared;
const send = (message: BlockMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);
const weights = (LEARNERS[learner] as BinaryLearner).trainBlock(problem, options, (report) => send(report));
send(weights, [weights.buffer as ArrayBuffer]);
