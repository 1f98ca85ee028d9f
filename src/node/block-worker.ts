/** Thread that trains lane blocks, one after another; started by `thread-pool.ts`. */
import { parentPort } from 'node:worker_threads';
import { trainBlock } from '../jobs/train-block.js';
import { openCheckpoint } from './file-checkpoint.js';
import type { BlockMessage, BlockRequest } from './thread-pool.js';

const send = (message: BlockMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

parentPort?.on('message', ({ checkpoint, ...task }: BlockRequest) => {
  const kept = checkpoint && openCheckpoint(checkpoint, (notKept) => send({ notKept }));
  const weights = trainBlock(task, send, kept);
  const { starts, lanes, values } = weights;
  send(
    weights,
    [starts, lanes, values].map(({ buffer }) => buffer as ArrayBuffer),
  );
});
