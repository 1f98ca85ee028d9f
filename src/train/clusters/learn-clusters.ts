import { OptionError } from '../../base/errors.js';
import { agglomerate } from './agglomerate.js';
import type { BigramCounter, BigramCounts } from './bigrams.js';
import { Exchange, type PassListener } from './exchange.js';

/** How {@link learnClusters} works. */
export interface ClusterOptions {
  /** Number of classes k. */
  readonly classes: number;
  /** Words seen less often are placed at the end, each in the class that fits it best. */
  readonly minCount: number;
  /** Most passes over all words. */
  readonly passes: number;
  /** Path of each word's cluster in an earlier run, which this one starts from: words keep their class until they fit another better. */
  readonly init?: ReadonlyMap<string, string> | undefined;
  /** Told after each pass. */
  readonly onPass?: PassListener | undefined;
}

/** A word in a cluster. */
export interface ClusteredWord {
  /** Bits: those of clusters that are alike begin alike. */
  readonly path: string;
  /** The word. */
  readonly word: string;
  /** How often it was seen. */
  readonly count: number;
}

/**
 * Clusters of words from raw text: classes by predictive exchange, then their bit paths by agglomeration. Takes time in proportion to
 * different bigrams times classes, and to the cube of classes.
 *
 * @returns words by path, the most frequent of each first.
 * @throws OptionError where there are fewer words than classes.
 */
export function learnClusters(
  counter: BigramCounter,
  { classes: k, minCount, passes, init, onPass }: ClusterOptions,
): ClusteredWord[] {
  const bigrams = counter.take(minCount);
  const words = bigrams.words.length - 1;
  if (words < k) {
    throw new OptionError(
      'classes',
      `--classes ${k}: expected at least as many words that occur ${minCount} times, found ${words}`,
    );
  }
  const exchange = new Exchange(bigrams, k, init && startFrom(bigrams, k, init));
  exchange.run(passes, onPass);
  const paths = agglomerate(classBigrams(bigrams, exchange.classes, k), k);
  const found: ClusteredWord[] = [];
  for (let w = 0; w < words; w++) {
    found.push({ path: paths[exchange.classes[w]], word: bigrams.words[w], count: bigrams.counts[w] });
  }
  for (const [word, before] of counter.rareWords(minCount, bigrams)) {
    const count = counter.countOf(word);
    const own = exchange.place([...before.keys()], [...before.values()], count);
    found.push({ path: paths[own], word, count });
  }
  return found.sort((a, b) => compare(a.path, b.path) || b.count - a.count || compare(a.word, b.word));
}

/** Classes of an earlier run, numbered by path; words that it did not have are dealt out. */
function startFrom({ words }: BigramCounts, k: number, init: ReadonlyMap<string, string>): Uint32Array {
  const paths = [...new Set(init.values())].sort();
  if (paths.length > k) {
    throw new OptionError(
      'classes',
      `--classes ${k}: expected as many as --init has, found ${paths.length} there`,
    );
  }
  const numberOf = new Map(paths.map((path, i) => [path, i]));
  return Uint32Array.from(words, (word, w) => numberOf.get(init.get(word) ?? '') ?? w % k);
}

/** [k × k] how often one class follows another. */
function classBigrams({ next, words }: BigramCounts, classes: Uint32Array, k: number): Float64Array {
  const counts = new Float64Array(k * k);
  for (let v = 0; v < words.length; v++) {
    for (let i = next.starts[v]; i < next.starts[v + 1]; i++) {
      counts[classes[v] * k + classes[next.others[i]]] += next.counts[i];
    }
  }
  return counts;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
