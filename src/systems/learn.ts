import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import type { SentenceColumns } from '../data/corpus.js';
import type { Span } from '../data/span.js';
import type { Model } from '../model/model.js';
import { isWithin } from '../tag/constraints.js';
import { Tagger } from '../tag/tagger.js';
import { correctSentence } from '../train/correct-sentence.js';

/**
 * Learns one corrected sentence, for annotation tools: a small change of the weights after which the model labels that
 * sentence as given, if that can be learned. The model given stays as it is.
 *
 * @param sentence columns as for `Tagger.label`.
 * @param spans all chunks of the sentence, in text order and without overlaps.
 * @returns a model whose weights are float32, without scores on held-out data; the one given where that is right already.
 * @throws OptionError for spans outside the sentence, without tokens or that overlap, for models that score whole chunks or count (`hmm`), or read possible classes or accessor variety,
 *   for missing columns, and for a chunk that takes a label which the model does not have.
 */
export function learn(model: Model, sentence: SentenceColumns, spans: readonly Span[]): Model {
  checkArgument('model', model, 'model');
  checkArgument('sentence', sentence, 'object');
  checkArgument('spans', spans, 'objects');
  if (model.first) {
    throw new OptionError('model', 'expected a model of one stage to learn a sentence, found one of two');
  }
  checkSpans(spans, sentence[model.configuration.columns[0]]?.length ?? 0);
  return correctSentence(model, sentence, spans, (part) => {
    const tagger = new Tagger(part);
    tagger.decodeSentence(sentence);
    return tagger.labels;
  });
}

function checkSpans(spans: readonly Span[], length: number): void {
  spans.forEach((span, s) => {
    const { start, end, type } = span;
    const refuse = (expected: string) => {
      throw new OptionError('spans', `span ${start}-${end} ${type}: expected ${expected}`);
    };
    if (!isWithin(span, length)) refuse(`tokens from 0 to ${length}`);
    if (s > 0 && start < spans[s - 1].end) refuse('spans in text order that do not overlap');
  });
}
