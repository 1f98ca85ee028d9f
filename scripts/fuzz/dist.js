// The build that is attacked: dist/, or what SPANWRIGHT_DIST names.
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = process.env.SPANWRIGHT_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
const base = pathToFileURL(`${resolve(folder)}/`);

/** Path of the command line. */
export const MAIN = fileURLToPath(new URL('cli/main.js', base));

/** A module of the build. */
export function load(path) {
  return import(new URL(path, base).href);
}
