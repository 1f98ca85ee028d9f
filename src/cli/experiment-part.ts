/** Process that trains one configuration and scores it on test data, so that its memory is its own; started by `experiment.ts`. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { OptionValues } from '../base/options.js';
import { encodeUtf8 } from '../base/utf8.js';
import { type Corpus, columnStrings } from '../data/corpus.js';
import { runTrial, type TrialFigures } from '../jobs/run-trial.js';
import { writeBytes } from '../node/files.js';
import { freeMemory } from '../node/free-memory.js';
import { watchTemporaries } from '../node/temporary-files.js';
import { type SentError, threadError, toSend } from '../node/thread-error.js';
import { blockRunner } from '../node/thread-pool.js';
import type { TestFigures } from '../report/experiment-report.js';
import { readLabelled } from './options.js';
import { fillOf, resolveConfiguration } from './training-options.js';

/** Work of the process. */
export interface TestPart {
  /** Options of corpus and configuration together. */
  readonly options: OptionValues;
  /** Training data. */
  readonly train: string;
  /** Test data. */
  readonly test: string;
  /** Threads to train on. */
  readonly threads: number;
  /** File for words, gold and predicted tags, parted by tabs. */
  readonly predictions: string;
}

/** Figures measured. */
export interface TestResult extends TestFigures, TrialFigures {
  /** The model file's bytes, gzipped. */
  readonly modelGzipBytes: number;
}

/** Answer of the process: a result, or an error. */
export interface TestAnswer {
  /** Figures measured. */
  readonly result?: TestResult;
  /** Why it could not. */
  readonly error?: SentError;
}

async function measure({
  options,
  train: trainFile,
  test,
  threads,
  predictions,
}: TestPart): Promise<TestResult> {
  const configuration = await resolveConfiguration(String(options.task), options);
  const fill = await fillOf(options, configuration);
  const training = await readLabelled(trainFile, options, configuration, { fill, marks: 'learn' });
  const reading = performance.now();
  const held = await readLabelled(test, options, configuration, { fill });
  const read = performance.now();
  const { figures, model, predicted } = await runTrial(
    { configuration, training, test: held },
    { runBlocks: blockRunner(threads), blocksAtOnce: threads, maxMemory: freeMemory() },
  );
  const labelled = performance.now();
  await writeBytes(predictions, encodeUtf8(predictedLines(held, predicted)));
  const written = performance.now();
  return {
    ...figures,
    routineSeconds: (read - reading + written - labelled) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1000,
    modelGzipBytes: gzipSync(model).length,
  };
}

/** Words, gold and predicted tags, parted by tabs. */
function predictedLines(held: Corpus, predicted: readonly (readonly string[])[]): string {
  return predicted
    .map((tags, s) => {
      const words = columnStrings(held, 0, s);
      const gold = columnStrings(held, held.columns.length - 1, s);
      return `${words.map((word, t) => `${word}\t${gold[t]}\t${tags[t]}\n`).join('')}\n`;
    })
    .join('');
}

// The work is done in a thread, so that this one hears that the process that asked for it is gone.
if (isMainThread) {
  watchTemporaries();
  process.once('disconnect', () => process.exit(1));
  process.once('message', (part: TestPart) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: part });
    worker.once('message', (result: TestResult) => answer({ result }));
    worker.once('error', (error) => answer({ error: toSend(threadError(error)) }));
  });
} else parentPort?.postMessage(await measure(workerData as TestPart));

function answer(message: TestAnswer): void {
  process.send?.(message, () => process.exit(0));
}
