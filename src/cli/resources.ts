/** Options of files that training reads besides its data. */
import { OptionError, quote } from '../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../base/options.js';
import { Sha256 } from '../base/sha256.js';
import { encodeUtf8 } from '../base/utf8.js';
import { MOST_FAMILIES } from '../features/clusters.js';
import type { ResourceFile, Resources } from '../features/resource.js';
import { readText } from './options.js';

/** `--clusters` and `--gazetteer`. */
export const RESOURCE_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'clusters',
    kind: 'string',
    placeholder: 'FILE[,FILE]',
    help: 'word clusters, a cluster (bits or a number) and a word a line; the model keeps them',
  },
  {
    name: 'gazetteer',
    kind: 'string',
    placeholder: 'NAME=FILE[,NAME=FILE]',
    help: 'lists of names, one a line; the model keeps them',
  },
];

/** The files of `--clusters`. @throws OptionError for too many. */
export function clusterFiles(options: OptionValues): string[] {
  const files = options.clusters === undefined ? [] : String(options.clusters).split(',');
  if (files.length <= MOST_FAMILIES && !files.includes('')) return files;
  throw new OptionError(
    'clusters',
    `--clusters: expected at most ${MOST_FAMILIES} files parted by commas, found ${quote(String(options.clusters))}`,
  );
}

/** A list by name. */
interface NamedFile {
  /** Name of the list. */
  readonly name: string;
  /** Its file. */
  readonly path: string;
}

/** Names and files of `--gazetteer`. @throws OptionError for what is no name and file. */
export function listsOf(options: OptionValues): NamedFile[] {
  if (options.gazetteer === undefined) return [];
  return String(options.gazetteer)
    .split(',')
    .map((part) => {
      const at = part.indexOf('=');
      if (at > 0 && at + 1 < part.length) return { name: part.slice(0, at), path: part.slice(at + 1) };
      throw new OptionError('gazetteer', `--gazetteer: expected NAME=FILE, found ${quote(part)}`);
    });
}

/** The files that options name; nothing where they name none. */
export async function resourcesOf(options: OptionValues): Promise<Resources | undefined> {
  const clusters: ResourceFile[] = [];
  for (const path of clusterFiles(options))
    clusters.push({ name: path, source: path, text: await readText(path) });
  const gazetteers: ResourceFile[] = [];
  for (const { name, path } of listsOf(options)) {
    gazetteers.push({ name, source: path, text: await readText(path) });
  }
  return clusters.length + gazetteers.length > 0 ? { clusters, gazetteers } : undefined;
}

/** SHA-256 of all such files, in hexadecimal. */
export function resourceHash({ clusters = [], gazetteers = [] }: Resources): string {
  const hash = new Sha256();
  for (const { name, text } of [...clusters, ...gazetteers]) hash.update(encodeUtf8(`${name}\0${text}\0`));
  return hash.hex();
}
