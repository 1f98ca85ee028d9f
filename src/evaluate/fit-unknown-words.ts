import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { splitFolds } from '../data/folds.js';
import type { Configuration } from '../model/configuration.js';
import type { UnknownWordThresholds } from '../model/model.js';
import { findCorpusWords, scoreJoinedWords } from '../systems/found-words.js';
import { trainStages } from '../systems/stages.js';
import { Tagger } from '../tag/tagger.js';
import type { TrainOptions } from '../train/train-options.js';

/** One sentence in so many is held out. */
const PARTS = 10;
/** Least confidences tried. */
const CONFIDENCES = [0.5, 0.7, 0.8, 0.9, 0.95];
/** Least counts tried. */
const COUNTS = [1, 2, 3, 5];

/**
 * Finds the thresholds with which joining unknown words ({@link UnknownWordThresholds}) gains most: a model is trained on nine
 * tenths of the training data and segments the rest, where the thresholds of the best F of words are looked for.
 *
 * @param corpus training data, of characters; words have no types.
 * @returns nothing where no thresholds gain anything.
 * @throws OptionError for other models, and when there are fewer than two sentences.
 */
export async function fitUnknownWords(
  corpus: Corpus,
  configuration: Configuration,
  options?: TrainOptions,
): Promise<UnknownWordThresholds | undefined> {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('configuration', configuration, 'configuration');
  const sentences = corpus.starts.length - 1;
  if (configuration.tokens !== 'characters' || sentences < 2) {
    const found = configuration.tokens === 'characters' ? `${sentences} sentence` : configuration.task;
    throw new OptionError(
      'join-unknown',
      `--join-unknown: expected two sentences or more of the task segmentation, found ${found}`,
    );
  }
  const [{ training, heldOut }] = splitFolds(sentences, Math.min(PARTS, sentences), configuration.seed);
  const model = await trainStages(selectSentences(corpus, training), configuration, options);
  if (model.tagSet.types.some((type) => type !== '')) {
    throw new OptionError(
      'join-unknown',
      '--join-unknown: expected words without types, found parts of speech, of which a joined word has none',
    );
  }
  const vocabulary = model.knowledge.words as ReadonlySet<string>;
  const found = findCorpusWords(new Tagger(model), corpus, heldOut);
  let best: UnknownWordThresholds | undefined;
  let most = scoreJoinedWords(found, vocabulary, undefined).f1;
  for (const leastConfidence of CONFIDENCES) {
    for (const leastCount of COUNTS) {
      const { f1 } = scoreJoinedWords(found, vocabulary, { leastConfidence, leastCount });
      if (f1 <= most) continue;
      most = f1;
      best = { leastConfidence, leastCount };
    }
  }
  return best;
}
