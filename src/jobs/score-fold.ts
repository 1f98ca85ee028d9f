import { type PackedCorpus, packCorpus, unpackCorpus } from '../data/corpus.js';
import type { Fold } from '../data/folds.js';
import { type FoldScores, type FoldWork, scoreFold } from '../evaluate/cross-validation.js';
import type { Configuration } from '../model/configuration.js';
import type { DecoderChoice } from '../model/model.js';
import { loadModel, saveModel } from '../model/model-file.js';
import type { TrainOptions } from '../train/train-options.js';

/** One fold of a cross-validation to train and score, as plain data. */
export interface FoldTask {
  /** All sentences. */
  readonly corpus: PackedCorpus;
  /** Configuration to train. */
  readonly configuration: Configuration;
  /** Decoders to score with. */
  readonly decoders: readonly DecoderChoice[];
  /** Sentences to train on and to score. */
  readonly fold: Fold;
  /** Options that decide how the training goes, but the model to go on from. */
  readonly train: PlainTrainOptions;
  /** Bytes of the model to go on from, if there is one. */
  readonly init: Uint8Array | undefined;
}

/** Options of training that are plain data. */
type PlainTrainOptions = Omit<TrainOptions, 'init' | 'onProgress' | 'runBlocks' | 'checkpoint'>;

/** The tasks of all folds. Each runs its blocks where it is performed, keeps no state, and tells no progress. */
export function foldTasks(
  { corpus, configuration, decoders, train = {} }: FoldWork,
  folds: readonly Fold[],
): FoldTask[] {
  const packed = packCorpus(corpus);
  const { init: model, onProgress, runBlocks, checkpoint, ...plain } = train;
  const init = model && saveModel(model);
  return folds.map((fold) => ({ corpus: packed, configuration, decoders, fold, train: plain, init }));
}

/** Trains and scores a fold; gives [decoders] scores. */
export function performFold({ corpus, fold, train, init, ...work }: FoldTask): Promise<FoldScores[]> {
  const options = { ...train, ...(init && { init: loadModel(init, 'the model to go on from') }) };
  return scoreFold({ ...work, corpus: unpackCorpus(corpus), train: options }, fold);
}
