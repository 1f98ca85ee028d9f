import type { ProgressListener } from '../base/progress.js';
import type { ChunkDecoder } from '../decode/decoder.js';
import { DECODERS } from '../decode/decoders.js';
import type { Checkpoint } from '../learn/checkpoint.js';
import type {
  BinaryLearner,
  ChunkLearner,
  ChunkProblem,
  MulticlassLearner,
  SequenceLearner,
  SequenceProblem,
} from '../learn/learner.js';
import { LEARNERS } from '../learn/learners.js';
import type { ChunkModel } from '../model/chunk-model.js';
import type { Configuration } from '../model/configuration.js';
import { SparseWeights } from '../model/sparse-weights.js';
import type { CodeMatrix } from '../reduce/reduction.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { initialWeights } from './continue.js';
import { dictionaryView, extractChunks, pruneChunks } from './extract-chunks.js';
import type { WeightBlock } from './join-blocks.js';
import { blockProblems, blocksOf } from './lane-problems.js';
import type { PreparedData } from './prepare.js';
import type { BlockProblem, BlockRunner, TrainOptions } from './train-options.js';

/** All that learning gives. */
export interface LearnedWeights {
  /** Weights of token features, in blocks of lanes. */
  readonly blocks: WeightBlock[];
  /** Features and weights of whole chunks, for learners of these. */
  readonly chunks?: ChunkModel;
}

/** Learns the weights of all lanes: binary problems in blocks, or labels all at once. */
export async function learnWeights(
  prepared: PreparedData,
  code: CodeMatrix | undefined,
  configuration: Configuration,
  { onProgress, init, checkpoint, runBlocks = runBlocksHere }: TrainOptions,
): Promise<LearnedWeights> {
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

const runBlocksHere: BlockRunner = async (learner, problems, options, onProgress) =>
  problems.map((problem) => {
    const { trainBlock } = LEARNERS[learner] as BinaryLearner;
    const weights = trainBlock({ ...problem, initial: problem.initial?.() }, options, (report) =>
      onProgress?.({ kind: 'epoch', block: problem.block, blocks: problems.length, ...report }),
    );
    return SparseWeights.ofRows(weights, problem.problems);
  });
