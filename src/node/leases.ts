import { performance } from 'node:perf_hooks';
import type { JobFolder } from './job-folder.js';
import { isAlive, machine } from './temporary-files.js';

/** Claim of a worker to a part, as it stands in the job's folder. */
interface Lease {
  /** Name of the worker, unlike that of any other. */
  readonly worker: string;
  /** Its machine. */
  readonly host: string;
  /** Its process. */
  readonly pid: number;
  /** How many workers have had the part, this one included. */
  readonly attempt: number;
  /** How often it was renewed. */
  readonly beat: number;
}

/** Renewals in the time in which a lease expires. */
const BEATS = 6;

/**
 * Claims of workers to parts, kept in the job's folder without any server. A lease is renewed for as long as its worker works; one
 * that stands as it is for too long has expired, by the clock of whoever looks, so that clocks need not agree. That a worker
 * of the same machine is gone is seen at once. Two that work on one part for all that do no harm: they make the same bytes.
 */
export class Leases {
  private readonly folder: JobFolder;
  private readonly milliseconds: number;
  private readonly worker = `${machine()}-${process.pid}-${Math.floor(Math.random() * 2 ** 32).toString(16)}`;
  /** Leases of others: how they stood when looked at last, and since when. */
  private readonly seen = new Map<string, { readonly text: string; readonly since: number }>();
  private held:
    | { readonly key: string; readonly timer: NodeJS.Timeout; beat: number; attempt: number }
    | undefined;

  /** @param seconds after which a lease that is not renewed has expired. */
  constructor(folder: JobFolder, seconds: number) {
    this.folder = folder;
    this.milliseconds = seconds * 1000;
  }

  /**
   * Claims a part that nobody has, or whose lease has expired.
   *
   * @returns how many workers have had it, this one included; undefined where somebody else has it.
   */
  claim(key: string): number | undefined {
    const { folder } = this;
    const attempt = folder.has('lease', key) ? this.takeOver(key) : 1;
    if (attempt === undefined || !folder.create('lease', key, this.lease(attempt, 0))) return undefined;
    this.seen.delete(key);
    const timer = setInterval(() => this.renew(), this.milliseconds / BEATS);
    this.held = { key, timer, beat: 0, attempt };
    return attempt;
  }

  /** Gives the part back. */
  release(): void {
    const { held } = this;
    if (held === undefined) return;
    clearInterval(held.timer);
    this.held = undefined;
    if (this.ownerOf(held.key) === this.worker) this.folder.remove('lease', held.key);
  }

  private lease(attempt: number, beat: number): Lease {
    return { worker: this.worker, host: machine(), pid: process.pid, attempt, beat };
  }

  /** Renews the lease, if it is still this worker's: a worker that stood still may have lost it. */
  private renew(): void {
    const { held } = this;
    if (held === undefined) return;
    try {
      if (this.ownerOf(held.key) === this.worker) {
        this.folder.write('lease', held.key, this.lease(held.attempt, ++held.beat));
      } else clearInterval(held.timer);
    } catch {
      // A lease that cannot be renewed expires.
    }
  }

  private ownerOf(key: string): string | undefined {
    return parse(this.folder.read('lease', key))?.worker;
  }

  /** Removes a lease that has expired; how many workers will have had the part, undefined where the lease stands. */
  private takeOver(key: string): number | undefined {
    const text = this.folder.read('lease', key);
    // It was given back just now.
    if (text === undefined) return 1;
    const lease = parse(text);
    const isGone = lease?.host === machine() && !isAlive(lease.pid);
    if (!isGone && !this.hasStood(key, text)) return undefined;
    return this.folder.take('lease', key) ? (lease?.attempt ?? 1) + 1 : undefined;
  }

  /** Whether a lease stands as it is for longer than it may. */
  private hasStood(key: string, text: string): boolean {
    const now = performance.now();
    const before = this.seen.get(key);
    if (before?.text === text) return now - before.since > this.milliseconds;
    this.seen.set(key, { text, since: now });
    return false;
  }
}

function parse(text: string | undefined): Lease | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Lease);
  } catch {
    // It is just being written, or was left half-written.
    return undefined;
  }
}
