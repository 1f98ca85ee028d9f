/** Thread that trains and scores one fold; started by `fold-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { unpackCorpus } from '../data/corpus.js';
import { scoreFold } from '../evaluate/cross-validation.js';
import type { FoldTask } from './fold-pool.js';

const { corpus, fold, ...work } = workerData as FoldTask;
parentPort?.postMessage(await scoreFold({ ...work, corpus: unpackCorpus(corpus) }, fold));
