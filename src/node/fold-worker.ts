/** Thread that trains and scores one fold; started by `fold-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { unpackCorpus } from '../data/corpus.js';
import { scoreFold } from '../evaluate/cross-validation.js';
import { loadModel } from '../model/model-file.js';
import type { FoldTask } from './fold-pool.js';

const { corpus, fold, train, init, ...work } = workerData as FoldTask;
const options = { ...train, ...(init && { init: loadModel(init, 'the model to go on from') }) };
parentPort?.postMessage(await scoreFold({ ...work, corpus: unpackCorpus(corpus), train: options }, fold));
