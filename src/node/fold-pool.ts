import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import type { FoldRunner, FoldScores } from '../evaluate/cross-validation.js';
import { type FoldTask, foldTasks } from '../jobs/score-fold.js';
import { threadError } from './thread-error.js';

/**
 * Trains and scores folds on worker threads, one fold a thread at a time. Trainings are those that the work asks for;
 * each runs its blocks in its own thread, keeps no state, and tells no progress.
 *
 * @param threads most threads to use, 1 … .
 * @throws (the runner) what the first of the folds that failed threw, first by number, as if there were one thread.
 */
export function foldRunner(threads: number): FoldRunner {
  return async (work, folds, onFold) => {
    const tasks = foldTasks(work, folds);
    const results: FoldScores[][] = new Array(folds.length);
    const failures = new Map<number, unknown>();
    let next = 0;
    const runNext = async () => {
      while (next < folds.length && failures.size === 0) {
        const number = next++;
        try {
          results[number] = await runInWorker(tasks[number]);
          onFold?.(number, results[number]);
        } catch (error) {
          failures.set(number, error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(threads, folds.length) }, runNext));
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
