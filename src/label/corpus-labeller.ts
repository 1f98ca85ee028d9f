import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import type { Tagger } from '../model/tagger.js';
import type { Pipeline } from './pipeline.js';

/**
 * Makes what labels the sentences of a corpus by number: it gives [T] tags. The tagger or pipeline is given its input
 * columns only; what a pipeline fills in itself is not read from the corpus.
 *
 * @throws OptionError where the corpus lacks an input column.
 */
export function corpusLabeller(tagger: Tagger | Pipeline, corpus: Corpus): (sentence: number) => string[] {
  const inputs = tagger.inputColumns.map((name) => [name, columnIndex(corpus, name)] as const);
  return (sentence) => {
    const cells = inputs.map(([name, column]) => [name, columnStrings(corpus, column, sentence)]);
    tagger.decodeSentence(Object.fromEntries(cells));
    return tagger.tagStrings(tagger.spans());
  };
}
