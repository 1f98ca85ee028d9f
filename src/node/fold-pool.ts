import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import { type PackedCorpus, packCorpus } from '../data/corpus.js';
import type { Fold, FoldRunner, FoldScores } from '../evaluate/cross-validation.js';
import type { Configuration } from '../model/configuration.js';
import type { DecoderChoice } from '../model/model.js';
import { saveModel } from '../model/model-file.js';
import type { TrainOptions } from '../train/train-options.js';
import { threadError } from './thread-error.js';

/** What a worker is asked to train and score. */
export interface FoldTask {
  /** All sentences. */
  readonly corpus: PackedCorpus;
  /** What to train. */
  readonly configuration: Configuration;
  /** Decoders to score with. */
  readonly decoders: readonly DecoderChoice[];
  /** Which sentences for what. */
  readonly fold: Fold;
  /** What decides how each training goes, but the model to go on from. */
  readonly train: PlainTrainOptions;
  /** Bytes of the model to go on from, if there is one. */
  readonly init: Uint8Array | undefined;
}

/** Options of training that a thread can be sent. */
type PlainTrainOptions = Omit<TrainOptions, 'init' | 'onProgress' | 'runBlocks' | 'checkpoint'>;

/**
 * Trains and scores folds on worker threads, one fold a thread at a time. Trainings are those that the work asks for;
 * each runs its blocks in its own thread, keeps no state, and tells no progress.
 *
 * @param threads most threads to use, 1 … .
 * @throws (the runner) what the first of the folds that failed threw, first by number, as if there were one thread.
 */
export function foldRunner(threads: number): FoldRunner {
  return async ({ corpus, configuration, decoders, train = {} }, folds, onFold) => {
    const packed = packCorpus(corpus);
    const { init: model, onProgress, runBlocks, checkpoint, ...plain } = train;
    const init = model && saveModel(model);
    const results: FoldScores[][] = new Array(folds.length);
    const failures = new Map<number, unknown>();
    let next = 0;
    const work = async () => {
      while (next < folds.length && failures.size === 0) {
        const number = next++;
        try {
          const task = { corpus: packed, configuration, decoders, fold: folds[number], train: plain, init };
          results[number] = await runInWorker(task);
          onFold?.(number, results[number]);
        } catch (error) {
          failures.set(number, error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(threads, folds.length) }, work));
    if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
    return results;
  };
}

function runInWorker(task: FoldTask): Promise<FoldScores[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fold-worker.js', import.meta.url), { workerData: task });
    worker.on('message', resolve);
    worker.on('error', (error) => reject(threadError(error)));
    worker.on('exit', (code) => {
      reject(
        new SpanwrightError('worker-died', `a thread of cross-validation ended early with exit code ${code}`),
      );
    });
  });
}
