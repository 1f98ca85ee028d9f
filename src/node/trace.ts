import { appendFile, readFile } from 'node:fs/promises';
import { InputError } from '../base/errors.js';
import { encodeUtf8 } from '../base/utf8.js';
import { writeBytes } from './files.js';

/** Results of a long run as they come, in a file from which a run that was stopped goes on. */
export interface Trace<T> {
  /** Results so far, by key. */
  readonly known: ReadonlyMap<string, T>;
  /** Adds a result. */
  readonly add: (result: T) => Promise<void>;
}

/** What a {@link Trace} is of. */
export interface TraceOptions<T> {
  /** What all results have in common; the file's first line, and no other file is gone on from. */
  readonly head: object;
  /** Says which result it is; throws, or gives nothing, where it is none. */
  readonly keyOf: (result: T) => string | undefined;
  /** Whose trace it is, in messages: `this search`. */
  readonly whose: string;
}

/**
 * Opens a trace: a line that says what of, then a JSON line a result. A last line cut short, as a killed process
 * leaves it, does not count.
 *
 * @param path its file; without one nothing is kept.
 * @throws InputError where the file is no trace, or one of something else.
 */
export async function openTrace<T>(path: string | undefined, options: TraceOptions<T>): Promise<Trace<T>> {
  const known = new Map<string, T>();
  const { keyOf, whose } = options;
  if (path === undefined) return { known, add: async () => undefined };
  const head = JSON.stringify(options.head);
  let text = '';
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  if (lines.length > 0 && lines[0] !== head) {
    const problem = `expected the trace of ${whose}, found one of other data or options`;
    throw new InputError({ source: path, line: 1 }, problem);
  }
  for (const [i, line] of lines.slice(1).entries()) {
    let key: string | undefined;
    let result: T | undefined;
    try {
      result = JSON.parse(line) as T;
      key = keyOf(result);
    } catch {
      // No result, as the check below says.
    }
    if (key === undefined) {
      throw new InputError({ source: path, line: i + 2 }, `expected a result of ${whose}`);
    }
    known.set(key, result as T);
  }
  await writeBytes(path, encodeUtf8([head, ...lines.slice(1)].map((line) => `${line}\n`).join('')));
  return { known, add: (result) => appendFile(path, `${JSON.stringify(result)}\n`) };
}
