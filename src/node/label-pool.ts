import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import { type Region, RegionCutter } from '../data/formats/regions.js';
import type { LabelOptions } from '../label/labeller.js';
import type { DecoderChoice } from '../model/model.js';

/** Input bytes a thread is given at a time. */
const REGION_BYTES = 1 << 18;

/** Regions per thread that may be under way before reading waits. */
const REGIONS_AHEAD = 3;

/** What a labelling thread starts with. */
export interface LabelThreadData {
  /** Bytes of the model file, shared. */
  readonly model: Uint8Array;
  /** Name of the model file. */
  readonly modelSource: string;
  /** A decoder other than the model's. */
  readonly decoder: DecoderChoice;
  /** How to label. */
  readonly options: LabelOptions;
}

/** Sentences that could not be read, and were skipped or kept. */
export interface BadSentences {
  /** How many. */
  readonly badSentences: number;
  /** Message about the first of them. */
  readonly firstProblem: string | undefined;
}

/** What became of a region. */
export interface LabelledRegion extends BadSentences {
  /** Output, up to the problem if there is one. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** Message about the sentence that stopped labelling, if one did. */
  readonly stopped: string | undefined;
}

/**
 * Labels a column file on several threads, region by region; output comes in the input's order and is the same as on
 * one thread. Memory is bounded by a few regions per thread.
 *
 * @param write receives output bytes in order.
 * @returns how many sentences could not be read, and the message about the first.
 * @throws what a thread threw, once everything before it is written.
 */
export async function labelOnThreads(
  threads: number,
  data: LabelThreadData,
  input: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<BadSentences> {
  const shared = new Uint8Array(new SharedArrayBuffer(data.model.length));
  shared.set(data.model);
  const workers = Array.from({ length: threads }, () => new LabelThread({ ...data, model: shared }));
  const pending: Promise<LabelledRegion>[] = [];
  let badSentences = 0;
  let firstProblem: string | undefined;
  const takeFirst = async () => {
    const region = (await pending.shift()) as LabelledRegion;
    await write(region.output);
    badSentences += region.badSentences;
    firstProblem ??= region.firstProblem;
    if (region.stopped !== undefined) throw new SpanwrightError('bad-input', region.stopped);
  };
  const give = async (region: Region | undefined) => {
    if (region === undefined) return;
    const idle = workers.reduce((least, worker) => (worker.waiting < least.waiting ? worker : least));
    const labelled = idle.label(region);
    labelled.catch(() => undefined);
    pending.push(labelled);
    if (pending.length >= threads * REGIONS_AHEAD) await takeFirst();
  };
  try {
    const cutter = new RegionCutter(REGION_BYTES);
    for await (const chunk of input) await give(cutter.push(chunk));
    await give(cutter.finish());
    while (pending.length > 0) await takeFirst();
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
  return { badSentences, firstProblem };
}

/** One thread; answers come in the order of the questions. */
class LabelThread {
  private readonly worker: Worker;
  private readonly questions: { resolve(region: LabelledRegion): void; reject(error: unknown): void }[] = [];
  private failure: unknown;

  constructor(data: LabelThreadData) {
    this.worker = new Worker(new URL('./label-worker.js', import.meta.url), { workerData: data });
    this.worker.on('message', (region: LabelledRegion) => this.questions.shift()?.resolve(region));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', (code) => {
      this.fail(new SpanwrightError('worker-died', `a labelling thread ended early with exit code ${code}`));
    });
  }

  /** Regions given and not answered yet. */
  get waiting(): number {
    return this.questions.length;
  }

  label(region: Region): Promise<LabelledRegion> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.questions.push({ resolve, reject });
      this.worker.postMessage(region, [region.bytes.buffer]);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private fail(error: unknown): void {
    this.failure ??= error;
    for (const question of this.questions.splice(0)) question.reject(this.failure);
  }
}
