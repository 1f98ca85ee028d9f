import { listNames, OptionError } from '../base/errors.js';
import { type Corpus, isColumnName, SentenceCollector, type SentenceColumns } from '../data/corpus.js';
import type { Dataset, Rows } from '../data/dataset.js';
import type { Span } from '../data/span.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { laneCount } from '../kernels/lane-count.js';
import { arow } from '../learn/arow.js';
import { crammerSinger } from '../learn/crammer-singer.js';
import type { MulticlassProblem, SequenceProblem } from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { structuredSvm } from '../learn/structured-svm.js';
import type { Model } from '../model/model.js';
import { SparseWeights } from '../model/sparse-weights.js';
import { SCHEMES } from '../tags/scheme.js';
import type { TagSet } from '../tags/tag-set.js';
import { prepare } from './prepare.js';

/** Times that the sentence is learned at most; a few mostly do. */
const MOST_PASSES = 30;
/**
 * How little AROW moves weights. A model does not say how sure it is of each, so all start as unsure as can be, which takes
 * small steps: steps of full length cost 0.5 F on other text after forty sentences.
 */
const R = 100;
/** Weight of errors in the sentence for learners with margins: large, since it is to be labelled right. */
const C = 1;

/** Labels a sentence with a model: label ids [T] in reading order. */
export type SentenceDecoder = (model: Model, sentence: SentenceColumns) => ArrayLike<number>;

/**
 * A model that has learned one more sentence, for annotation tools that learn from what is corrected: a small change of
 * the weights after which it labels that sentence as given, if that can be learned. Models of binary problems learn the tokens
 * that they label otherwise by AROW, those of labels learn as the multiclass SVM does and those of label sequences as the
 * structured SVM does, all from where the model stands. What in the sentence the model did not know becomes features. The
 * model given stays as it is.
 *
 * @param sentence columns as for `Tagger.label`.
 * @param spans all chunks of the sentence, in text order and without overlaps.
 * @param decode labels the sentence with the model as it stands, after each pass.
 * @returns a model whose weights are float32, without scores on held-out data; the one given where that is right already.
 * @throws OptionError for models that score whole chunks or count (`hmm`), or read possible classes or accessor variety,
 *   for missing columns, and for a chunk that takes a label which the model does not have.
 */
export function correctSentence(
  model: Model,
  sentence: SentenceColumns,
  spans: readonly Span[],
  decode: SentenceDecoder,
): Model {
  const learner = LEARNERS[model.configuration.learner];
  if (learner.startsAnew) {
    throw new OptionError(
      'model',
      `expected a model whose learner can go on from its weights, found --learner ${learner.name}`,
    );
  }
  const { configuration } = model;
  const everything = { ...configuration, cutOff: 1, wordCutOff: 1, mask: undefined };
  const { index, dataset, tagSet } = prepare(corpusOf(model, sentence, spans), everything, { init: model });
  const old = index.numbersOf(model.features);
  const keep = featuresAround(index, dataset);
  const numbers = numberFeatures(keep);
  const part = new SentenceModel(model, index.prune(keep), numbers, old);
  const problem = renumbered(dataset, numbers, tagSet.tags.length, configuration.seed);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    // What the sentence alone shows to be legal does not make the model that was given right.
    const labels = decode(part.model(pass === 0 ? model.tagSet : tagSet), sentence);
    const mistakes = [...dataset.labels.keys()].filter((t) => labels[t] !== dataset.labels[t]);
    if (mistakes.length === 0) break;
    part.weights = learnMistakes(model, { ...problem, initial: part.weights }, mistakes);
  }
  if (part.weights === part.initial) return model;
  const { dev: _, ...rest } = model;
  return {
    ...rest,
    configuration: { ...configuration, precision: 'float32' },
    tagSet,
    features: index,
    weights: merged(model, old, numbers, part.weights),
  };
}

/** The part of a model that a sentence's labels depend on, whose weights change. */
class SentenceModel {
  /** [kept × W] what they were. */
  readonly initial: Float32Array;
  /** [kept × W] */
  weights: Float32Array;
  private readonly whole: Model;

  /**
   * @param features those of the part.
   * @param numbers as {@link numberFeatures} gives them.
   * @param old [D of the model] the number of each of its features in the index that the part is of.
   */
  constructor(model: Model, features: FeatureIndex, numbers: Int32Array, old: Uint32Array) {
    const { problems, weights } = model;
    const width = laneCount(problems);
    this.whole = { ...model, features };
    this.initial = new Float32Array(features.size * width);
    for (let f = 0; f < old.length; f++) {
      const number = numbers[old[f]];
      if (number >= 0) weights.addTo(f, this.initial, number * width);
    }
    this.weights = this.initial;
  }

  /** The part as a model of its own, with the weights as they are now. */
  model(tagSet: TagSet): Model {
    const { whole, weights } = this;
    return { ...whole, tagSet, weights: SparseWeights.ofRows(weights, whole.problems) };
  }
}

/**
 * Learns a sentence once.
 *
 * @param problem the sentence, with weights to start from.
 * @param mistakes its tokens that are labelled wrong.
 * @returns the weights after it.
 */
function learnMistakes(
  { code, problems }: Model,
  problem: MulticlassProblem | SequenceProblem,
  mistakes: readonly number[],
): Float32Array {
  if (code) {
    const rows = selectRows(problem.rows, mistakes);
    const labels = Uint16Array.from(mistakes, (t) => problem.labels[t]);
    return arow.trainBlock(
      { ...problem, rows, labels, signs: code.signs, problems, block: 0 },
      { r: R, epochs: 1 },
    );
  }
  if ('history' in problem) {
    return structuredSvm.train(problem, { C, epochs: 5, sweeps: 5, epsilon: 0.01 }) as Float32Array;
  }
  return crammerSinger.train(problem, { C, epochs: 5, epsilon: 0.01 }) as Float32Array;
}

/** A sentence as a problem, in the numbers of some features. */
function renumbered(
  { rows, labels, starts, history }: Dataset,
  numbers: Int32Array,
  labelCount: number,
  seed: number,
): MulticlassProblem | SequenceProblem {
  const features = numbers[numbers.length - 1];
  const numbered = ({ offsets, indices }: Rows): Rows => ({
    offsets,
    indices: indices.map((f) => numbers[f]),
    features,
  });
  const common = { rows: numbered(rows), labels, labelCount, seed };
  if (history === undefined) return common;
  return {
    ...common,
    starts,
    history: {
      alone: history.alone.map((f) => numbers[f]),
      joined: numbered(history.joined),
      previous: history.previous.filter((_, f) => numbers[f] >= 0),
    },
  };
}

/** [D] 1 for the features that read what the sentence has somewhere, whatever labels they read. */
function featuresAround(index: FeatureIndex, { rows, history }: Dataset): Uint8Array {
  const isRead = new Uint8Array(index.size);
  for (const f of rows.indices) isRead[f] = 1;
  for (const f of history?.joined.indices ?? []) isRead[f] = 1;
  index.layout.conjunctions.forEach(({ views }, c) => {
    const starts = index.starts[c];
    for (let tuple = 0; tuple + 1 < starts.length; tuple++) {
      const end = starts[tuple + 1];
      let f = views.length === 0 ? end : starts[tuple];
      while (f < end && isRead[f] === 0) f++;
      if (f < end || views.length === 0) isRead.fill(1, starts[tuple], end);
    }
  });
  return isRead;
}

/** [D + 1] the number of each feature among those kept, −1 for the others; last how many are kept. */
function numberFeatures(keep: Uint8Array): Int32Array {
  const numbers = new Int32Array(keep.length + 1).fill(-1);
  let kept = 0;
  for (let f = 0; f < keep.length; f++) if (keep[f] === 1) numbers[f] = kept++;
  numbers[keep.length] = kept;
  return numbers;
}

/** The sentence as training data. */
function corpusOf(
  { configuration, tagSet }: Model,
  sentence: SentenceColumns,
  spans: readonly Span[],
): Corpus {
  const columns = configuration.columns.filter(isColumnName);
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
  for (let f = 0; f < features; ) {
    if (numbers[f] >= 0) {
      if (old[next] === f) next++;
      for (let k = 0, at = numbers[f] * width; k < problems; k++, at++) {
        if (replaced[at] === 0) continue;
        lanes[filled] = k;
        values[filled++] = replaced[at];
      }
      starts[++f] = filled;
      continue;
    }
    // Features that stay are the model's own, and stand there side by side.
    const from = weights.starts[next];
    const shift = filled - from;
    while (f < features && numbers[f] < 0) starts[++f] = weights.starts[++next] + shift;
    const to = weights.starts[next];
    lanes.set(weights.lanes.subarray(from, to), filled);
    values.set(weights.values.subarray(from, to), filled);
    filled += to - from;
  }
  return new SparseWeights(starts, lanes.slice(0, filled), values.slice(0, filled));
}
