import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { splitFolds } from '../data/folds.js';
import { labelCorpus } from '../label/corpus-labeller.js';
import type { Configuration } from '../model/configuration.js';
import type { LabelBias } from '../model/model.js';
import { trainStages } from '../systems/stages.js';
import { Tagger } from '../tag/tagger.js';
import { GoldTags } from '../tags/gold-tags.js';
import type { TrainOptions } from '../train/train-options.js';
import { rightLabels } from './right-labels.js';

/** One sentence in so many is held out. */
const PARTS = 10;
/** So many tokens tell one number well enough. */
const MOST_TOKENS = 20_000;
/** Temperatures tried: 2 to the power of −8 … 8. */
const RANGE = 8;
const STEPS = 20;
/** A confidence is taken to be no nearer to 0 or 1 than this, so that a single mistake cannot decide. */
const LEAST_DOUBT = 1e-6;

/**
 * Temperature scaling (Platt 1999; Guo et al. 2017): finds the temperature T for which confidences, those of scores
 * divided by T, tell best how often labels are right. A model is trained on nine tenths of the training data and labels
 * the rest; T has the least log loss of "this token's label is right" there,
 *
 *   −Σ log p for labels that are right, log (1 − p) for those that are not,
 *
 * found by golden-section search over log T. Where several do equally well, since all held-out labels are right or doubt is
 * bounded, it is the one nearest 1. No label changes.
 *
 * @param corpus training data.
 * @param bias that labels have.
 * @throws OptionError when there are fewer than two sentences.
 */
export async function fitTemperature(
  corpus: Corpus,
  configuration: Configuration,
  options?: TrainOptions,
  bias?: LabelBias,
): Promise<number> {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('configuration', configuration, 'configuration');
  const sentences = corpus.starts.length - 1;
  if (sentences < 2) {
    throw new OptionError('calibrate', `--calibrate: expected two sentences or more, found ${sentences}`);
  }
  const [{ training, heldOut }] = splitFolds(sentences, Math.min(PARTS, sentences), configuration.seed);
  const model = await trainStages(selectSentences(corpus, training), configuration, options);
  const tagger = new Tagger(model, { bias });
  // Sentences as long as there are few tokens before them.
  let before = 0;
  const chosen = [...heldOut].filter((sentence) => {
    const isChosen = before < MOST_TOKENS;
    before += corpus.starts[sentence + 1] - corpus.starts[sentence];
    return isChosen;
  });
  const goldTags = new GoldTags(corpus, model.training.fileScheme);
  const lossAt = (exponent: number) => {
    let loss = 0;
    const addLoss = (sentence: number) => {
      const gold = goldTags.spans(sentence);
      const confidences = tagger.confidences(2 ** exponent);
      rightLabels(tagger, gold).forEach((isRight, t) => {
        const p = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, confidences[t]));
        loss -= Math.log(isRight ? p : 1 - p);
      });
    };
    labelCorpus(tagger, corpus, addLoss, chosen);
    return loss;
  };
  return Number((2 ** leastOf(lossAt, -RANGE, RANGE)).toPrecision(4));
}

/** Golden-section search for where a function of one valley is least; where that is flat, for the place nearest 0. */
function leastOf(f: (x: number) => number, from: number, to: number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let low = from;
  let high = to;
  let left = high - golden * (high - low);
  let right = low + golden * (high - low);
  let atLeft = f(left);
  let atRight = f(right);
  for (let step = 0; step < STEPS; step++) {
    // The least value is between two equal ones, or at both.
    if (atLeft < atRight || (atLeft === atRight && left + right > 0)) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - golden * (high - low);
      atLeft = f(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + golden * (high - low);
      atRight = f(right);
    }
  }
  const found = (low + high) / 2;
  return f(0) <= f(found) ? 0 : found;
}
