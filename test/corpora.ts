import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

const root = process.env.SPANWRIGHT_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const paths = { train: `${root}/conll2000/train.txt`, test: `${root}/conll2000/test.txt` };

/** Paths of the CoNLL-2000 files; undefined where they are not on this machine. */
export const conll2000: { train: string; test: string } | undefined =
  existsSync(paths.train) && existsSync(paths.test) ? paths : undefined;

/** `describe`, skipped with the reason in its title where the corpora are not on this machine. */
export function describeWithData(title: string, body: () => void): void {
  if (conll2000) describe(title, body);
  else describe.skip(`${title} (skipped: no CoNLL-2000 under ${root}; set SPANWRIGHT_DATA)`, body);
}
