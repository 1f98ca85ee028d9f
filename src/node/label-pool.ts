import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type InputError, SpanwrightError } from '../base/errors.js';
import type { ColumnWidth } from '../data/formats/columns.js';
import { type Region, RegionCutter } from '../data/formats/regions.js';
import {
  type BadSentences,
  type LabelledRegion,
  labelRegion,
  type RegionWork,
} from '../jobs/label-region.js';
import type { ColumnLabeller } from '../label/label-columns.js';
import { type SentError, threadError } from './thread-error.js';

/** Input bytes that are labelled at a time: little enough that no thread waits long for another at the end. */
const REGION_BYTES = 1 << 17;

/** Regions that a thread has at a time: one that it labels, one that it need not wait for. */
const REGIONS_AHEAD = 2;

/** Regions per thread that may be labelled or under way before their output is waited for. */
const REGIONS_KEPT = 12;

/** A region as a thread answers it. */
export interface SentRegion extends Omit<LabelledRegion, 'stopped'> {
  /** The problem that stopped labelling, if one did. */
  readonly stopped: SentError | undefined;
}

/**
 * Labels column files on several threads, region by region; output comes in the input's order and is the same as on
 * one thread. Memory is bounded by a few regions per thread. The calling thread is one of them: it labels whenever the
 * others have enough to do, and alone where the input is a single region.
 */
export class LabelPool {
  private readonly threads: number;
  private readonly data: RegionWork;
  private workers: LabelThread[] | undefined;

  /** @param threads threads that label, the calling one included, 1 … . */
  constructor(threads: number, data: RegionWork) {
    this.threads = threads;
    this.data = data;
  }

  /** Starts the other threads, if that is not done. {@link label} does it as late as it can. */
  start(): void {
    const { data, threads } = this;
    if (this.workers) return;
    const model = new Uint8Array(new SharedArrayBuffer(data.model.length));
    model.set(data.model);
    this.workers = Array.from({ length: threads - 1 }, () => new LabelThread({ ...data, model }));
  }

  /** Whether an input of so many bytes keeps more than one thread busy. */
  static isWorthThreads(bytes: number): boolean {
    return bytes > 2 * REGION_BYTES;
  }

  /**
   * Labels a file, then ends the other threads.
   *
   * @param labeller made of the same model and options as the other threads make theirs.
   * @param write receives output bytes in order.
   * @returns how many sentences could not be read, and the message about the first.
   * @throws what a thread threw, once everything before it is written.
   */
  async label(
    labeller: ColumnLabeller,
    input: AsyncIterable<Uint8Array>,
    write: (bytes: Uint8Array) => Promise<void>,
  ): Promise<BadSentences> {
    const { threads } = this;
    const cutter = new RegionCutter(REGION_BYTES, labeller.documentSize);
    const pending: Promise<LabelledRegion>[] = [];
    let badSentences = 0;
    let firstProblem: string | undefined;
    // A region is written while others are labelled.
    let written = Promise.resolve();
    const takeFirst = async () => {
      const region = (await pending.shift()) as LabelledRegion;
      await written;
      written = write(region.output).then(() => cutter.reuse(region.output.buffer));
      // It may fail before it is waited for.
      written.catch(() => undefined);
      badSentences += region.badSentences;
      firstProblem ??= region.firstProblem;
      if (region.stopped === undefined) return;
      await written;
      throw region.stopped;
    };
    const labelHere = async (region: Region) => labelRegion(labeller, region);
    const give = async (region: Region) => {
      const free = this.leastBusy();
      const labelled = free ? free.label(region) : labelHere(region);
      labelled.catch(() => undefined);
      pending.push(labelled);
      // Answers of the threads are heard between turns only.
      if (!free) await nextTurn();
      while (pending.length >= threads * REGIONS_KEPT) await takeFirst();
    };
    // One region is held back until another shows that there is work for more than this thread.
    let held: Region | undefined;
    let width: ColumnWidth | undefined;
    const add = async (region: Region | undefined) => {
      if (region === undefined) return;
      if (held) {
        this.start();
        await give(held);
      }
      width ??= labeller.measure(region.bytes, region);
      held = { ...region, width };
    };
    try {
      for await (const chunk of input) await add(cutter.push(chunk));
      await add(cutter.finish());
      if (held) await give(held);
      while (pending.length > 0) await takeFirst();
      await written;
    } finally {
      await this.end();
    }
    return { badSentences, firstProblem };
  }

  /** Ends the other threads. */
  async end(): Promise<void> {
    await Promise.all((this.workers ?? []).map((worker) => worker.end()));
  }

  /** The thread with the least to do, if it has not enough. */
  private leastBusy(): LabelThread | undefined {
    let least: LabelThread | undefined;
    for (const worker of this.workers ?? []) {
      if (worker.waiting < (least?.waiting ?? REGIONS_AHEAD)) least = worker;
    }
    return least;
  }
}

/** One thread; answers come in the order of the questions. */
class LabelThread {
  private readonly worker: Worker;
  private readonly questions: { resolve(region: LabelledRegion): void; reject(error: unknown): void }[] = [];
  private failure: unknown;
  private isEnding = false;

  constructor(data: RegionWork) {
    this.worker = new Worker(new URL('./label-worker.js', import.meta.url), { workerData: data });
    this.worker.on('message', ({ stopped, ...region }: SentRegion) => {
      this.questions
        .shift()
        ?.resolve({ ...region, stopped: stopped && (threadError(stopped) as InputError) });
      this.idle();
    });
    this.worker.on('error', (error) => this.fail(threadError(error)));
    this.worker.on('exit', (code) => {
      this.fail(new SpanwrightError('worker-died', `a labelling thread ended early with exit code ${code}`));
    });
    this.idle();
  }

  /** Regions given and not answered yet. */
  get waiting(): number {
    return this.questions.length;
  }

  label(region: Region): Promise<LabelledRegion> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.questions.push({ resolve, reject });
      this.worker.ref();
      this.worker.postMessage(region, [region.bytes.buffer]);
    });
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.worker.terminate();
  }

  /**
   * Lets the program end while the thread has nothing to do. Once the thread is being ended its end is waited for: nothing
   * else might keep the program from leaving before the error is told that stopped labelling.
   */
  private idle(): void {
    if (this.waiting === 0 && !this.isEnding) this.worker.unref();
  }

  private fail(error: unknown): void {
    this.failure ??= error;
    for (const question of this.questions.splice(0)) question.reject(this.failure);
  }
}
