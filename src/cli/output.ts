import { once } from 'node:events';
import { AtomicFile } from '../node/files.js';

/** Where a command writes: a file that appears whole or not at all, or standard output. */
export interface Output {
  /** Writes bytes; they may be reused once this resolves. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends well. */
  commit(): Promise<void>;
  /** Ends without a file. */
  abandon(): Promise<void>;
}

/** The output of `--output`, standard output where none is given. */
export async function openOutput(path: string | undefined): Promise<Output> {
  return path === undefined ? standardOutput : AtomicFile.create(path);
}

const standardOutput: Output = {
  async write(bytes) {
    if (bytes.length === 0) return;
    // A copy, since the stream may hold on to it after the caller has moved on.
    if (!process.stdout.write(bytes.slice())) await once(process.stdout, 'drain');
  },
  async commit() {},
  async abandon() {},
};
