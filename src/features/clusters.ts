import { InputError, quote } from '../base/errors.js';
import { Alphabet } from '../data/alphabet.js';
import type { ResourceFile } from './resource.js';

/** Clusters of words of one file. */
export interface ClusterFamily {
  /** The words. */
  readonly words: Alphabet;
  /** [words] number of each word's cluster. */
  readonly clusters: Uint16Array;
  /** Path of each cluster: bits, of which the first ones are shared by clusters that are alike, or the name that the file gives it. */
  readonly paths: readonly string[];
}

/** Most families of a model, as views number them. */
export const MOST_FAMILIES = 9;

/** Most clusters of a family. */
const MOST_CLUSTERS = 1 << 16;

/**
 * Reads clusters of words: lines of a cluster and a word (Brown et al. 1992, as the usual tools write them: path, word, count), or
 * of a word and a cluster (Clark 2003). Clusters are bit paths, or numbers, which become paths of as many bits as the largest
 * needs, so that neighbouring numbers share their first bits.
 *
 * @throws InputError naming the first line that has no two cells, or a cluster that is no number.
 */
export function parseClusters({ text, source }: ResourceFile): ClusterFamily {
  const lines = text.split(/\r?\n/);
  const cellsOf = (line: string) => line.split(line.includes('\t') ? '\t' : /\s+/);
  const isNumber = (cell: string | undefined) => cell !== undefined && /^\d+$/.test(cell);
  const sample = lines
    .filter((line) => line !== '')
    .slice(0, 1000)
    .map(cellsOf);
  const wordFirst =
    sample.some(([first]) => !isNumber(first)) && sample.every(([, second]) => isNumber(second));
  const words = new Alphabet();
  const clusters: number[] = [];
  const names = new Map<string, number>();
  lines.forEach((line, i) => {
    if (line === '') return;
    const [first, second] = cellsOf(line);
    const [cluster, word] = wordFirst ? [second, first] : [first, second];
    if (word === undefined || word === '' || !isNumber(cluster)) {
      throw new InputError(
        { source, line: i + 1 },
        `expected a cluster (bits or a number) and a word, parted by a tab, found ${quote(line)}`,
      );
    }
    const number = names.get(cluster) ?? names.size;
    names.set(cluster, number);
    if (number >= MOST_CLUSTERS) {
      throw new InputError({ source, line: i + 1 }, `expected at most ${MOST_CLUSTERS} clusters, found more`);
    }
    const id = words.add(word);
    if (id === clusters.length) clusters.push(number);
  });
  if (words.size === 0) throw new InputError({ source }, 'expected clusters of words, found none');
  return { words, clusters: Uint16Array.from(clusters), paths: pathsOf([...names.keys()]) };
}

/** Bit paths of clusters by name. */
function pathsOf(names: readonly string[]): string[] {
  if (names.every((name) => /^[01]+$/.test(name))) return [...names];
  const bits = Math.max(...names.map(Number)).toString(2).length;
  return names.map((name) => Number(name).toString(2).padStart(bits, '0'));
}

/**
 * The path of a word's cluster. One that has none is looked for with its first letter alone as a capital if it is all capitals, then in
 * lower case, then with 0 for each digit.
 */
export function findCluster({ words, clusters, paths }: ClusterFamily, word: string): string | undefined {
  const lower = word.toLowerCase();
  const forms = [word];
  if (word.length > 1 && word === word.toUpperCase() && word !== lower) forms.push(word[0] + lower.slice(1));
  forms.push(lower, lower.replace(/\d/g, '0'));
  for (const form of forms) {
    const id = words.find(form);
    if (id >= 0) return paths[clusters[id]];
  }
  return undefined;
}
