import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import { type PackedCorpus, packCorpus } from '../data/corpus.js';
import type { Fold, FoldRunner, FoldScores } from '../evaluate/cross-validation.js';
import type { Configuration } from '../model/configuration.js';
import type { DecoderChoice } from '../model/model.js';

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
}

/**
 * Trains and scores folds on worker threads, one fold a thread at a time.
 *
 * @param threads most threads to use, 1 … .
 */
export function foldRunner(threads: number): FoldRunner {
  return async ({ corpus, configuration, decoders }, folds, onFold) => {
    const packed = packCorpus(corpus);
    const results: FoldScores[][] = new Array(folds.length);
    let next = 0;
    const work = async () => {
      while (next < folds.length) {
        const number = next++;
        const task = { corpus: packed, configuration, decoders, fold: folds[number] };
        results[number] = await runInWorker(task);
        onFold?.(number, results[number]);
      }
    };
    await Promise.all(Array.from({ length: Math.min(threads, folds.length) }, work));
    return results;
  };
}

function runInWorker(task: FoldTask): Promise<FoldScores[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fold-worker.js', import.meta.url), { workerData: task });
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', (code) => {
      reject(
        new SpanwrightError('worker-died', `a thread of cross-validation ended early with exit code ${code}`),
      );
    });
  });
}
