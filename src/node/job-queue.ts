import { setTimeout as sleep } from 'node:timers/promises';
import { SpanwrightError } from '../base/errors.js';
import { describePart, type JobPart, type JobPlan } from '../jobs/job-plan.js';
import { type JobFolder, sha256 } from './job-folder.js';
import { failPart, finishPart, unfinishedParts, type WorkOptions } from './work-on-job.js';

/** Milliseconds between two looks at how far the job is. */
const LOOK = 500;
/** Looks after which parts that are in neither the folder nor the queue are added again. */
const REFILL = 10;
/** Jobs that are added at a time. */
const BATCH = 1000;
/** Milliseconds in which a queue must answer first. */
const PATIENCE = 10_000;

/** Where a queue is, and whom to tell of it. */
export interface QueueOptions {
  /** Address: redis://HOST:PORT. */
  readonly url: string;
  /** Told when the queue is gone, and when it is back. */
  readonly onTrouble: (message: string) => void;
}

/**
 * Works on a job by a queue: BullMQ on Redis says which part is next and who died; everything else is in the folder, as
 * without one. The queue holds nothing that is needed: what is missing from it is added again.
 *
 * @throws SpanwrightError where the packages are not installed, or the queue cannot be reached at first; as `workOnJob`.
 */
export async function workFromQueue(
  folder: JobFolder,
  plan: JobPlan,
  options: WorkOptions,
  { url, onTrouble }: QueueOptions,
): Promise<void> {
  const { Queue, Worker } = await installed(() => import('bullmq'), 'bullmq');
  const { Redis } = await installed(() => import('ioredis'), 'ioredis');
  folder.removeAbandoned();
  const name = hostOf(url);
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(5000, 100 * times),
  });
  let isGone = false;
  let isReached = false;
  let refusal: Error | undefined;
  const trouble = (error: Error) => {
    // Each try and each connection says so again.
    refusal ??= error;
    if (!isReached || isGone || !isConnectionLost(error)) return;
    isGone = true;
    onTrouble(`${name}: ${codeOf(error)}; waiting for it`);
  };
  redis.on('error', trouble);
  redis.on('ready', () => {
    if (isGone) onTrouble(`${name}: it is back`);
    isGone = false;
  });
  await connected(redis, name, () => refusal);
  isReached = true;
  const queueName = `spanwright-${sha256(plan.parts.map(({ key }) => key).join()).slice(0, 16)}`;
  const byId = new Map(plan.parts.map((part) => [idOf(part), part]));
  const queue = new Queue(queueName, { connection: redis });
  queue.on('error', trouble);
  let failure: unknown;
  const worker = new Worker(
    queueName,
    async ({ id }) => {
      const part = byId.get(id ?? '');
      if (part === undefined || folder.has('done', part.key) || folder.has('failed', part.key)) return;
      try {
        await finishPart(folder, plan, part, 1, options);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    {
      connection: redis,
      concurrency: 1,
      lockDuration: 1000 * options.leaseSeconds,
      stalledInterval: 500 * options.leaseSeconds,
      maxStalledCount: options.attempts - 1,
    },
  );
  worker.on('error', trouble);
  worker.on('failed', (job, error) => {
    const part = byId.get(job?.id ?? '');
    if (part && /stalled more than/.test(error.message)) failDead(folder, plan, part, options);
  });
  try {
    const add = async (parts: readonly JobPart[]) => {
      if (redis.status !== 'ready') return;
      // What a queue that goes away was asked it answers when it is back.
      const added = queue.addBulk(parts.map(asJob)).catch(trouble);
      await Promise.race([added, sleep(PATIENCE, undefined, { ref: false })]);
    };
    await untilDone(folder, plan, add, () => failure);
  } finally {
    // A queue that is gone does not answer any more.
    await Promise.race([
      Promise.all([worker.close(), queue.close()]),
      sleep(2000, undefined, { ref: false }),
    ]).catch(() => undefined);
    redis.disconnect();
  }
}

/** Fills the queue with what is to be done, until all is, or a worker fails. @throws what it fails with. */
async function untilDone(
  folder: JobFolder,
  plan: JobPlan,
  add: (parts: readonly JobPart[]) => Promise<void>,
  failure: () => unknown,
): Promise<void> {
  for (let look = 0; failure() === undefined; look++) {
    const todo = unfinishedParts(folder, plan.parts);
    if (todo.length === 0) return;
    if (look % REFILL === 0) {
      for (let from = 0; from < todo.length; from += BATCH) await add(todo.slice(from, from + BATCH));
    }
    await sleep(LOOK);
  }
  throw failure();
}

function failDead(folder: JobFolder, plan: JobPlan, part: JobPart, options: WorkOptions): void {
  const { attempts } = options;
  const message = `${describePart(plan, part)}: ${attempts} workers ended while they were at it`;
  failPart(folder, part, message, attempts, options);
}

/** A part as BullMQ has it. Adding one that is there changes nothing. */
function asJob(part: JobPart) {
  const opts = { jobId: idOf(part), removeOnComplete: true, removeOnFail: true };
  return { name: 'part', data: {}, opts };
}

/** Name of a part's job; BullMQ takes no numbers. */
function idOf({ key }: JobPart): string {
  return `part-${key}`;
}

async function installed<T>(load: () => Promise<T>, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new SpanwrightError(
      'bad-option',
      `--queue: expected the package ${name} to be installed; npm install bullmq ioredis does that`,
    );
  }
}

async function connected(
  redis: { connect(): Promise<void>; ping(): Promise<string>; disconnect(): void },
  name: string,
  refusal: () => Error | undefined,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer after ${PATIENCE / 1000} s`)), PATIENCE);
    });
    await Promise.race([redis.connect().then(() => redis.ping()), late]);
  } catch (error) {
    redis.disconnect();
    throw new SpanwrightError(
      'bad-file',
      `${name}: expected a Redis server, found none that can be used: ${codeOf(refusal() ?? (error as Error))}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The address without a password. */
function hostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    if (protocol === 'redis:' || protocol === 'rediss:') return `${protocol}//${host}`;
  } catch {
    // Said below.
  }
  throw new SpanwrightError('bad-option', '--queue: expected redis://HOST:PORT, found something else');
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

/** Whether an error is that of a connection; others are of jobs that another worker took over. */
function isConnectionLost(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code !== undefined || /clos|connect/i.test(error.message);
}
