import { type Corpus, columnStrings } from '../data/corpus.js';
import { labelDivergence } from '../evaluate/label-divergence.js';
import { corpusTags, schemeOfGold } from '../label/corpus-labeller.js';
import { scoreFoundWords } from '../label/score-words.js';
import type { Configuration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { loadModel, saveModel } from '../model/model-file.js';
import { expectedEvaluations, trainingCost } from '../reduce/cost.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import type { TestFigures } from '../report/experiment-report.js';
import { ChunkScorer, scoresToJson } from '../score/conlleval.js';
import { trainStages } from '../systems/stages.js';
import { Tagger } from '../tag/tagger.js';
import { GoldTags } from '../tags/gold-tags.js';
import { decodeTags, SCHEMES, type SchemeName } from '../tags/scheme.js';
import type { TrainOptions } from '../train/train-options.js';

/** A trial's configuration, and what it is trained and tested on. */
export interface Trial {
  /** Configuration to train. */
  readonly configuration: Configuration;
  /** Training data. */
  readonly training: Corpus;
  /** Test data. */
  readonly test: Corpus;
}

/** Figures that a trial measured itself: those of the process around it are left out. */
export interface TrialFigures extends Omit<TestFigures, 'peakMegabytes' | 'routineSeconds'> {
  /** Seconds to load the model from memory and to make it ready. */
  readonly loadingSeconds: number;
  /** Number of features with a weight. */
  readonly features: number;
}

/** Result of a trial. */
export interface TrialResult {
  /** Figures. */
  readonly figures: TrialFigures;
  /** Bytes of the model file. */
  readonly model: Uint8Array;
  /** [S][T] predicted tags of the test data. */
  readonly predicted: readonly (readonly string[])[];
}

/**
 * Trains a configuration, labels test data with the saved and loaded model, and measures both.
 *
 * @param options of training.
 */
export async function runTrial(
  { configuration, training, test }: Trial,
  options: TrainOptions = {},
): Promise<TrialResult> {
  const started = performance.now();
  const bytes = saveModel(await trainStages(training, configuration, options));
  const trained = performance.now();
  const model = loadModel(bytes, 'the model');
  const tagger = new Tagger(model);
  const scheme = schemeOfGold(model, test);
  const loaded = performance.now();
  const predicted = corpusTags(tagger, test, scheme);
  const labelled = performance.now();
  const scorer = new ChunkScorer(scheme);
  predicted.forEach((tags, s) => {
    scorer.add(columnStrings(test, test.columns.length - 1, s), tags);
  });
  for (const { type } of test.missed ?? []) scorer.addMissed(type);
  const [seen, right] = [training, test].map((own) => labelCounts(own, configuration.scheme));
  const countsOf = (counts: ReadonlyMap<string, number>) =>
    model.tagSet.tags.map((tag) => counts.get(tag) ?? 0);
  const figures: TrialFigures = {
    scores: scoresToJson(scorer.scores()),
    ...(configuration.tokens === 'characters' && {
      words: scoreFoundWords(model, test, (s) => decodeTags(predicted[s])),
    }),
    trainingSeconds: (trained - started) / 1000,
    loadingSeconds: (loaded - trained) / 1000,
    labellingSeconds: (labelled - loaded) / 1000,
    modelBytes: bytes.length,
    features: model.features.size,
    problems: model.problems,
    ...(model.code && strategyCosts(model, countsOf(seen), countsOf(right))),
    labelShares: labelShares(seen, right),
    divergence: labelDivergence(seen, right),
    ...(configuration.decoder === 'greedy' && { evaluations: tagger.evaluations / test.cells[0].length }),
  };
  return { figures, model: bytes, predicted };
}

/** Costs of a model's strategy, by the counts of labels in training and test data [L]. */
function strategyCosts(
  { code, tagSet, configuration }: Model,
  seen: number[],
  right: number[],
): Pick<TestFigures, 'trainingCost' | 'expectedEvaluations'> {
  const { strategy, options } = configuration;
  if (strategy === undefined || code === undefined) return {};
  const expected = (counts: number[]) =>
    expectedEvaluations(REDUCTIONS[strategy], code, tagSet, options, counts);
  return {
    trainingCost: trainingCost(code, seen),
    expectedEvaluations: [expected(seen), expected(right)],
  };
}

/** Share of each label in percent, sorted by label. */
function labelShares(
  seen: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
): Record<string, [number, number]> {
  const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const all = [total(seen), total(right)];
  return Object.fromEntries(
    [...new Set([...seen.keys(), ...right.keys()])]
      .sort()
      .map((tag) => [tag, [seen, right].map((counts, i) => (100 * (counts.get(tag) ?? 0)) / all[i])]),
  ) as Record<string, [number, number]>;
}

/** How often each label of the scheme occurs. */
function labelCounts(corpus: Corpus, scheme: SchemeName): Map<string, number> {
  const counts = new Map<string, number>();
  const { starts } = corpus;
  const goldTags = new GoldTags(corpus, scheme);
  for (let s = 0; s + 1 < starts.length; s++) {
    for (const tag of SCHEMES[scheme].encode(goldTags.spans(s), starts[s + 1] - starts[s])) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return counts;
}
