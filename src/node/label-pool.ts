import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SpanwrightError } from '../base/errors.js';
import { type Region, RegionCutter } from '../data/formats/regions.js';
import { type BadSentences, type LabelledRegion, labelRegion } from '../label/label-region.js';
import type { LabelOptions } from '../label/labeller.js';
import type { DecoderChoice } from '../model/model.js';
import type { Tagger } from '../model/tagger.js';

/** Input bytes that are labelled at a time: little enough that no thread waits long for another at the end. */
const REGION_BYTES = 1 << 17;

/** Regions that a thread has at a time: one that it labels, one that it need not wait for. */
const REGIONS_AHEAD = 2;

/** Regions per thread that may be labelled or under way before their output is waited for. */
const REGIONS_KEPT = 12;

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

/**
 * Labels a column file on several threads, region by region; output comes in the input's order and is the same as on
 * one thread. Memory is bounded by a few regions per thread. The calling thread is one of them: it labels whenever the
 * others have enough to do, and alone where the input is a single region.
 *
 * @param threads threads that label, the calling one included, 1 … .
 * @param tagger made of the same model and options as `data` says.
 * @param write receives output bytes in order.
 * @returns how many sentences could not be read, and the message about the first.
 * @throws what a thread threw, once everything before it is written.
 */
export async function labelOnThreads(
  threads: number,
  tagger: Tagger,
  data: LabelThreadData,
  input: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<BadSentences> {
  let workers: LabelThread[] | undefined;
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
  const labelHere = async (region: Region) => labelRegion(tagger, data.options, region);
  const give = async (region: Region) => {
    const idle = workers?.reduce((least, worker) => (worker.waiting < least.waiting ? worker : least));
    const isBusy = idle === undefined || idle.waiting >= REGIONS_AHEAD;
    const labelled = isBusy ? labelHere(region) : idle.label(region);
    labelled.catch(() => undefined);
    pending.push(labelled);
    // Answers of the threads are heard between turns only.
    if (isBusy) await nextTurn();
    while (pending.length >= threads * REGIONS_KEPT) await takeFirst();
  };
  let held: Region | undefined;
  const add = async (region: Region | undefined) => {
    if (region === undefined) return;
    if (held) {
      workers ??= startThreads(threads - 1, data);
      await give(held);
    }
    held = region;
  };
  try {
    const cutter = new RegionCutter(REGION_BYTES);
    for await (const chunk of input) await add(cutter.push(chunk));
    await add(cutter.finish());
    if (held) await give(held);
    while (pending.length > 0) await takeFirst();
  } finally {
    await Promise.all((workers ?? []).map((worker) => worker.end()));
  }
  return { badSentences, firstProblem };
}

function startThreads(count: number, data: LabelThreadData): LabelThread[] {
  const model = new Uint8Array(new SharedArrayBuffer(data.model.length));
  model.set(data.model);
  return Array.from({ length: count }, () => new LabelThread({ ...data, model }));
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
