import { checkArgument } from '../base/arguments.js';
import type { Corpus } from '../data/corpus.js';
import { spanKey } from '../data/span.js';
import { labelCorpus } from '../label/corpus-labeller.js';
import { Pipeline } from '../label/pipeline.js';
import { spanConfidence } from '../tag/labelling.js';
import type { Tagger } from '../tag/tagger.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import { type Calibration, CalibrationTally } from './calibration.js';
import { rightLabels } from './right-labels.js';

/** How well a model's confidences tell how often it is right. */
export interface ModelCalibration {
  /** Of the labels of tokens, in the model's own scheme. */
  readonly tokens: Calibration;
  /** Of the chunks it finds; absent where every token has a label of its own. */
  readonly chunks?: Calibration | undefined;
}

/**
 * Labels the sentences of a corpus and compares confidences with what is right by its last column.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function measureCalibration(labeller: Tagger | Pipeline, corpus: Corpus): ModelCalibration {
  checkArgument('labeller', labeller, 'labeller');
  checkArgument('corpus', corpus, 'corpus');
  const tagger = labeller instanceof Pipeline ? labeller.last : labeller;
  const { tagSet, training } = tagger.model;
  checkTags(corpus, training.fileScheme);
  const tokens = new CalibrationTally();
  const chunks = new CalibrationTally();
  const goldTags = new GoldTags(corpus, training.fileScheme);
  labelCorpus(labeller, corpus, (s) => {
    const gold = goldTags.spans(s);
    const confidences = tagger.confidences();
    rightLabels(tagger, gold).forEach((isRight, t) => {
      tokens.add(confidences[t], isRight);
    });
    const found = new Set(gold.map(spanKey));
    for (const span of tagger.spans()) {
      chunks.add(spanConfidence(span, confidences), found.has(spanKey(span)));
    }
  });
  return {
    tokens: tokens.calibration(),
    ...(tagSet.scheme !== 'token' && { chunks: chunks.calibration() }),
  };
}
