import { grown, Uint32List } from '../base/growable.js';
import type { ProgressListener } from '../base/progress.js';
import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import type { Dataset } from '../data/dataset.js';
import type { Span } from '../data/span.js';
import { wordsOfSpans } from '../data/span.js';
import type { ChunkDecoder } from '../decode/decoder.js';
import { DECODERS } from '../decode/decoders.js';
import { VarietyCounter } from '../features/accessor-variety.js';
import type { CorpusViews } from '../features/corpus-views.js';
import { derivedColumnsOf, readsAccessorVariety, withDerivedColumns } from '../features/derived-columns.js';
import { extract } from '../features/extractor.js';
import type { FeatureIndex } from '../features/feature-index.js';
import { withMaskedCopies } from '../features/mask.js';
import type { NgramVariety } from '../features/ngram-variety.js';
import { withinOrder } from '../features/template.js';
import { laneCount } from '../kernels/lane-count.js';
import type {
  BinaryLearner,
  ChunkLearner,
  ChunkProblem,
  LaneProblem,
  MulticlassLearner,
  SequenceLearner,
  SequenceProblem,
} from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { REDUCTIONS } from '../reduce/reductions.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { decodeTags, detectScheme, type SchemeName } from '../tags/scheme.js';
import { TagSet } from '../tags/tag-set.js';
import { checkTags } from './check-tags.js';
import { type ChunkModel, dictionaryView, extractChunks, pruneChunks } from './chunk-model.js';
import type { Configuration, Precision } from './configuration.js';
import { labelStatistics } from './label-statistics.js';
import type { Model, TrainingRecord } from './model.js';
import { SparseWeights } from './sparse-weights.js';

/**
 * Most problems trained in one block of lanes. It must not depend on the number of threads, since a block's random
 * stream and shrinking are its own; sixteen 32-bit lanes fill one cache line.
 */
const LARGEST_BLOCK = 16;

/** Trains blocks of lanes: here one after another, in `node/` on threads. Results come in the blocks' order. */
export type BlockRunner = (
  learner: string,
  problems: readonly LaneProblem[],
  options: Configuration['options'],
  onProgress?: ProgressListener,
) => Promise<Float32Array[]>;

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
  /** Raw text for accessor variety, besides the training data. */
  readonly rawText?: RawText | undefined;
  /** How blocks are trained; default one after another in this thread. */
  readonly runBlocks?: BlockRunner | undefined;
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
  { onProgress, rawText }: TrainOptions = {},
): PreparedData {
  const { scheme, direction, decoder, cutOff, mask, seed } = configuration;
  const [wordColumn] = corpus.columns;
  const gold = readGold(corpus, scheme);
  const chunked = LEARNERS[configuration.learner].kind === 'chunk' && scheme === 'iobes';
  const tagSet = (chunked ? TagSet.complete : TagSet.learn)(scheme, direction, gold.sentences);
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
  const variety = readsAccessorVariety(templates, configuration.columns)
    ? measureVariety(corpus, rawText)
    : undefined;
  const known = new Set(words.flat());
  const knowledge = { words: known, sentences: words, variety };
  const {
    index,
    dataset: originals,
    views,
  } = extract(withDerivedColumns(corpus, derived, knowledge), labels, {
    templates,
    direction,
    labels: tagSet.tags.length,
    cutOff,
    splitHistory: LEARNERS[configuration.learner].kind === 'sequence',
    onProgress,
  });
  // Words are the first column; what other columns say is not masked.
  const dataset =
    mask === undefined ? originals : withMaskedCopies(originals, mask, index.readingColumn(wordColumn), seed);
  const record: TrainingRecord = {
    sentences: gold.sentences.length,
    tokens: gold.tokens,
    sha256: corpus.sha256,
    fileScheme: gold.scheme,
    irregularTags: gold.irregular,
    ...(rawText && { rawText: { lines: rawText.lines.length, sha256: rawText.sha256 } }),
  };
  return { tagSet, index, dataset, views, record, words: known, ...(variety && { variety }) };
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
 */
export async function train(
  corpus: Corpus,
  configuration: Configuration,
  options: TrainOptions = {},
): Promise<Model> {
  const { precision } = configuration;
  const prepared = prepare(corpus, configuration, options);
  const { tagSet, index, record, words, variety } = prepared;
  const code = codeOf(prepared, configuration);
  const { blocks, chunks } = await learnWeights(prepared, code, configuration, options);
  const { weights, keep } = joinBlocks(blocks, index.size, precision);
  return {
    configuration,
    tagSet,
    features: index.prune(keep),
    problems: blocks.reduce((sum, { lanes }) => sum + lanes, 0),
    ...(code && { code }),
    weights,
    ...(chunks && { chunks }),
    training: record,
    ...(configuration.tokens === 'characters' && { words }),
    ...(variety && { variety }),
  };
}

/** The strategy's problems; none for learners of all labels at once. */
function codeOf(
  { tagSet, index, dataset }: PreparedData,
  { strategy, seed, options }: Configuration,
): CodeMatrix | undefined {
  if (strategy === undefined) return undefined;
  return REDUCTIONS[strategy].code(labelStatistics(tagSet, index, dataset, seed), options);
}

/** Weights of some lanes. */
interface WeightBlock {
  /** Lanes in use. */
  readonly lanes: number;
  /** [D × W], W = lanes rounded up to a multiple of 4. */
  readonly weights: Float32Array;
}

/** The weights of all lanes: binary problems in blocks, or labels all at once; and what is learned of chunks. */
async function learnWeights(
  prepared: PreparedData,
  code: CodeMatrix | undefined,
  configuration: Configuration,
  { onProgress, runBlocks = runBlocksHere }: TrainOptions,
): Promise<{ blocks: WeightBlock[]; chunks?: ChunkModel }> {
  const { tagSet, dataset } = prepared;
  const { seed, options } = configuration;
  const labels = tagSet.tags.length;
  const learner = LEARNERS[configuration.learner];
  if (learner.kind === 'chunk') return learnChunks(learner, prepared, configuration, onProgress);
  if (learner.kind !== 'binary' || code === undefined) {
    const { train: learn } = learner as MulticlassLearner | SequenceLearner;
    // Data are prepared with their history split off for sequence learners, and for no others.
    const problem = { ...dataset, labelCount: labels, seed } as SequenceProblem;
    const weights = await learn(problem, options, (report) => onProgress?.({ kind: 'iteration', ...report }));
    return { blocks: [{ lanes: labels, weights }] };
  }
  const problems = splitIntoBlocks(dataset, code, seed);
  const blocks = await runBlocks(learner.name, problems, options, onProgress);
  return { blocks: problems.map((problem, b) => ({ lanes: problem.problems, weights: blocks[b] })) };
}

function learnChunks(
  learner: ChunkLearner,
  { tagSet, index: { layout }, dataset, views }: PreparedData,
  { templates, cutOff, options, decoder, precision, seed }: Configuration,
  onProgress?: ProgressListener,
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
  };
  const learned = learner.train(problem, options, (report) => onProgress?.({ kind: 'iteration', ...report }));
  const chunks = pruneChunks(index, layout.views, learned.chunks, precision === 'int8');
  return { blocks: [{ lanes: labels, weights: learned.tokens }], chunks: { ...chunks, limits } };
}

function readGold(corpus: Corpus, scheme: SchemeName) {
  const column = corpus.columns.length - 1;
  checkTags(corpus, scheme);
  const tags = corpus.alphabets[column].toArray();
  const ids = corpus.cells[column];
  const sequences: string[][] = [];
  const sentences: { spans: Span[]; length: number }[] = [];
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    const sequence = Array.from(ids.subarray(corpus.starts[s], corpus.starts[s + 1]), (id) => tags[id]);
    sequences.push(sequence);
    sentences.push({ spans: decodeTags(sequence, scheme), length: sequence.length });
  }
  const tokens = ids.length;
  if (scheme === 'token') return { sentences, scheme, irregular: 0, tokens };
  return { sentences, ...detectScheme(sequences), tokens };
}

/** Blocks of nearly equal size, none larger than {@link LARGEST_BLOCK}. */
function splitIntoBlocks(dataset: Dataset, code: CodeMatrix, seed: number): LaneProblem[] {
  const blocks = Math.ceil(code.problems / LARGEST_BLOCK);
  return Array.from({ length: blocks }, (_, block) => {
    const from = Math.floor((code.problems * block) / blocks);
    const to = Math.floor((code.problems * (block + 1)) / blocks);
    const signs = new Int8Array(code.labels * (to - from));
    for (let label = 0; label < code.labels; label++) {
      const row = label * code.problems;
      signs.set(code.signs.subarray(row + from, row + to), label * (to - from));
    }
    const { rows, labels } = dataset;
    return { rows, labels, labelCount: code.labels, signs, problems: to - from, block, seed };
  });
}

const runBlocksHere: BlockRunner = async (learner, problems, options, onProgress) =>
  problems.map((problem) =>
    (LEARNERS[learner] as BinaryLearner).trainBlock(problem, options, (report) =>
      onProgress?.({ kind: 'epoch', block: problem.block, blocks: problems.length, ...report }),
    ),
  );

/**
 * The weights of all blocks together, without the features whose weights are all 0; `keep` [D] tells which stay. With
 * `int8` each weight becomes the nearest multiple of a step, 127 of which are the largest weight: small ones become 0.
 */
function joinBlocks(blocks: readonly WeightBlock[], features: number, precision: Precision) {
  const step = precision === 'int8' ? largestOf(blocks) / 127 : 0;
  const keep = new Uint8Array(features);
  const starts = new Uint32List(features + 1);
  const laneTotal = blocks.reduce((sum, block) => sum + block.lanes, 0);
  let lanes = laneTotal <= 256 ? new Uint8Array(features) : new Uint16Array(features);
  let values = new Float32Array(features);
  let filled = 0;
  starts.push(0);
  for (let f = 0; f < features; f++) {
    let firstLane = 0;
    const from = filled;
    for (let b = 0; b < blocks.length; b++) {
      const { weights: block, lanes: count } = blocks[b];
      const row = f * laneCount(count);
      lanes = grown(lanes, filled + count);
      values = grown(values, filled + count);
      for (let k = 0; k < count; k++) {
        const value = step > 0 ? Math.round(block[row + k] / step) * step : block[row + k];
        if (value === 0) continue;
        lanes[filled] = firstLane + k;
        values[filled++] = value;
      }
      firstLane += count;
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
  for (const { weights: block } of blocks) {
    for (let i = 0; i < block.length; i++) largest = Math.max(largest, Math.abs(block[i]));
  }
  return largest;
}
