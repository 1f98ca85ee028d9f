import { checkArgument } from '../base/arguments.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { DOCUMENT_SIZE, withDocuments } from '../data/documents.js';
import { type Fold, splitCorpus } from '../data/folds.js';
import { scoreModel } from '../label/score-model.js';
import { scoreWords } from '../label/score-words.js';
import type { Configuration } from '../model/configuration.js';
import type { DecoderChoice } from '../model/model.js';
import type { ChunkScores } from '../score/conlleval.js';
import type { WordScores } from '../score/word-scores.js';
import { trainStages } from '../systems/stages.js';
import { Tagger } from '../tag/tagger.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import type { SchemeName } from '../tags/scheme.js';
import { withPlainTags } from '../tags/spelling.js';
import type { TrainOptions } from '../train/train-options.js';

/** How {@link crossValidate} works. */
export interface CrossValidationOptions {
  /** Number of folds, 2 … number of sentences. */
  readonly folds: number;
  /** Decides which sentence is in which fold. */
  readonly seed: number;
  /** Whether each fold is to have its share of each type's chunks; default no. */
  readonly stratified?: boolean | undefined;
  /** Whether folds are of whole documents; default no. */
  readonly byDocument?: boolean | undefined;
  /** Decoders to score each fold's model with; default the configuration's own. */
  readonly decoders?: readonly DecoderChoice[] | undefined;
  /** Passed on to each training. */
  readonly train?: TrainOptions | undefined;
  /** Runs the folds; default one after another. */
  readonly runFolds?: FoldRunner | undefined;
  /** Told after each fold. */
  readonly onFold?: FoldListener | undefined;
}

/** Scores of a fold's own sentences. */
export interface FoldScores extends ChunkScores {
  /** Where tokens are characters: those of words, unknown ones being those that the other folds do not have. */
  readonly words?: WordScores;
}

/** Is told the number of a fold, from 0, and its [decoders] scores. */
export type FoldListener = (fold: number, scores: readonly FoldScores[]) => void;

/** Work to be done with each fold. */
export interface FoldWork {
  /** All sentences. */
  readonly corpus: Corpus;
  /** Configuration to train. */
  readonly configuration: Configuration;
  /** Decoders to score with. */
  readonly decoders: readonly DecoderChoice[];
  /** Passed on to each training. */
  readonly train?: TrainOptions | undefined;
}

/** Trains and scores folds: here one after another, in `node/` on threads. Gives [folds][decoders] scores. */
export type FoldRunner = (
  work: FoldWork,
  folds: readonly Fold[],
  onFold?: FoldListener,
) => Promise<FoldScores[][]>;

/**
 * k-fold cross-validation by sentence or document: each fold is labelled by a model trained on all others.
 *
 * @returns [decoders][folds] scores.
 * @throws OptionError when `folds` is no integer from 2 to the number of sentences.
 */
export async function crossValidate(
  given: Corpus,
  configuration: Configuration,
  options: CrossValidationOptions,
): Promise<FoldScores[][]> {
  checkArgument('corpus', given, 'corpus');
  checkArgument('configuration', configuration, 'configuration');
  checkArgument('options', options, 'object');
  const corpus = withPlainTags(given, configuration.scheme);
  const { folds, seed, decoders = [{}], runFolds = runFoldsHere } = options;
  const whole = withDocuments(corpus, configuration.document ?? DOCUMENT_SIZE);
  const work = { corpus: whole, configuration, decoders, train: options.train };
  const strata = options.stratified ? strataOf(corpus, configuration.scheme) : undefined;
  const split = splitCorpus(whole, { folds, seed, byDocument: options.byDocument, strata });
  const results = await runFolds(work, split, options.onFold);
  return decoders.map((_, d) => results.map((scores) => scores[d]));
}

const runFoldsHere: FoldRunner = async (work, folds, onFold) => {
  const results: FoldScores[][] = [];
  for (const [fold, sentences] of folds.entries()) {
    results.push(await scoreFold(work, sentences));
    onFold?.(fold, results[fold]);
  }
  return results;
};

/**
 * Trains on a fold's other sentences and scores its own; gives [decoders] scores.
 *
 * @throws InputError naming file and line of the first label of all sentences that is no tag, whichever the fold.
 */
export async function scoreFold(
  { corpus, configuration, decoders, train: options }: FoldWork,
  { training, heldOut }: Fold,
): Promise<FoldScores[]> {
  checkTags(corpus, configuration.scheme);
  const model = await trainStages(selectSentences(corpus, training), configuration, options);
  const held = selectSentences(corpus, heldOut);
  return decoders.map((choice) => {
    const tagger = new Tagger(model, choice);
    const scores = scoreModel(tagger, held);
    return configuration.tokens === 'characters' ? { ...scores, words: scoreWords(tagger, held) } : scores;
  });
}

/** The types of each sentence's chunks (with scheme `token`, its labels), for a stratified split. */
export function strataOf(corpus: Corpus, scheme: SchemeName): string[][] {
  checkArgument('corpus', corpus, 'corpus');
  checkTags(corpus, scheme);
  const gold = new GoldTags(corpus, scheme);
  return Array.from({ length: corpus.starts.length - 1 }, (_, s) => gold.spans(s).map(({ type }) => type));
}

/** Mean and spread of some numbers. */
export interface MeanAndDeviation {
  /** Arithmetic mean. */
  readonly mean: number;
  /** Sample standard deviation (divisor n − 1); 0 for a single number. */
  readonly deviation: number;
}

/** Mean and sample standard deviation. */
export function meanAndDeviation(values: readonly number[]): MeanAndDeviation {
  checkArgument('values', values, 'numbers');
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}
