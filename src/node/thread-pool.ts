import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import type { BlockResult, BlockTask } from '../jobs/train-block.js';
import type { EpochReport, LaneProblem } from '../learn/learner.js';
import { SparseWeights } from '../model/sparse-weights.js';
import type { BlockProblem, BlockRunner } from '../train/train-options.js';
import type { CheckpointFile } from './file-checkpoint.js';
import { threadError } from './thread-error.js';

/** A block for a thread; its large arrays are shared, not copied. */
export interface BlockRequest extends BlockTask {
  /** Where its state is kept between passes, if anywhere. */
  readonly checkpoint?: CheckpointFile | undefined;
}

/** Why a state between passes is not kept. */
interface NotKept {
  readonly notKept: string;
}

/** A thread's message: a report after each epoch, why its state is not kept, at last the arrays of the weights. */
export type BlockMessage = EpochReport | NotKept | BlockResult;

/**
 * Trains lane blocks on worker threads, whole blocks at a time: which thread takes a block has no influence on its
 * result.
 *
 * @param threads most threads to use, 1 … .
 * @param checkpointOf where the state of a block is kept between passes; default nowhere.
 * @param onNotKept told why a state cannot be kept.
 */
export function blockRunner(
  threads: number,
  checkpointOf?: (block: number) => CheckpointFile,
  onNotKept: (problem: string) => void = () => undefined,
): BlockRunner {
  return async (learner, problems, options, onProgress) => {
    const shared = share(problems);
    const results: SparseWeights[] = new Array(problems.length);
    let next = 0;
    const work = async () => {
      const worker = new Worker(new URL('./block-worker.js', import.meta.url));
      try {
        while (next < shared.length) {
          const problem = startingFrom(shared[next++]);
          const checkpoint = checkpointOf?.(problem.block);
          const onEpoch = (report: EpochReport) =>
            onProgress?.({ kind: 'epoch', block: problem.block, blocks: shared.length, ...report });
          const task = { learner, problem, options, checkpoint };
          results[problem.block] = await runIn(worker, task, onEpoch, onNotKept);
        }
      } finally {
        await worker.terminate();
      }
    };
    await Promise.all(Array.from({ length: Math.min(threads, problems.length) }, work));
    return results;
  };
}

/** A block with its initial weights, made now that its turn has come. */
function startingFrom(problem: BlockProblem): LaneProblem {
  return { ...problem, initial: problem.initial?.() };
}

function runIn(
  worker: Worker,
  task: BlockRequest,
  onEpoch: (report: EpochReport) => void,
  onNotKept: (problem: string) => void,
): Promise<SparseWeights> {
  return new Promise((resolve, reject) => {
    const end = () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const onMessage = (message: BlockMessage) => {
      if ('notKept' in message) return onNotKept(message.notKept);
      if (!('values' in message)) return onEpoch(message);
      end();
      resolve(new SparseWeights(message.starts, message.lanes, message.values));
    };
    const onError = (error: Error) => {
      end();
      reject(threadError(error));
    };
    const onExit = (code: number) => {
      onError(new SpanwrightError('worker-died', `a training thread ended early with exit code ${code}`));
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    const { initial } = task.problem;
    worker.postMessage(task, initial ? [initial.buffer as ArrayBuffer] : []);
  });
}

/** The blocks with rows and labels in memory that threads share; all blocks have the same rows and labels. */
function share(problems: readonly BlockProblem[]): BlockProblem[] {
  const { rows, labels } = problems[0];
  const sharedRows = {
    offsets: shareArray(rows.offsets, Uint32Array),
    indices: shareArray(rows.indices, Uint32Array),
    features: rows.features,
  };
  const sharedLabels = shareArray(labels, Uint16Array);
  return problems.map((problem) => ({ ...problem, rows: sharedRows, labels: sharedLabels }));
}

function shareArray<T extends Uint32Array | Uint16Array>(
  values: T,
  type: new (buffer: SharedArrayBuffer) => T,
): T {
  const shared = new type(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}
