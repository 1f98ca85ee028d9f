import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import type { Corpus } from '../data/corpus.js';
import { DOCUMENT_SIZE, documentStarts, LONGEST_DOCUMENT, withDocuments } from '../data/documents.js';
import type { Span } from '../data/span.js';
import { templateSet } from '../features/template.js';
import { readsStage } from '../features/words/word-columns.js';
import type { Configuration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { train } from '../train/train.js';
import type { TrainOptions } from '../train/train-options.js';
import { crossDecode } from './cross-label.js';

/** Parts that training data are cut into, so that the second stage reads labels as the first gives them to new documents. */
const FOLDS = 5;

/**
 * Trains a model, which where its configuration says so has two stages (Krishnan and Manning 2006): the second one reads which
 * labels the first gives to the same words elsewhere in the document. The training data are labelled for it by models of the
 * first stage that have not seen the document (jack-knife).
 *
 * @throws OptionError as `train`, and where there are fewer documents than parts, or two stages are to go on from a model.
 */
export async function trainStages(
  corpus: Corpus,
  configuration: Configuration,
  options: TrainOptions = {},
): Promise<Model> {
  checkArgument('configuration', configuration, 'configuration');
  if (configuration.stages === undefined) return train(corpus, configuration, options);
  if (options.init) throw new OptionError('init', '--init: expected a configuration of one stage, found two');
  const { checkpoint: _, ...rest } = options;
  const first = firstStage(configuration);
  const whole = withDocuments(corpus, configuration.document ?? DOCUMENT_SIZE);
  const documents = documentStarts(whole, LONGEST_DOCUMENT).length - 1;
  if (documents < 2) {
    throw new OptionError(
      'stages',
      `--stages 2: expected two documents or more to train on, found ${documents}; --document N says how many sentences are one`,
    );
  }
  const spans: (readonly Span[])[] = [];
  const how = { folds: Math.min(FOLDS, documents), seed: configuration.seed, byDocument: true, train: rest };
  await crossDecode(whole, first, how, (sentence, tagger) => {
    spans[sentence] = tagger.spans();
  });
  const model = await train(whole, first, rest);
  return train(whole, configuration, { ...rest, first: { model, spans } });
}

/** The configuration of the first of two stages: all but what reads the labels of a stage before. */
export function firstStage({ stages, templates, ...rest }: Configuration): Configuration {
  if (stages === undefined) return { ...rest, templates };
  const own = templates.templates.filter((template) => !readsStage(template));
  return { ...rest, templates: templateSet(templates.name, own) };
}
