import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { DOCUMENT_SIZE, documentStarts, LONGEST_DOCUMENT, withDocuments } from '../data/documents.js';
import { splitCorpus } from '../data/folds.js';
import { type Span, spanKey } from '../data/span.js';
import { labelCorpus } from '../label/corpus-labeller.js';
import type { Configuration } from '../model/configuration.js';
import type { LabelBias } from '../model/model.js';
import { trainStages } from '../systems/stages.js';
import { whyNoBias } from '../tag/label-bias.js';
import { Tagger } from '../tag/tagger.js';
import { GoldTags } from '../tags/gold-tags.js';
import type { TrainOptions } from '../train/train-options.js';

/** Parts of the training data, each labelled by a model of the others. */
const PARTS = 5;
/** Steps from 0 that are tried for all types at once, upwards and downwards. */
const RANGE = 10;
/** Steps that are tried for a single type, from what is best for all. */
const OWN_STEPS = [-4, -2, 2, 4];
/** A type with fewer chunks has no bias of its own, since a few of them would decide. */
const LEAST_CHUNKS = 50;
/** Step of the bias of margins, which are about ±1, */
const MARGIN_STEP = 0.1;
/** and of scores that are logarithms. */
const LOG_STEP = 0.4;

/** What {@link fitBias} found. */
export interface FittedBias {
  /** The bias of each type. */
  readonly bias: LabelBias;
  /** F-beta of spans in cross-validation without a bias, in percent. */
  readonly before: number;
  /** F-beta with it. */
  readonly after: number;
}

/** Chunks of one type. */
interface Counts {
  gold: number;
  found: number;
  right: number;
}

/**
 * Finds the bias with which a model finds spans with the highest F-beta: five models, each trained on four fifths of the
 * training data, of its documents where there are five, label the rest with one number added to the scores of all labels but O, then with another for one type after the other.
 * Learners of separate problems find too few chunks where chunks are rare.
 *
 * @param beta weight of recall against precision, above 0; 1 weighs them alike, 2 favours recall.
 * @throws OptionError for fewer than five sentences, and configurations whose labels can have no bias.
 */
export async function fitBias(
  corpus: Corpus,
  configuration: Configuration,
  beta: number,
  options?: TrainOptions,
): Promise<FittedBias> {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('configuration', configuration, 'configuration');
  const sentences = corpus.starts.length - 1;
  if (sentences < PARTS) {
    throw new OptionError(
      'tune-bias',
      `--tune-bias: expected ${PARTS} sentences or more, found ${sentences}`,
    );
  }
  const parts: { tagger: Tagger; heldOut: number[] }[] = [];
  const { document = DOCUMENT_SIZE, seed } = configuration;
  // Names of a document come again in it: folds of sentences would hide how few are found in another one.
  const whole = withDocuments(corpus, document);
  const byDocument = documentStarts(whole, LONGEST_DOCUMENT).length > PARTS;
  for (const { training, heldOut } of splitCorpus(whole, { folds: PARTS, seed, byDocument })) {
    const model = await trainStages(selectSentences(whole, training), configuration, options);
    const problem = whyNoBias(model);
    if (problem !== undefined) throw new OptionError('tune-bias', `--tune-bias: ${problem}`);
    parts.push({ tagger: new Tagger(model), heldOut: [...heldOut] });
  }
  const [{ tagger }] = parts;
  const types = [...new Set(parts.flatMap((part) => part.tagger.model.tagSet.types))].sort();
  const goldTags = new GoldTags(corpus, tagger.model.training.fileScheme);
  const gold = Array.from({ length: sentences }, (_, sentence) => goldTags.spans(sentence));

  const countWith = (bias: LabelBias): Map<string, Counts> => {
    const counts = new Map(types.map((type) => [type, { gold: 0, found: 0, right: 0 }]));
    for (const { tagger, heldOut } of parts) {
      const own = Object.entries(bias).filter(([type]) => tagger.model.tagSet.types.includes(type));
      tagger.setBias(Object.fromEntries(own));
      labelCorpus(tagger, whole, (sentence) => addCounts(counts, gold[sentence], tagger.spans()), heldOut);
    }
    return counts;
  };
  const step = tagger.model.scores.link === 'log-sigmoid' ? MARGIN_STEP : LOG_STEP;
  return searchBias(types, step, beta, countWith);
}

/** Looks for the best bias, first of all types together, then of each. */
function searchBias(
  types: readonly string[],
  step: number,
  beta: number,
  countWith: (bias: LabelBias) => Map<string, Counts>,
): FittedBias {
  const rounded = (steps: number) => Number((steps * step).toFixed(2));
  const none = countWith({});
  const before = fBeta([...none.values()], beta);
  let best = { bias: {} as LabelBias, f: before };
  let common = 0;
  const improves = (bias: LabelBias) => {
    const f = fBeta([...countWith(bias).values()], beta);
    if (f <= best.f) return false;
    best = { bias, f };
    return true;
  };
  const forAll = (steps: number) => Object.fromEntries(types.map((type) => [type, rounded(steps)]));
  // F has one peak but for noise: each direction is left where it has fallen twice.
  for (const direction of [1, -1]) {
    for (let steps = 1, misses = 0; steps <= RANGE && misses < 2; steps++) {
      if (improves(forAll(direction * steps))) common = direction * steps;
      else misses++;
    }
    if (common > 0) break;
  }
  const many = types.filter((type) => (none.get(type)?.gold ?? 0) >= LEAST_CHUNKS);
  if (many.length > 1) {
    for (const type of many) {
      const start = best.bias;
      for (const steps of OWN_STEPS) improves({ ...start, [type]: rounded(common + steps) });
    }
  }
  return { bias: best.bias, before, after: best.f };
}

function addCounts(counts: Map<string, Counts>, gold: readonly Span[], found: readonly Span[]): void {
  const known = new Set(gold.map(spanKey));
  const countsOf = (type: string) => counts.get(type) ?? { gold: 0, found: 0, right: 0 };
  for (const { type } of gold) countsOf(type).gold++;
  for (const span of found) {
    countsOf(span.type).found++;
    if (known.has(spanKey(span))) countsOf(span.type).right++;
  }
}

/** F-beta of all types together, in percent. */
function fBeta(counts: readonly Counts[], beta: number): number {
  const sum = (name: keyof Counts) => counts.reduce((total, own) => total + own[name], 0);
  const weight = beta * beta;
  const below = weight * sum('gold') + sum('found');
  return below === 0 ? 0 : (100 * (1 + weight) * sum('right')) / below;
}
