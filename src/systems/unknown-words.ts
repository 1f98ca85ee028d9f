import type { UnknownWordThresholds } from '../model/model.js';

/** Characters of an unknown word, least and most: single ones have nothing to be joined of, longer ones are phrases. */
const SHORTEST = 2;
const LONGEST = 8;

/**
 * Unknown-word post-processing (Low, Ng and Guo 2005): a word that the training data do not have, but that a model finds
 * somewhere in a text with confidence, is taken to be one wherever its characters stand as several words.
 */
export class UnknownWords {
  private readonly vocabulary: ReadonlySet<string>;
  private readonly thresholds: UnknownWordThresholds;
  private readonly counts = new Map<string, number>();

  /** @param vocabulary the words of the training data. */
  constructor(vocabulary: ReadonlySet<string>, thresholds: UnknownWordThresholds) {
    this.vocabulary = vocabulary;
    this.thresholds = thresholds;
  }

  /**
   * Notes the unknown words of a sentence.
   *
   * @param words [W] as a model found them.
   * @param confidences [W] how sure it is of each, 0 … 1.
   */
  add(words: readonly string[], confidences: readonly number[]): void {
    const { counts, vocabulary } = this;
    words.forEach((word, w) => {
      if (confidences[w] < this.thresholds.leastConfidence || vocabulary.has(word)) return;
      const length = lengthOf(word);
      if (length >= SHORTEST && length <= LONGEST) counts.set(word, (counts.get(word) ?? 0) + 1);
    });
  }

  /**
   * Joins words that together are one of those noted often enough: from left to right, the longest at each place.
   *
   * @param words [W] a sentence of the text that all sentences noted are of.
   */
  join(words: readonly string[]): string[] {
    const { counts, thresholds } = this;
    const joined: string[] = [];
    for (let w = 0; w < words.length; ) {
      let text = words[w];
      let longest = text;
      let end = w + 1;
      for (let next = end; next < words.length; next++) {
        text += words[next];
        if (lengthOf(text) > LONGEST) break;
        if ((counts.get(text) ?? 0) < thresholds.leastCount) continue;
        longest = text;
        end = next + 1;
      }
      joined.push(longest);
      w = end;
    }
    return joined;
  }
}

/** Characters (code points) of a word. */
function lengthOf(word: string): number {
  let length = 0;
  for (const _ of word) length++;
  return length;
}
