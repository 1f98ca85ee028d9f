/** Thread that trains and scores one fold; started by `fold-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type FoldTask, performFold } from '../jobs/score-fold.js';

parentPort?.postMessage(await performFold(workerData as FoldTask));
