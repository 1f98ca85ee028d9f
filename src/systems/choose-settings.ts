import { type Corpus, selectSentences } from '../data/corpus.js';
import { DOCUMENT_SIZE, documentStarts, LONGEST_DOCUMENT, withDocuments } from '../data/documents.js';
import { splitDocuments } from '../data/folds.js';
import { scoreModel } from '../label/score-model.js';
import type { Configuration } from '../model/configuration.js';
import { Tagger } from '../tag/tagger.js';
import { train } from '../train/train.js';
import type { TrainOptions } from '../train/train-options.js';
import { firstStage } from './stages.js';

/** Parts of the data, of which one is held out. */
const PARTS = 4;
/** Most tokens that are trained on for a choice: enough to tell settings apart that differ by more than a little. */
const MOST_TOKENS = 80_000;

/** Points of F that tell settings apart on so few data. */
const LEAST_GAIN = 1;

/** Settings that were tried. */
export interface TriedSettings {
  /** The configuration. */
  readonly configuration: Configuration;
  /** Its F on held-out data, in percent. */
  readonly f1: number;
}

/**
 * Tries configurations by short trainings on three quarters of the documents, of which at most 80,000 tokens are read, and scores
 * them on the rest.
 *
 * @returns what was tried: that which is chosen first, the others as given. Others than the first given are chosen where they gain a
 *   point of F or more, since less may be chance. Where there are fewer than four documents nothing is tried, and the first is chosen.
 */
export async function trySettings(
  corpus: Corpus,
  configurations: readonly Configuration[],
  options: TrainOptions = {},
): Promise<TriedSettings[]> {
  const [{ document = DOCUMENT_SIZE, seed }] = configurations;
  const whole = withDocuments(corpus, document);
  const documents = documentStarts(whole, LONGEST_DOCUMENT);
  if (documents.length - 1 < PARTS) return [{ configuration: configurations[0], f1: Number.NaN }];
  const [{ training, heldOut }] = splitDocuments(documents, PARTS, seed);
  const { checkpoint: _, init: __, ...rest } = options;
  const held = selectSentences(whole, upTo(whole, heldOut, MOST_TOKENS / (PARTS - 1)));
  const part = selectSentences(whole, upTo(whole, training, MOST_TOKENS));
  const tried: TriedSettings[] = [];
  for (const configuration of configurations) {
    const model = await train(part, firstStage(configuration), rest);
    tried.push({ configuration, f1: scoreModel(new Tagger(model), held).f1 });
  }
  const best = tried.reduce((a, b) => (b.f1 > a.f1 ? b : a));
  const chosen = best.f1 >= tried[0].f1 + LEAST_GAIN ? best : tried[0];
  return [chosen, ...tried.filter((one) => one !== chosen)];
}

/** The first sentences, with so many tokens or a few more. */
function upTo({ starts }: Corpus, sentences: Uint32Array, tokens: number): Uint32Array {
  let sum = 0;
  const end = sentences.findIndex((s) => {
    sum += starts[s + 1] - starts[s];
    return sum >= tokens;
  });
  return end < 0 ? sentences : sentences.subarray(0, end + 1);
}
