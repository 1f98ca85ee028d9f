import {
  type DonePart,
  describePart,
  type FailedPart,
  type JobPart,
  type JobPlan,
} from '../jobs/job-plan.js';
import type { JobFolder } from './job-folder.js';

/** How far a job is. */
export interface JobStatus {
  /** Parts in all. */
  readonly parts: number;
  /** Parts that are done. */
  readonly done: number;
  /** Parts that somebody works on. */
  readonly working: number;
  /** Records of parts that failed, in the order of the job. */
  readonly failed: readonly FailedPart[];
  /** Bytes of input in all. */
  readonly bytes: number;
  /** Bytes of input of parts that are done. */
  readonly bytesDone: number;
  /** Sentences labelled. */
  readonly sentences: number;
  /** Tokens labelled. */
  readonly tokens: number;
  /** Tokens a second of all workers together, lately; null before a part is done. */
  readonly tokensPerSecond: number | null;
  /** Seconds left at that rate; null where that cannot be told. */
  readonly secondsLeft: number | null;
}

/** Milliseconds over which the rate is measured. */
const LATELY = 300_000;

/**
 * Reads how far a job is.
 *
 * @param known records read before, which are not read again; new ones are added.
 */
export function jobStatus(folder: JobFolder, plan: JobPlan, known = new Map<string, DonePart>()): JobStatus {
  const isDone = folder.keys('done');
  const hasFailed = folder.keys('failed');
  const isLeased = folder.keys('lease');
  const failed: FailedPart[] = [];
  const recent: { begun: number; finished: number; tokens: number; bytes: number }[] = [];
  let [done, working, bytes, bytesDone, sentences, tokens] = [0, 0, 0, 0, 0, 0];
  for (const part of plan.parts) {
    bytes += part.bytes;
    const { key } = part;
    const record = isDone.has(key) ? (known.get(key) ?? folder.done(key)) : undefined;
    if (record) {
      known.set(key, record);
      done++;
      bytesDone += part.bytes;
      sentences += record.sentences;
      tokens += record.tokens;
      const { finished, seconds } = record;
      recent.push({ begun: finished - 1000 * seconds, finished, tokens: record.tokens, bytes: part.bytes });
    } else if (hasFailed.has(key)) {
      const own = folder.failed(key);
      if (own) failed.push(own);
    } else if (isLeased.has(key)) working++;
  }
  return {
    ...{ parts: plan.parts.length, done, working, failed, bytes, bytesDone, sentences, tokens },
    ...rates(recent, bytes - bytesDone),
  };
}

function rates(
  parts: readonly { begun: number; finished: number; tokens: number; bytes: number }[],
  bytesLeft: number,
): Pick<JobStatus, 'tokensPerSecond' | 'secondsLeft'> {
  let last = 0;
  for (const { finished } of parts) last = Math.max(last, finished);
  let [first, tokens, bytes] = [last, 0, 0];
  for (const part of parts) {
    if (part.finished < last - LATELY) continue;
    first = Math.min(first, part.begun);
    tokens += part.tokens;
    bytes += part.bytes;
  }
  const seconds = (last - first) / 1000;
  if (seconds <= 0 || bytes === 0) return { tokensPerSecond: null, secondsLeft: bytesLeft === 0 ? 0 : null };
  return { tokensPerSecond: tokens / seconds, secondsLeft: (bytesLeft * seconds) / bytes };
}

/** Parts of a job that are not done. */
export function missingParts(folder: JobFolder, plan: JobPlan): JobPart[] {
  const done = folder.keys('done');
  return plan.parts.filter(({ key }) => !done.has(key));
}

/** Says what is known of a part that is not done. */
export function whyMissing(folder: JobFolder, plan: JobPlan, part: JobPart): string {
  const failed = folder.failed(part.key);
  if (failed) return failed.message;
  return `${describePart(plan, part)}: ${folder.has('lease', part.key) ? 'somebody works on it' : 'nobody has begun it'}`;
}
