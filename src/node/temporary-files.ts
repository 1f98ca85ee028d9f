import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** Name of the channel on which threads tell the main one of their temporary files. */
const CHANNEL = 'spanwright temporary files';

/** Characters of the file's own name that a temporary one begins with: names may be no longer than 255 bytes. */
const NAME_LENGTH = 60;

/** Message of a thread. */
interface Told {
  readonly path: string;
  readonly exists: boolean;
}

/** Signals that end a process, and the exit codes that shells give them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

const known = new Set<string>();
let channel: BroadcastChannel | undefined;

/**
 * Path of a temporary file beside a file, hidden and named after this process. Removed when the process ends before
 * {@link forgetTemporary} is called; after a kill by {@link removeAbandoned}.
 */
export function temporaryFor(path: string): string {
  // Not of node:crypto, which takes several milliseconds to start; a name that is taken is refused where it is opened.
  const random = Math.floor(Math.random() * 2 ** 32).toString(16);
  const temporary = join(dirname(path), `${prefixOf(path)}${machine()}-${process.pid}-${random}.tmp`);
  if (known.size === 0) process.once('exit', removeAll);
  tell({ path: temporary, exists: true });
  return temporary;
}

/** Says that a temporary file has become what it was made for, or is removed. */
export function forgetTemporary(temporary: string): void {
  tell({ path: temporary, exists: false });
  if (known.size === 0) process.off('exit', removeAll);
}

/**
 * Lets the main thread know of the temporary files of other threads, which end without a chance to remove theirs: not when a
 * signal ends the process either, which this thread hears at once as long as the others do the work.
 */
export function watchTemporaries(): void {
  channel ??= new BroadcastChannel(CHANNEL);
  channel.unref();
  channel.onmessage = (event) => note((event as { data: Told }).data);
  process.once('exit', removeAll);
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code));
}

/** Removes temporary files beside a file that processes of this machine left which are gone. */
export function removeAbandoned(path: string): void {
  const prefix = prefixOf(path);
  const folder = dirname(path);
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // A folder that cannot be listed is told of when it is written to.
  }
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    if (isLeftBehind(name)) rmSync(join(folder, name), { force: true });
  }
}

/** Whether a name is that of a temporary file of a process of this machine that is gone. */
export function isLeftBehind(name: string): boolean {
  const [, host, pid] = /\.(\w*)-(\d+)-[0-9a-f]+\.tmp$/.exec(name) ?? [];
  return host === machine() && !isAlive(Number(pid));
}

function prefixOf(path: string): string {
  return `.${[...basename(path)].slice(0, NAME_LENGTH).join('')}.`;
}

/** Name of this machine: a number of a process says nothing of those of others that write the same folder. */
export function machine(): string {
  return hostname().replace(/\W/g, '').slice(0, 32);
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function tell(told: Told): void {
  note(told);
  if (isMainThread) return;
  channel ??= new BroadcastChannel(CHANNEL);
  channel.unref();
  channel.postMessage(told);
}

function note({ path, exists }: Told): void {
  if (exists) known.add(path);
  else known.delete(path);
}

function removeAll(): void {
  for (const path of known) {
    try {
      rmSync(path, { force: true });
    } catch {
      // Nothing can be done about it while the process ends; the next run with the same output tries again.
    }
  }
}
