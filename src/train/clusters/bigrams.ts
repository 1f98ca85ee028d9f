import { grown } from '../../base/growable.js';
import { Alphabet } from '../../data/alphabet.js';
import { TupleTable } from '../../features/tuple-table.js';

/** Counts of words and pairs of neighbouring words, in compressed rows both ways. */
export interface BigramCounts {
  /** [V] the words, most frequent first; the last one stands for all that are rarer than asked for, and for borders of sentences. */
  readonly words: readonly string[];
  /** [V] how often each occurs. */
  readonly counts: Uint32Array;
  /** Words that follow each word. */
  readonly next: BigramRows;
  /** Words before each word. */
  readonly before: BigramRows;
}

/** Counts of pairs by one of the two words. */
export interface BigramRows {
  /** [V + 1] where each word's entries start. */
  readonly starts: Uint32Array;
  /** [pairs] the other word, ascending within a row. */
  readonly others: Uint32Array;
  /** [pairs] how often. */
  readonly counts: Uint32Array;
}

/** Counts the words and bigrams of raw text, sentence by sentence; memory grows with different pairs, not with text. */
export class BigramCounter {
  /** Number of tokens. */
  tokens = 0;
  private readonly words = new Alphabet();
  private counts = new Uint32Array(1024);
  private readonly pairs = new TupleTable(2);
  private pairCounts = new Uint32Array(1024);
  private readonly key = new Uint32Array(2);
  private border = 0;

  /** Adds a sentence: words parted by blanks. */
  add(sentence: string): void {
    let previous = 0;
    for (const word of sentence.split(/\s+/)) {
      if (word === '') continue;
      const id = this.words.add(word) + 1;
      this.counts = grown(this.counts, id + 1);
      this.counts[id]++;
      this.tokens++;
      this.addPair(previous, id);
      previous = id;
    }
    if (previous !== 0) {
      this.border++;
      this.addPair(previous, 0);
    }
  }

  private addPair(left: number, right: number): void {
    this.key[0] = left;
    this.key[1] = right;
    const id = this.pairs.id(this.key, true);
    this.pairCounts = grown(this.pairCounts, id + 1);
    this.pairCounts[id]++;
  }

  /** Counts of words seen so often or more; all others count as one word, with the borders of sentences. */
  take(minCount: number): BigramCounts {
    const { words, counts, pairs, pairCounts } = this;
    const kept = Array.from({ length: words.size }, (_, i) => i + 1).filter((id) => counts[id] >= minCount);
    const texts = words.toArray();
    // Of equals the first by code units, so that the order of the text does not matter.
    kept.sort((a, b) => counts[b] - counts[a] || (texts[a - 1] < texts[b - 1] ? -1 : 1));
    const rest = kept.length;
    const numberOf = new Uint32Array(words.size + 1).fill(rest);
    kept.forEach((id, i) => {
      numberOf[id] = i;
    });
    const merged = new TupleTable(2);
    let mergedCounts = new Uint32Array(1024);
    const keys = pairs.pack();
    const key = new Uint32Array(2);
    for (let p = 0; p < pairs.size; p++) {
      key[0] = numberOf[keys[2 * p]];
      key[1] = numberOf[keys[2 * p + 1]];
      const id = merged.id(key, true);
      mergedCounts = grown(mergedCounts, id + 1);
      mergedCounts[id] += pairCounts[p];
    }
    const own = Uint32Array.from([...kept.map((id) => counts[id]), 0]);
    own[rest] = this.border + this.tokens - own.reduce((sum, count) => sum + count, 0);
    return {
      words: [...kept.map((id) => texts[id - 1]), ''],
      counts: own,
      next: rowsOf(merged.pack(), mergedCounts, merged.size, rest + 1, 0),
      before: rowsOf(merged.pack(), mergedCounts, merged.size, rest + 1, 1),
    };
  }

  /** Words seen less often, each with the words before it that were seen so often: [word, counts by number]. */
  rareWords(minCount: number, { words: kept }: BigramCounts): Map<string, Map<number, number>> {
    const { words, counts, pairs, pairCounts } = this;
    const numberOf = new Map(kept.map((word, i) => [word, i]));
    const rare = new Map<string, Map<number, number>>();
    const keys = pairs.pack();
    for (let p = 0; p < pairs.size; p++) {
      const right = keys[2 * p + 1];
      if (right === 0 || counts[right] >= minCount) continue;
      const word = words.string(right - 1);
      const left = keys[2 * p] === 0 ? '' : words.string(keys[2 * p] - 1);
      const before = rare.get(word) ?? new Map<number, number>();
      const number = numberOf.get(left) ?? kept.length - 1;
      rare.set(word, before.set(number, (before.get(number) ?? 0) + pairCounts[p]));
    }
    return rare;
  }

  /** How often a word was seen. */
  countOf(word: string): number {
    const id = this.words.find(word);
    return id < 0 ? 0 : this.counts[id + 1];
  }
}

/** Pairs by the left (0) or right (1) word. */
function rowsOf(keys: Uint32Array, counts: Uint32Array, size: number, words: number, by: 0 | 1): BigramRows {
  const starts = new Uint32Array(words + 1);
  for (let p = 0; p < size; p++) starts[keys[2 * p + by] + 1]++;
  for (let w = 0; w < words; w++) starts[w + 1] += starts[w];
  const order = Uint32Array.from({ length: size }, (_, p) => p);
  order.sort((a, b) => keys[2 * a + by] - keys[2 * b + by] || keys[2 * a + 1 - by] - keys[2 * b + 1 - by]);
  return {
    starts,
    others: order.map((p) => keys[2 * p + 1 - by]),
    counts: order.map((p) => counts[p]),
  };
}
