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

/** What is kept of the record of a part that is done. */
export type KnownPart = Pick<DonePart, 'sentences' | 'tokens' | 'seconds' | 'finished'>;

function knownOf(record: DonePart | undefined): KnownPart | undefined {
  if (record === undefined) return undefined;
  const { sentences, tokens, seconds, finished } = record;
  return { sentences, tokens, seconds, finished };
}

/** Milliseconds over which the rate is measured. */
const LATELY = 300_000;

/**
 * Reads how far a job is.
 *
 * @param known records read before, which are not read again; new ones are added.
 */
export function jobStatus(folder: JobFolder, plan: JobPlan, known = new Map<string, KnownPart>()): JobStatus {
  const isDone = folder.keys('done');
  const hasFailed = folder.keys('failed');
  const isLeased = folder.keys('lease');
  const failed: FailedPart[] = [];
  const recent: RecentPart[] = [];
  let [done, working, bytes, bytesDone, sentences, tokens] = [0, 0, 0, 0, 0, 0];
  for (const part of plan.parts) {
    bytes += part.bytes;
    const { key } = part;
    const record = isDone.has(key) ? (known.get(key) ?? knownOf(folder.done(key))) : undefined;
    if (record) {
      known.set(key, record);
      done++;
      bytesDone += part.bytes;
      sentences += record.sentences;
      tokens += record.tokens;
      recent.push({ record, bytes: part.bytes });
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

/** A part that is done, with the bytes of its input. */
interface RecentPart {
  readonly record: KnownPart;
  readonly bytes: number;
}

function rates(
  parts: readonly RecentPart[],
  bytesLeft: number,
): Pick<JobStatus, 'tokensPerSecond' | 'secondsLeft'> {
  let last = 0;
  for (const { record } of parts) last = Math.max(last, record.finished);
  let [first, tokens, bytes] = [last, 0, 0];
  for (const part of parts) {
    const { finished, seconds, tokens: own } = part.record;
    if (finished < last - LATELY) continue;
    first = Math.min(first, finished - 1000 * seconds);
    tokens += own;
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
