import type { SentenceColumns } from '../data/corpus.js';
import type { Span } from '../data/span.js';
import type { Model } from '../model/model.js';
import { Tagger } from '../tag/tagger.js';
import { correctSentence } from '../train/correct-sentence.js';

/**
 * Learns one corrected sentence, for annotation tools: a small change of the weights after which the model labels that
 * sentence as given, if that can be learned. The model given stays as it is.
 *
 * @param sentence columns as for `Tagger.label`.
 * @param spans all chunks of the sentence, in text order and without overlaps.
 * @returns a model whose weights are float32, without scores on held-out data; the one given where that is right already.
 * @throws OptionError for models that score whole chunks or count (`hmm`), or read possible classes or accessor variety,
 *   for missing columns, and for a chunk that takes a label which the model does not have.
 */
export function learn(model: Model, sentence: SentenceColumns, spans: readonly Span[]): Model {
  return correctSentence(model, sentence, spans, (part) => {
    const tagger = new Tagger(part);
    tagger.decodeSentence(sentence);
    return tagger.labels;
  });
}
