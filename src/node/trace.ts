import { appendFile, readFile } from 'node:fs/promises';
import { InputError } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { readProblem, writeBytes, writeProblem } from './files.js';

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
  const { partsOf, isResult } = options;
  if (path === undefined) return { known, add: async () => undefined };
  const head = JSON.stringify({ partsOf });
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
  if (lines.length > 0 && lines[0] !== head) {
    throw new InputError({ source: path, line: 1 }, `expected a trace of ${partsOf}, found something else`);
  }
  for (const [i, line] of lines.slice(1).entries()) {
    const { key, result } = parse(line);
    if (typeof key !== 'string' || !isResult(result)) {
      throw new InputError({ source: path, line: i + 2 }, `expected a result of ${partsOf}`);
    }
    known.set(key, result);
  }
  await writeBytes(path, encodeUtf8([head, ...lines.slice(1)].map((line) => `${line}\n`).join('')));
  return {
    known,
    add: async (key, part, result) => {
      try {
        await appendFile(path, `${JSON.stringify({ key, part, result })}\n`);
      } catch (error) {
        throw writeProblem(path, error);
      }
    },
  };
}

function parse(line: string): { key?: unknown; result?: unknown } {
  try {
    return (JSON.parse(line) ?? {}) as { key?: unknown; result?: unknown };
  } catch {
    return {};
  }
}
