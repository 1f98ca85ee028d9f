import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import type { Tagger } from '../model/tagger.js';
import type { Pipeline } from './pipeline.js';

/** Sentences whose strings are made at a time. */
const BATCH = 256;

/**
 * Labels sentences of a corpus. The tagger or pipeline is given its input columns only; what a pipeline fills in itself is not
 * read from the corpus.
 *
 * @param each called after each sentence with its number; it is then the labeller's last one.
 * @param sentences their numbers; default all.
 * @throws OptionError where the corpus lacks an input column.
 */
export function labelCorpus(
  labeller: Tagger | Pipeline,
  corpus: Corpus,
  each: (sentence: number) => void,
  sentences: readonly number[] = [...corpus.starts.subarray(1).keys()],
): void {
  const inputs = labeller.inputColumns.map((name) => [name, columnIndex(corpus, name)] as const);
  for (let from = 0; from < sentences.length; from += BATCH) {
    const numbers = sentences.slice(from, from + BATCH);
    const columns = numbers.map((sentence) =>
      Object.fromEntries(inputs.map(([name, column]) => [name, columnStrings(corpus, column, sentence)])),
    );
    labeller.decodeSentences(columns, (i) => each(numbers[i]));
  }
}

/** Tags [S][T] of all sentences of a corpus, as {@link labelCorpus} labels them. */
export function corpusTags(labeller: Tagger | Pipeline, corpus: Corpus): string[][] {
  const tags: string[][] = [];
  labelCorpus(labeller, corpus, (sentence) => {
    tags[sentence] = labeller.tagStrings(labeller.spans());
  });
  return tags;
}
