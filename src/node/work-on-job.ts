import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../base/errors.js';
import {
  type DonePart,
  describePart,
  type FailedPart,
  type JobPart,
  type JobPlan,
} from '../jobs/job-plan.js';
import { writeProblem } from './files.js';
import type { JobFolder } from './job-folder.js';
import { Leases } from './leases.js';
import { machine } from './temporary-files.js';

/** How much a part held. */
export type PartCounts = Pick<DonePart, 'sentences' | 'tokens' | 'badSentences' | 'firstProblem'>;

/** Labels a part. Bytes given to `write` may be reused once it resolves. */
export type PartLabeller = (
  part: JobPart,
  write: (bytes: Uint8Array) => Promise<void>,
) => Promise<PartCounts>;

/** How a worker works. */
export interface WorkOptions {
  /** Labels a part. */
  readonly label: PartLabeller;
  /** Most attempts at a part where machines fail it. */
  readonly attempts: number;
  /** Seconds after which a lease that is not renewed has expired. */
  readonly leaseSeconds: number;
  /** Whether a part, by its index, is this worker's to do; default all are. */
  readonly isMine?: ((index: number) => boolean) | undefined;
  /** Told of each part when it is done or has failed. */
  readonly onPart?: ((outcome: DonePart | FailedPart) => void) | undefined;
  /** Told why a part is tried again. */
  readonly onRetry?: ((part: JobPart, problem: string, seconds: number) => void) | undefined;
}

/** Milliseconds between two looks at parts that others work on. */
const LOOK = 1000;

/**
 * Works on a job until each of its parts is done or has failed, whoever did it: any number of workers on any number of machines
 * may do so at the same time.
 *
 * @throws FileError when the folder cannot be written, after as many attempts as there may be; the part is given back.
 */
export async function workOnJob(folder: JobFolder, plan: JobPlan, options: WorkOptions): Promise<void> {
  const { isMine = () => true, leaseSeconds } = options;
  folder.removeAbandoned();
  const leases = new Leases(folder, leaseSeconds);
  const giveBack = () => leases.release();
  process.once('exit', giveBack);
  try {
    const mine = plan.parts.filter((_, index) => isMine(index));
    for (;;) {
      const todo = unfinishedParts(folder, mine);
      if (todo.length === 0) return;
      // Workers that begin together begin at different parts.
      const first = Math.floor(Math.random() * todo.length);
      let worked = false;
      for (let i = 0; i < todo.length; i++) {
        const part = todo[(first + i) % todo.length];
        const attempt = leases.claim(part.key);
        if (attempt === undefined) continue;
        try {
          if (folder.has('done', part.key) || folder.has('failed', part.key)) continue;
          await finishPart(folder, plan, part, attempt, options);
          worked = true;
        } finally {
          leases.release();
        }
      }
      if (!worked) await sleep(Math.min(LOOK, (1000 * leaseSeconds) / 4));
    }
  } finally {
    giveBack();
    process.off('exit', giveBack);
  }
}

/** Parts that are neither done nor failed. Leases of those that are, which dead workers left, are removed. */
export function unfinishedParts(folder: JobFolder, parts: readonly JobPart[]): JobPart[] {
  const leased = folder.keys('lease');
  const done = folder.keys('done');
  const failed = folder.keys('failed');
  for (const key of leased) if (done.has(key)) folder.remove('lease', key);
  return parts.filter(({ key }) => !done.has(key) && !failed.has(key));
}

/**
 * Labels a part and writes its record: done, or failed, after as many attempts as there may be where a machine is to blame.
 *
 * @param workers how many workers have had it, this one included.
 */
export async function finishPart(
  folder: JobFolder,
  plan: JobPlan,
  part: JobPart,
  workers: number,
  options: WorkOptions,
): Promise<void> {
  const { attempts, onPart, onRetry } = options;
  const fail = (message: string, count: number, error?: unknown) =>
    failPart(folder, part, message, count, options, error);
  if (workers > attempts) {
    fail(`${describePart(plan, part)}: ${attempts} workers ended while they were at it`, attempts);
    return;
  }
  for (let attempt = workers; ; attempt++) {
    const writing: { failure?: unknown } = {};
    try {
      const done = await labelPart(folder, part, attempt, options.label, writing);
      onPart?.(done);
      return;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof InputError) {
        fail(message, attempt, error);
        return;
      }
      if (attempt >= attempts) {
        // Where nothing can be written there is no record to be made either.
        if (writing.failure !== undefined) throw error;
        fail(message, attempt, error);
        return;
      }
      const seconds = Math.min(MOST_SECONDS, 2 ** (attempt - 1));
      onRetry?.(part, message, seconds);
      await sleep(1000 * seconds);
    }
  }
}

/**
 * Writes the record of a part that failed.
 *
 * @param error what happened, where that was an error.
 */
export function failPart(
  folder: JobFolder,
  part: JobPart,
  message: string,
  attempts: number,
  { onPart }: Pick<WorkOptions, 'onPart'>,
  error?: unknown,
): void {
  const place = error instanceof InputError ? error.place : undefined;
  const failed: FailedPart = {
    key: part.key,
    isInput: error instanceof InputError,
    message,
    line: place?.line ?? null,
    byte: place?.byte ?? part.byte,
    attempts,
    host: machine(),
  };
  folder.write('failed', part.key, failed);
  onPart?.(failed);
}

/** Longest pause before another attempt. */
const MOST_SECONDS = 30;

/** Labels a part into a file that appears whole, then writes its record. */
async function labelPart(
  folder: JobFolder,
  part: JobPart,
  attempt: number,
  label: PartLabeller,
  writing: { failure?: unknown },
): Promise<DonePart> {
  const { key } = part;
  const path = folder.pathOf('parts', key);
  const started = performance.now();
  const temporary = folder.temporary(key);
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      writing.failure = error;
      throw writeProblem(path, error);
    }
  };
  try {
    const file = await guarded(() => open(temporary, 'wx'));
    const hash = createHash('sha256');
    let bytes = 0;
    let counts: PartCounts;
    try {
      counts = await label(part, async (output) => {
        hash.update(output);
        bytes += output.length;
        await guarded(async () => {
          for (let from = 0; from < output.length; ) {
            from += (await file.write(output, from, output.length - from)).bytesWritten;
          }
        });
      });
      await guarded(() => file.sync());
    } finally {
      await guarded(() => file.close());
    }
    const done: DonePart = {
      key,
      bytes,
      sha256: hash.digest('hex'),
      ...counts,
      seconds: (performance.now() - started) / 1000,
      host: machine(),
      attempt,
      finished: Date.now(),
    };
    // A worker that stood still finds that another did its work.
    const earlier = folder.done(key);
    if (earlier) return earlier;
    await guarded(async () => {
      folder.rename(temporary, path);
      folder.write('done', key, done);
    });
    return done;
  } finally {
    folder.drop(temporary);
  }
}
