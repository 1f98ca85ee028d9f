import { checkArgument } from '../base/arguments.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { labelCorpus } from '../label/corpus-labeller.js';
import type { Configuration } from '../model/configuration.js';
import { Tagger } from '../tag/tagger.js';
import { train } from '../train/train.js';
import type { TrainOptions } from '../train/train-options.js';
import { splitFolds } from './cross-validation.js';

/** How {@link crossLabel} works. */
export interface CrossLabelOptions {
  /** Number of folds, 2 … number of sentences. */
  readonly folds: number;
  /** Decides which sentence is in which fold. */
  readonly seed: number;
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
 * @throws OptionError when there are fewer sentences than folds.
 */
export async function crossLabel(
  corpus: Corpus,
  configuration: Configuration,
  options: CrossLabelOptions,
): Promise<string[][]> {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('configuration', configuration, 'configuration');
  checkArgument('options', options, 'object');
  const { folds, seed, onFold } = options;
  const labels: string[][] = [];
  for (const [fold, { training, heldOut }] of splitFolds(corpus.starts.length - 1, folds, seed).entries()) {
    const model = await train(selectSentences(corpus, training), configuration, options.train);
    const tagger = new Tagger(model);
    const take = (sentence: number) => {
      labels[sentence] = tagger.tagStrings(tagger.spans());
    };
    labelCorpus(tagger, corpus, take, [...heldOut]);
    onFold?.(fold);
  }
  return labels;
}
