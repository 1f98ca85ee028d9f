import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { fileSize, makeFolder, readProblem, writeBytes, writeProblem } from './files.js';
import { JobFolder } from './job-folder.js';
import { Leases } from './leases.js';
import { machine } from './temporary-files.js';

/** Results of a long run as they come, in a file from which a run that was stopped goes on. */
export interface Trace<T> {
  /** Results so far, by key. */
  readonly known: ReadonlyMap<string, T>;
  /**
   * Adds a result.
   *
   * @param key says all that the result depends on: a run that asks for the same key gets the same result.
   * @param part what it is, for readers of the file.
   */
  readonly add: (key: string, part: string, result: T) => Promise<void>;
  /**
   * Claims a result that is to be made, where others may make it too.
   *
   * @returns what gives the claim back; undefined where somebody else is at it.
   */
  readonly claim: (key: string) => (() => void) | undefined;
  /** Reads what others have added. */
  readonly refresh: () => Promise<void>;
}

/** A result to make. */
export interface TracePart<T> {
  /** Says all that it depends on. */
  readonly key: string;
  /** What it is. */
  readonly part: string;
  /** Makes it. */
  readonly make: () => Promise<T>;
}

/** Milliseconds between two looks at results that others make. */
const LOOK = 1000;

/**
 * Results of all parts, in their order: known, made here, or made meanwhile by others who share the trace.
 *
 * @param onResult called with each, as it comes.
 */
export async function settleAll<T>(
  trace: Trace<T>,
  parts: readonly TracePart<T>[],
  onResult: () => void = () => undefined,
): Promise<T[]> {
  const settled = new Set<string>();
  for (;;) {
    await trace.refresh();
    let worked = false;
    for (const { key, part, make } of parts) {
      if (settled.has(key)) continue;
      if (!trace.known.has(key)) {
        const release = trace.claim(key);
        if (release === undefined) continue;
        try {
          // It may have been made since.
          await trace.refresh();
          if (!trace.known.has(key)) await trace.add(key, part, await make());
        } finally {
          release();
        }
      }
      settled.add(key);
      worked = true;
      onResult();
    }
    if (parts.every(({ key }) => settled.has(key))) break;
    if (!worked) await sleep(LOOK);
  }
  return parts.map(({ key }) => trace.known.get(key) as T);
}

/** Options of a {@link Trace}. */
export interface TraceOptions<T> {
  /** Name of the command that makes it, which the file's first line has: `tune`. */
  readonly partsOf: string;
  /** Whether a value is a result. */
  readonly isResult: (value: unknown) => value is T;
}

/**
 * Opens a trace: a line that says what makes it, then a JSON line a result. A last line cut short, as a killed process
 * leaves it, does not count.
 *
 * @param path its file; without one nothing is kept.
 * @throws InputError where the file is no trace, or one of something else.
 */
export async function openTrace<T>(path: string | undefined, options: TraceOptions<T>): Promise<Trace<T>> {
  const known = new Map<string, T>();
  const { partsOf } = options;
  const alone = { known, claim: () => () => undefined, refresh: async () => undefined };
  if (path === undefined) {
    return {
      ...alone,
      add: async (key, _part, result) => {
        known.set(key, result);
      },
    };
  }
  const lines = await readTrace(path, options, known);
  await writeBytes(path, encodeUtf8([headOf(partsOf), ...lines].map((line) => `${line}\n`).join('')));
  return { ...alone, add: adder(path, known) };
}

/** Seconds after which a claim that is not renewed has expired. */
const LEASE_SECONDS = 60;

/**
 * Opens a trace that any number of processes on any number of machines share: a folder with a file of results for each of them, and
 * claims to what they are at.
 *
 * @throws as {@link openTrace}; FileError where the path is a file.
 */
export async function joinTrace<T>(
  path: string,
  options: TraceOptions<T>,
  leaseSeconds = LEASE_SECONDS,
): Promise<Trace<T>> {
  for (const name of ['', 'lease', 'tmp']) await makeFolder(join(path, name));
  const folder = new JobFolder(path);
  folder.removeAbandoned();
  const known = new Map<string, T>();
  const own = join(
    path,
    `${machine()}-${process.pid}-${Math.floor(Math.random() * 2 ** 32).toString(16)}.jsonl`,
  );
  const sizes = new Map<string, number>();
  const refresh = async () => {
    for (const name of (await readdir(path)).filter((file) => file.endsWith('.jsonl'))) {
      const size = await fileSize(join(path, name));
      if (sizes.get(name) === size) continue;
      sizes.set(name, size);
      await readTrace(join(path, name), options, known);
    }
  };
  await refresh();
  await writeBytes(own, encodeUtf8(`${headOf(options.partsOf)}\n`));
  const leases = new Leases(folder, leaseSeconds);
  process.once('exit', () => leases.release());
  return {
    known,
    add: adder(own, known),
    claim: (key) => (leases.claim(key) === undefined ? undefined : () => leases.release()),
    refresh,
  };
}

function headOf(partsOf: string): string {
  return JSON.stringify({ partsOf });
}

/** Reads the results of a file into a map; its lines without the first. */
async function readTrace<T>(
  path: string,
  { partsOf, isResult }: TraceOptions<T>,
  known: Map<string, T>,
): Promise<string[]> {
  let text = '';
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw readProblem(path, error);
  }
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  if (lines.length > 0 && lines[0] !== headOf(partsOf)) {
    throw new InputError({ source: path, line: 1 }, `expected a trace of ${partsOf}, found something else`);
  }
  for (const [i, line] of lines.slice(1).entries()) {
    const { key, result } = parse(line);
    if (typeof key !== 'string' || !isResult(result)) {
      throw new InputError({ source: path, line: i + 2 }, `expected a result of ${partsOf}`);
    }
    known.set(key, result);
  }
  return lines.slice(1);
}

/** What adds results to a file, and to those that are known. */
function adder<T>(path: string, known: Map<string, T>): Trace<T>['add'] {
  return async (key, part, result) => {
    try {
      await appendFile(path, `${JSON.stringify({ key, part, result })}\n`);
    } catch (error) {
      throw writeProblem(path, error);
    }
    known.set(key, result);
  };
}

function parse(line: string): { key?: unknown; result?: unknown } {
  try {
    return (JSON.parse(line) ?? {}) as { key?: unknown; result?: unknown };
  } catch {
    return {};
  }
}
