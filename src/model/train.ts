import { isOutOfMemory, listNames, OptionError, quote, SpanwrightError } from '../base/errors.js';
import { Uint32List } from '../base/growable.js';
import type { ProgressListener } from '../base/progress.js';
import { type Corpus, columnIndex, columnStrings, selectSentences } from '../data/corpus.js';
import type { Dataset } from '../data/dataset.js';
import { wordsOfSpans } from '../data/span.js';
import type { ChunkDecoder } from '../decode/decoder.js';
import { DECODERS } from '../decode/decoders.js';
import { VarietyCounter } from '../features/accessor-variety.js';
import type { CorpusViews } from '../features/corpus-views.js';
import { derivedColumnsOf, readsAccessorVariety, withDerivedColumns } from '../features/derived-columns.js';
import { extract } from '../features/extractor.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { maskCopies, randomParts } from '../features/mask.js';
import type { NgramVariety } from '../features/ngram-variety.js';
import { PossibleClasses } from '../features/possible-classes.js';
import { type TemplateSet, templateName, withinOrder } from '../features/template.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Checkpoint } from '../learn/checkpoint.js';
import type {
  BinaryLearner,
  ChunkLearner,
  ChunkProblem,
  LaneProblem,
  Learner,
  LearnerMemory,
  MulticlassLearner,
  SequenceLearner,
  SequenceProblem,
} from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import { laneBlocks } from '../reduce/lane-blocks.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { GoldTags } from '../tags/gold-tags.js';
import { decodeParsedTags, detectParsedScheme, type SchemeName } from '../tags/scheme.js';
import { TagSet } from '../tags/tag-set.js';
import { checkTags } from './check-tags.js';
import { type ChunkModel, dictionaryView, extractChunks, pruneChunks } from './chunk-model.js';
import type { Configuration, Precision } from './configuration.js';
import { blockBytes, cutOffWithin, type TrainingSize, trainingMemoryError } from './fit-memory.js';
import { labelCounts, labelStatistics } from './label-statistics.js';
import type { Model, TrainingRecord } from './model.js';
import { SparseWeights } from './sparse-weights.js';

/** Parts that training data are cut into where possible classes are jack-knifed and there is no mask. */
const JACKKNIFE_PARTS = 10;

/** A block's problem, whose weights to start from are made when its turn comes: those of all blocks would be many. */
export interface BlockProblem extends Omit<LaneProblem, 'initial'> {
  /** Makes the [D × W] weights to start from; default zeros. */
  readonly initial?: (() => Float32Array<ArrayBuffer>) | undefined;
}

/**
 * Trains blocks of lanes: here one after another, in `node/` on threads. Results come in the blocks' order, sparse, so that
 * the dense weights of one block at a time and thread are in memory.
 */
export type BlockRunner = (
  learner: string,
  problems: readonly BlockProblem[],
  options: Configuration['options'],
  onProgress?: ProgressListener,
) => Promise<SparseWeights[]>;

/** Unlabelled text, a line an entry. */
export interface RawText {
  /** Its lines. */
  readonly lines: readonly string[];
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** What {@link train} may be given besides data and configuration. */
export interface TrainOptions {
  /** Told how far training is. */
  readonly onProgress?: ProgressListener | undefined;
  /** A model of the same templates and labels whose weights training starts from; default none. */
  readonly init?: Model | undefined;
  /** Where the state of learners of all labels is kept between passes; what runs blocks keeps theirs. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Raw text for accessor variety, besides the training data. */
  readonly rawText?: RawText | undefined;
  /** How blocks are trained; default one after another in this thread. */
  readonly runBlocks?: BlockRunner | undefined;
  /**
   * Bytes that training a block of lanes may need, the program and the corpus left out; the cut-off rises until it fits.
   * For learners of binary problems.
   */
  readonly fitMemory?: number | undefined;
  /** Bytes that training may take beside its data; more is refused before it starts. Default any. */
  readonly maxMemory?: number | undefined;
  /** Blocks that {@link runBlocks} trains at a time, for the estimate of memory; default 1. */
  readonly blocksAtOnce?: number | undefined;
}

/** Training data in the form that learners see, and what stands behind it. */
export interface PreparedData {
  /** Labels and which may follow which. */
  readonly tagSet: TagSet;
  /** All features at or above the cut-off. */
  readonly index: FeatureIndex;
  /** Rows and labels. */
  readonly dataset: Dataset;
  /** The values that features are made of. */
  readonly views: CorpusViews;
  /** What the data were. */
  readonly record: TrainingRecord;
  /** The words of the data where tokens are characters, else none. */
  readonly words: ReadonlySet<string>;
  /** Possible classes of the data's values, if templates read any. */
  readonly classes?: PossibleClasses | undefined;
  /** Accessor variety in the data and in raw text, where templates read it. */
  readonly variety?: NgramVariety | undefined;
}

/**
 * Turns a corpus whose last column holds the labels, in any tag scheme, into training rows.
 *
 * @throws InputError naming file and line of a label that is no tag.
 */
export function prepare(
  corpus: Corpus,
  configuration: Configuration,
  { onProgress, rawText, init }: TrainOptions = {},
): PreparedData {
  const { scheme, direction, decoder } = configuration;
  const gold = readGold(corpus, scheme);
  const chunked = LEARNERS[configuration.learner].kind === 'chunk' && scheme === 'iobes';
  const tagSet =
    init?.tagSet.extended(gold.sentences) ??
    (chunked ? TagSet.complete : TagSet.learn)(scheme, direction, gold.sentences);
  const labels = new Uint16Array(gold.tokens);
  gold.sentences.forEach(({ spans, length }, s) => {
    tagSet.encode(spans, length, labels.subarray(corpus.starts[s], corpus.starts[s + 1]));
  });
  const templates = withinOrder(configuration.templates, DECODERS[decoder].order(configuration.options));
  const words =
    configuration.tokens === 'characters'
      ? gold.sentences.map(({ spans }, s) =>
          wordsOfSpans(columnStrings(corpus, columnIndex(corpus, 'word'), s), spans),
        )
      : [];
  const derived = derivedColumnsOf(templates, configuration.columns);
  const readsVariety = readsAccessorVariety(templates, configuration.columns);
  if (init && (readsVariety || configuration.classes !== undefined)) {
    const what = readsVariety ? 'accessor variety' : 'possible classes';
    throw new OptionError(
      'init',
      `expected a model to go on from without ${what}, which all data were measured for`,
    );
  }
  const variety = readsVariety ? measureVariety(corpus, rawText) : undefined;
  const known = new Set(words.flat());
  const knowledge = { words: known, sentences: words, variety };
  const examples = withDerivedColumns(corpus, derived, knowledge);
  const extraction = extractExamples(
    examples,
    labels,
    tagSet,
    templates,
    configuration,
    onProgress,
    init?.features,
  );
  const record: TrainingRecord = {
    sentences: gold.sentences.length,
    tokens: gold.tokens,
    sha256: corpus.sha256,
    fileScheme: gold.scheme,
    irregularTags: gold.irregular,
    ...(rawText && { rawText: { lines: rawText.lines.length, sha256: rawText.sha256 } }),
    ...(init && { init: init.training }),
  };
  return {
    tagSet,
    ...extraction,
    record,
    words: new Set([...(init?.words ?? []), ...known]),
    ...(variety && { variety }),
  };
}

/** The features and rows of training data, then with a mask those of their masked copies; features count once. */
function extractExamples(
  corpus: Corpus,
  labels: Uint16Array,
  tagSet: TagSet,
  templates: TemplateSet,
  { direction, cutOff, wordCutOff, mask, classes: variant, learner, seed }: Configuration,
  onProgress?: ProgressListener,
  known?: FeatureIndex,
): Pick<PreparedData, 'index' | 'dataset' | 'views' | 'classes'> {
  const sentences = corpus.starts.length - 1;
  const parts = randomParts(sentences, mask ?? JACKKNIFE_PARTS, seed);
  const classes = variant && PossibleClasses.learn(corpus, templates, tagSet, labels, parts);
  const times = mask === undefined ? 1 : 2;
  const repeated = Uint32Array.from({ length: times * sentences }, (_, s) => s % sentences);
  const hiddenFrom = Int16Array.from(repeated, (s, i) =>
    variant === 'full' && i < sentences ? -1 : parts[s],
  );
  const gold = new Uint16Array(times * labels.length);
  for (let at = 0; at < gold.length; at += labels.length) gold.set(labels, at);
  const { index, dataset, views } = extract(times === 1 ? corpus : selectSentences(corpus, repeated), gold, {
    templates,
    direction,
    labels: tagSet.tags.length,
    cutOff,
    wordCutOff,
    counted: sentences,
    ...(classes && { classes, hiddenFrom }),
    splitHistory: splitsHistory(LEARNERS[learner]),
    known,
    onProgress,
  });
  if (mask === undefined) return { index, dataset, views, classes };
  // Words are the first column; what other columns say is not masked.
  const lexical = index.readingColumn(corpus.columns[0]);
  return { index, dataset: maskCopies(dataset, parts, lexical), views, classes };
}

/** Whether features that read the label before are kept out of the rows. */
function splitsHistory(learner: Learner): boolean {
  return learner.kind === 'sequence' && !learner.readsGold;
}

/** The accessor variety of n-grams in the sentences of a corpus and in raw text. */
function measureVariety(corpus: Corpus, rawText?: RawText): NgramVariety {
  const counter = new VarietyCounter();
  const column = columnIndex(corpus, 'word');
  for (let s = 0; s + 1 < corpus.starts.length; s++) counter.add(columnStrings(corpus, column, s));
  for (const line of rawText?.lines ?? []) counter.add(line);
  return counter.measure();
}

/**
 * Trains a model on a corpus whose last column holds the labels, in any tag scheme.
 *
 * @throws InputError naming file and line of a label that is no tag.
 * @throws OptionError where the strategy does not go with the labels, or no cut-off makes training fit in memory.
 * @throws SpanwrightError with code `no-memory` and the estimate where there is not so much memory.
 */
export async function train(
  corpus: Corpus,
  wanted: Configuration,
  options: TrainOptions = {},
): Promise<Model> {
  const { precision } = wanted;
  const { init } = options;
  if (init) checkContinues(init, wanted);
  let configuration = wanted;
  let prepared = prepare(corpus, configuration, options);
  if (options.fitMemory !== undefined) {
    configuration = { ...wanted, cutOff: fittingCutOff(prepared, wanted, options.fitMemory, init) };
    if (configuration.cutOff > wanted.cutOff) prepared = prepare(corpus, configuration, options);
  }
  const { tagSet, index, record, words, classes, variety } = prepared;
  const code = init ? init.code : codeOf(prepared, configuration);
  const { blocks, chunks } = await withinMemory(prepared, code, configuration, options, () =>
    learnWeights(prepared, code, configuration, options),
  );
  const { weights, keep } = joinBlocks(blocks, index.size, precision);
  return {
    configuration,
    tagSet,
    features: index.prune(keep),
    problems: blocks.reduce((sum, { lanes }) => sum + lanes.length, 0),
    ...(code && { code }),
    weights,
    ...(chunks && { chunks }),
    training: record,
    ...(classes && { classes }),
    ...(configuration.tokens === 'characters' && { words }),
    ...(variety && { variety }),
  };
}

/** Does the training, unless it is estimated to need more memory than there may be. */
async function withinMemory<T>(
  prepared: PreparedData,
  code: CodeMatrix | undefined,
  { learner }: Configuration,
  { init, maxMemory = Infinity, blocksAtOnce = 1 }: TrainOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { index, tagSet } = prepared;
  const { rows } = prepared.dataset;
  const examples = rows.offsets.length - 1;
  const size: TrainingSize = { features: index.size, entries: rows.offsets[examples], examples };
  const blocks = code && blocksOf(prepared, code);
  const lanes = blocks ? largestBlock(blocks) : tagSet.tags.length;
  const atOnce = blocks ? Math.min(blocksAtOnce, blocks.length) : 1;
  const needed = blockBytes(size, lanes, memoryOf(learner, init), atOnce);
  if (needed > maxMemory) {
    throw trainingMemoryError(needed, size, lanes, `found ${Math.floor(maxMemory / 1e6)} MB`);
  }
  try {
    return await work();
  } catch (error) {
    const isKnown = error instanceof SpanwrightError && error.code === 'no-memory';
    if (!isKnown && !isOutOfMemory(error)) throw error;
    throw trainingMemoryError(needed, size, lanes, error.message);
  }
}

/** What a learner holds, with the weights that it starts from. */
function memoryOf(learner: string, init: Model | undefined): LearnerMemory {
  const { memory } = LEARNERS[learner];
  return init ? { ...memory, weights: memory.weights + 1 } : memory;
}

/** Refuses to go on from a model that was made otherwise. */
function checkContinues({ configuration: model }: Model, configuration: Configuration): void {
  const { learner } = configuration;
  if (LEARNERS[learner].startsAnew) {
    throw new OptionError(
      'init',
      `--init does not go with --learner ${learner}, which starts anew from the data`,
    );
  }
  const described = (c: Configuration) => ({
    columns: c.columns.join(','),
    scheme: c.scheme,
    direction: c.direction,
    templates: withinOrder(c.templates, DECODERS[c.decoder].order(c.options))
      .templates.map(templateName)
      .join('; '),
    learner: c.learner,
    strategy: c.strategy ?? 'none',
  });
  const own = described(configuration);
  for (const [name, expected] of Object.entries(described(model))) {
    const found = own[name as keyof typeof own];
    if (found === expected) continue;
    throw new OptionError(
      name,
      `--init: expected --${name} as the model has it, ${quote(expected)}, found ${quote(found)}`,
    );
  }
}

/** Makes the weights [D × W] that a model has for some lanes, in an index that has its features. */
function initialWeights(
  { features, weights, problems }: Model,
  index: FeatureIndex,
): (selected: Uint16Array) => Float32Array<ArrayBuffer> {
  const numbers = index.numbersOf(features);
  const { starts, lanes, values } = weights;
  return (selected) => {
    const width = laneCount(selected.length);
    /** [P] number of a lane among those selected, −1 for the others. */
    const own = new Int32Array(problems).fill(-1);
    selected.forEach((lane, i) => {
      own[lane] = i;
    });
    const initial = new Float32Array(index.size * width);
    for (let f = 0; f < numbers.length; f++) {
      for (let j = starts[f]; j < starts[f + 1]; j++) {
        if (own[lanes[j]] >= 0) initial[numbers[f] * width + own[lanes[j]]] = values[j];
      }
    }
    return initial;
  };
}

/** The cut-off with which the largest block of lanes fits in memory. */
function fittingCutOff(
  prepared: PreparedData,
  configuration: Configuration,
  bytes: number,
  init: Model | undefined,
): number {
  const code = codeOf(prepared, configuration);
  if (code === undefined) {
    throw new OptionError(
      'fit-memory',
      `--fit-memory goes with learners of binary problems, such as svm: found ${configuration.learner}`,
    );
  }
  const { dataset, record } = prepared;
  const memory = memoryOf(configuration.learner, init);
  const lanes = largestBlock(blocksOf(prepared, code));
  return cutOffWithin(bytes, dataset.rows, record.tokens, lanes, memory, configuration.cutOff);
}

/** The problems of each block of lanes. */
function blocksOf({ tagSet, dataset }: PreparedData, code: CodeMatrix): Uint16Array[] {
  return laneBlocks(code, labelCounts(tagSet, dataset));
}

/** Lanes of the largest block. */
function largestBlock(blocks: readonly Uint16Array[]): number {
  return Math.max(...blocks.map(({ length }) => length));
}

/**
 * The strategy's problems; none for learners of all labels at once.
 *
 * @throws OptionError where the strategy cannot be used with the data's labels.
 */
function codeOf(
  { tagSet, index, dataset }: PreparedData,
  { strategy, seed, options }: Configuration,
): CodeMatrix | undefined {
  if (strategy === undefined) return undefined;
  const code = REDUCTIONS[strategy].code(labelStatistics(tagSet, index, dataset, seed), options);
  if (code.problems === 0) {
    throw new OptionError(
      'strategy',
      `--strategy ${strategy}: expected data with two labels or more, found ${listNames(tagSet.tags)} alone`,
    );
  }
  return code;
}

/** Weights of some lanes. */
interface WeightBlock {
  /** Number of each lane in the model, ascending. */
  readonly lanes: Uint16Array;
  readonly weights: SparseWeights;
}

/** The weights of all lanes: binary problems in blocks, or labels all at once; and what is learned of chunks. */
async function learnWeights(
  prepared: PreparedData,
  code: CodeMatrix | undefined,
  configuration: Configuration,
  { onProgress, init, checkpoint, runBlocks = runBlocksHere }: TrainOptions,
): Promise<{ blocks: WeightBlock[]; chunks?: ChunkModel }> {
  const { tagSet, dataset } = prepared;
  const { seed, options } = configuration;
  const labels = tagSet.tags.length;
  const learner = LEARNERS[configuration.learner];
  if (learner.kind === 'chunk') return learnChunks(learner, prepared, configuration, onProgress, checkpoint);
  if (learner.kind !== 'binary' || code === undefined) {
    const { train: learn } = learner as MulticlassLearner | SequenceLearner;
    // Data are prepared with their history split off for the learners that need it.
    const { index } = prepared;
    const lanes = Uint16Array.from({ length: labels }, (_, label) => label);
    const initial = init && initialWeights(init, index)(lanes);
    const problem = { ...dataset, index, labelCount: labels, seed, initial, checkpoint } as SequenceProblem;
    const weights = await learn(problem, options, (report) => onProgress?.({ kind: 'iteration', ...report }));
    return { blocks: [{ lanes, weights: SparseWeights.ofRows(weights, labels) }] };
  }
  const lanes = blocksOf(prepared, code);
  const initial = init && initialWeights(init, prepared.index);
  const problems = blockProblems(dataset, code, lanes, seed).map(
    (problem, b): BlockProblem => ({ ...problem, initial: initial && (() => initial(lanes[b])) }),
  );
  const weights = await runBlocks(learner.name, problems, options, onProgress);
  return { blocks: lanes.map((own, b) => ({ lanes: own, weights: weights[b] })) };
}

function learnChunks(
  learner: ChunkLearner,
  { tagSet, index: { layout }, dataset, views }: PreparedData,
  { templates, cutOff, options, decoder, precision, seed }: Configuration,
  onProgress?: ProgressListener,
  checkpoint?: Checkpoint,
) {
  const labels = tagSet.tags.length;
  const roles = new ChunkRoles(tagSet);
  const dictionary = dictionaryView(String(options.dictionary), templates, layout);
  const { index, limits } = extractChunks(dataset, views, layout, roles, { templates, cutOff, dictionary });
  const { pruning } = DECODERS[decoder] as ChunkDecoder;
  const problem: ChunkProblem = {
    ...dataset,
    labelCount: labels,
    seed,
    roles,
    index,
    limits,
    pruning: pruning(options),
    dictionary: Math.max(0, dictionary),
    layout,
    views,
    checkpoint,
  };
  const learned = learner.train(problem, options, (report) => onProgress?.({ kind: 'iteration', ...report }));
  const chunks = pruneChunks(index, layout.views, learned.chunks, precision === 'int8');
  const weights = SparseWeights.ofRows(learned.tokens, labels);
  const lanes = Uint16Array.from({ length: labels }, (_, label) => label);
  return { blocks: [{ lanes, weights }], chunks: { ...chunks, limits } };
}

function readGold(corpus: Corpus, scheme: SchemeName) {
  checkTags(corpus, scheme);
  const gold = new GoldTags(corpus, scheme);
  const sentences = Array.from({ length: corpus.starts.length - 1 }, (_, s) => {
    const tags = gold.tags(s);
    return { tags, spans: decodeParsedTags(tags), length: tags.length };
  });
  const tokens = corpus.lines.length;
  if (scheme === 'token') return { sentences, scheme, irregular: 0, tokens };
  return { sentences, ...detectParsedScheme(sentences), tokens };
}

/** The blocks of lanes, each with its columns of the code matrix. */
function blockProblems(
  { rows, labels }: Dataset,
  code: CodeMatrix,
  blocks: readonly Uint16Array[],
  seed: number,
): BlockProblem[] {
  return blocks.map((columns, block) => {
    const signs = new Int8Array(code.labels * columns.length);
    for (let label = 0, at = 0; label < code.labels; label++) {
      for (const column of columns) signs[at++] = code.signs[label * code.problems + column];
    }
    return { rows, labels, labelCount: code.labels, signs, problems: columns.length, block, seed };
  });
}

const runBlocksHere: BlockRunner = async (learner, problems, options, onProgress) =>
  problems.map((problem) => {
    const { trainBlock } = LEARNERS[learner] as BinaryLearner;
    const weights = trainBlock({ ...problem, initial: problem.initial?.() }, options, (report) =>
      onProgress?.({ kind: 'epoch', block: problem.block, blocks: problems.length, ...report }),
    );
    return SparseWeights.ofRows(weights, problem.problems);
  });

/**
 * The weights of all blocks together, without the features whose weights are all 0; `keep` [D] tells which stay. With
 * `int8` each weight becomes the nearest multiple of a step, 127 of which are the largest weight: small ones become 0.
 */
function joinBlocks(blocks: readonly WeightBlock[], features: number, precision: Precision) {
  const step = precision === 'int8' ? largestOf(blocks) / 127 : 0;
  const keep = new Uint8Array(features);
  const starts = new Uint32List(features + 1);
  const laneTotal = blocks.reduce((sum, block) => sum + block.lanes.length, 0);
  const most = blocks.reduce((sum, { weights: { values: own } }) => sum + own.length, 0);
  const lanes = laneTotal <= 256 ? new Uint8Array(most) : new Uint16Array(most);
  const values = step > 0 ? new Int8Array(most) : new Float32Array(most);
  let filled = 0;
  starts.push(0);
  for (let f = 0; f < features; f++) {
    const from = filled;
    for (const { weights: block, lanes: numbers } of blocks) {
      const end = block.starts[f + 1];
      for (let j = block.starts[f]; j < end; j++) {
        const value = step > 0 ? Math.round(block.values[j] / step) : block.values[j];
        if (value === 0) continue;
        const lane = numbers[block.lanes[j]];
        // Lanes of blocks may alternate: each goes before those above it.
        let at = filled++;
        for (; at > from && lanes[at - 1] > lane; at--) {
          lanes[at] = lanes[at - 1];
          values[at] = values[at - 1];
        }
        lanes[at] = lane;
        values[at] = value;
      }
    }
    if (filled === from) continue;
    keep[f] = 1;
    starts.push(filled);
  }
  const weights = new SparseWeights(starts.toArray(), lanes.slice(0, filled), values.slice(0, filled), step);
  return { weights, keep };
}

/** The largest absolute value. */
function largestOf(blocks: readonly WeightBlock[]): number {
  let largest = 0;
  for (const {
    weights: { values },
  } of blocks) {
    for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  }
  return largest;
}
