import { listNames, OptionError } from '../base/errors.js';
import { type Corpus, SentenceCollector, SKIPPED_COLUMN } from '../data/corpus.js';
import type { Dataset, Rows } from '../data/dataset.js';
import type { Span } from '../data/span.js';
import { laneCount } from '../kernels/lane-count.js';
import { arow } from '../learn/arow.js';
import { crammerSinger } from '../learn/crammer-singer.js';
import type { SequenceProblem } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { structuredSvm } from '../learn/structured-svm.js';
import { SCHEMES } from '../tags/scheme.js';
import type { Model } from './model.js';
import { SparseWeights } from './sparse-weights.js';
import { type SentenceColumns, Tagger } from './tagger.js';
import { prepare } from './train.js';

/** Times that the sentence is learned at most; a few mostly do. */
const MOST_PASSES = 30;
/**
 * How little AROW moves weights. A model does not say how sure it is of each, so all start as unsure as can be, which takes
 * small steps: steps of full length cost 0.5 F on other text after forty sentences.
 */
const R = 100;
/** Weight of errors in the sentence for learners with margins: large, since it is to be labelled right. */
const C = 1;

/**
 * A model that has learned one more sentence, for annotation tools that learn from what is corrected: a small change of
 * the weights after which it labels that sentence as given, if that can be learned. Models of binary problems learn the tokens
 * that they label otherwise by AROW, those of labels learn as the multiclass SVM does and those of label sequences as the
 * structured SVM does, all from where the model stands. What in the sentence the model did not know becomes features. The
 * model given stays as it is.
 *
 * @param sentence columns as for `Tagger.label`.
 * @param spans all chunks of the sentence, in text order and without overlaps.
 * @returns a model whose weights are float32, without scores on held-out data; the one given where that is right already.
 * @throws OptionError for models that score whole chunks or count (`hmm`), or read possible classes or accessor variety,
 *   for missing columns, and for a chunk that takes a label which the model does not have.
 */
export function learn(model: Model, sentence: SentenceColumns, spans: readonly Span[]): Model {
  const learner = LEARNERS[model.configuration.learner];
  if (learner.startsAnew) {
    throw new OptionError(
      'model',
      `expected a model whose learner can go on from its weights, found --learner ${learner.name}`,
    );
  }
  const corpus = corpusOf(model, sentence, spans);
  let learned = model;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const tagger = new Tagger(learned);
    tagger.decodeSentence(sentence);
    const next = learnMistakes(learned, corpus, tagger.labels);
    if (next === undefined) break;
    learned = next;
  }
  return learned;
}

/**
 * Learns a sentence once; nothing if it is labelled right.
 *
 * @param found [≥ T] labels that the model gives it, in reading order.
 */
function learnMistakes(model: Model, corpus: Corpus, found: Uint16Array): Model | undefined {
  const { configuration, code, problems } = model;
  const everything = { ...configuration, cutOff: 1, wordCutOff: 1, mask: undefined };
  const { index, dataset, tagSet } = prepare(corpus, everything, { init: model });
  const { labels, starts, history } = dataset;
  const mistakes = [...labels.keys()].filter((t) => found[t] !== labels[t]);
  if (mistakes.length === 0) return undefined;
  const old = index.numbersOf(model.features);
  const fired = firedFeatures(dataset);
  /** [D] number of a feature among those that fire, −1 for the others. */
  const numbers = new Int32Array(index.size + 1).fill(-1);
  fired.forEach((f, i) => {
    numbers[f] = i;
  });
  numbers[index.size] = fired.length;
  const width = laneCount(problems);
  const initial = new Float32Array(fired.length * width);
  for (let f = 0; f < old.length; f++) {
    if (numbers[old[f]] >= 0) model.weights.addTo(f, initial, numbers[old[f]] * width);
  }

  const numbered = ({ offsets, indices }: Rows): Rows => ({
    offsets,
    indices: indices.map((f) => numbers[f]),
    features: fired.length,
  });
  const common = {
    rows: numbered(dataset.rows),
    labels,
    labelCount: tagSet.tags.length,
    seed: configuration.seed,
    initial,
  };
  let weights: Float32Array;
  if (code) {
    const wrong = {
      rows: selectRows(common.rows, mistakes),
      labels: Uint16Array.from(mistakes, (t) => labels[t]),
    };
    const block = { ...common, ...wrong, signs: code.signs, problems, block: 0 };
    weights = arow.trainBlock(block, { r: R, epochs: 1 });
  } else if (history) {
    const problem: SequenceProblem = {
      ...common,
      starts,
      history: {
        alone: history.alone.map((f) => numbers[f]),
        joined: numbered(history.joined),
        previous: Uint16Array.from(fired, (f) => history.previous[f]),
      },
    };
    const options = { C, epochs: 5, sweeps: 5, epsilon: 0.01 };
    weights = structuredSvm.train(problem, options) as Float32Array;
  } else {
    weights = crammerSinger.train(common, { C, epochs: 5, epsilon: 0.01 }) as Float32Array;
  }

  const { dev: _, ...rest } = model;
  return {
    ...rest,
    configuration: { ...configuration, precision: 'float32' },
    tagSet,
    features: index,
    weights: merged(model, old, numbers, weights),
  };
}

/** The sentence as training data. */
function corpusOf(
  { configuration, tagSet }: Model,
  sentence: SentenceColumns,
  spans: readonly Span[],
): Corpus {
  const columns = configuration.columns.filter((name) => name !== SKIPPED_COLUMN);
  const inputs = columns.slice(0, -1);
  const missing = inputs.find(
    (name) => sentence[name]?.length !== sentence[inputs[0]]?.length || sentence[name] === undefined,
  );
  if (missing !== undefined) {
    throw new OptionError(
      'columns',
      `expected the columns ${listNames(inputs)}, of equal length, found ${listNames(Object.keys(sentence)) || 'none'}`,
    );
  }
  const { length } = sentence[inputs[0]];
  const collector = new SentenceCollector(columns, '<sentence>');
  const tags = SCHEMES[tagSet.scheme].encode(spans, length);
  collector.add(
    [...inputs.map((name) => sentence[name]), tags],
    tags.map((_, t) => t + 1),
  );
  return collector.finish('');
}

/** Features that the sentence has, ascending. */
function firedFeatures({ rows, history }: Dataset): Uint32Array {
  const fired = new Set(rows.indices);
  for (const f of history?.joined.indices ?? []) fired.add(f);
  for (const f of history?.alone ?? []) if (f < rows.features) fired.add(f);
  return Uint32Array.from(fired).sort();
}

function selectRows({ offsets, indices, features }: Rows, selected: readonly number[]): Rows {
  const rows = selected.map((n) => indices.subarray(offsets[n], offsets[n + 1]));
  const ends = new Uint32Array(selected.length + 1);
  rows.forEach(({ length }, i) => {
    ends[i + 1] = ends[i] + length;
  });
  return { offsets: ends, indices: Uint32Array.from(rows.flatMap((row) => [...row])), features };
}

/** The weights of a model, in new numbers, with those of some features replaced. */
function merged(
  { weights, problems }: Model,
  old: Uint32Array,
  numbers: Int32Array,
  replaced: Float32Array,
): SparseWeights {
  const width = laneCount(problems);
  const features = numbers.length - 1;
  const starts = new Uint32Array(features + 1);
  const most = weights.values.length + replaced.length;
  const lanes = problems <= 256 ? new Uint8Array(most) : new Uint16Array(most);
  const values = new Float32Array(most);
  let filled = 0;
  let next = 0;
  for (let f = 0; f < features; f++) {
    const known = old[next] === f ? next++ : -1;
    if (numbers[f] >= 0) {
      for (let k = 0, at = numbers[f] * width; k < problems; k++, at++) {
        if (replaced[at] === 0) continue;
        lanes[filled] = k;
        values[filled++] = replaced[at];
      }
    } else {
      for (let j = weights.starts[known]; j < weights.starts[known + 1]; j++) {
        lanes[filled] = weights.lanes[j];
        values[filled++] = weights.values[j];
      }
    }
    starts[f + 1] = filled;
  }
  return new SparseWeights(starts, lanes.slice(0, filled), values.slice(0, filled));
}
