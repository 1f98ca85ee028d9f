import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readProblem } from '../node/files.js';

/** A file of the page. */
export interface PageFile {
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same packed by gzip. */
  readonly packed: Uint8Array<ArrayBuffer>;
  /** Media type. */
  readonly type: string;
  /** Tag by which a browser asks whether it has changed. */
  readonly tag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** The files of the page by path, read once: no path of a request reaches the file system. */
export async function readPage(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  try {
    for (const name of await readdir(folder)) {
      const type = TYPES[extname(name)];
      if (type === undefined) continue;
      const bytes = new Uint8Array(await readFile(join(folder, name)));
      const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`;
      files.set(name === 'index.html' ? '/' : `/${name}`, {
        bytes,
        packed: new Uint8Array(gzipSync(bytes)),
        type,
        tag,
      });
    }
  } catch (error) {
    throw readProblem(folder, error);
  }
  return files;
}
