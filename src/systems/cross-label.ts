import { checkArgument } from '../base/arguments.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { DOCUMENT_SIZE, withDocuments } from '../data/documents.js';
import { type SplitOptions, splitCorpus } from '../data/folds.js';
import { labelCorpus } from '../label/corpus-labeller.js';
import type { Configuration } from '../model/configuration.js';
import { Tagger } from '../tag/tagger.js';
import { train } from '../train/train.js';
import type { TrainOptions } from '../train/train-options.js';

/** How {@link crossLabel} works. */
export interface CrossLabelOptions extends Omit<SplitOptions, 'strata'> {
  /** Passed on to each training. */
  readonly train?: TrainOptions | undefined;
  /** Told after each fold. */
  readonly onFold?: ((fold: number) => void) | undefined;
}

/**
 * Labels each sentence of a corpus by a model trained on the other folds only (jack-knifing). A second model trained on
 * these labels meets the first one's errors as it will meet them on new text.
 *
 * @param corpus last column: the labels to learn from.
 * @returns [S][T] labels in text order.
 * @throws OptionError when there are fewer sentences, or documents, than folds.
 */
export async function crossLabel(
  corpus: Corpus,
  configuration: Configuration,
  options: CrossLabelOptions,
): Promise<string[][]> {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('configuration', configuration, 'configuration');
  checkArgument('options', options, 'object');
  const labels: string[][] = [];
  await crossDecode(corpus, configuration, options, (sentence, tagger) => {
    labels[sentence] = tagger.tagStrings(tagger.spans());
  });
  return labels;
}

/** As {@link crossLabel}. @param take told the number of each sentence when it is the tagger's last one. */
export async function crossDecode(
  corpus: Corpus,
  configuration: Configuration,
  options: CrossLabelOptions,
  take: (sentence: number, tagger: Tagger) => void,
): Promise<void> {
  const { onFold } = options;
  const whole = withDocuments(corpus, configuration.document ?? DOCUMENT_SIZE);
  for (const [fold, { training, heldOut }] of splitCorpus(whole, options).entries()) {
    const model = await train(selectSentences(whole, training), configuration, options.train);
    const tagger = new Tagger(model);
    const sentences = [...heldOut];
    labelCorpus(tagger, whole, (sentence) => take(sentence, tagger), sentences);
    onFold?.(fold);
  }
}
