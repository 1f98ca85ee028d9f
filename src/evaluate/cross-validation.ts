import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import { Random } from '../base/random.js';
import { type Corpus, selectSentences } from '../data/corpus.js';
import { scoreModel } from '../label/score-model.js';
import { scoreWords } from '../label/score-words.js';
import type { Configuration } from '../model/configuration.js';
import type { DecoderChoice } from '../model/model.js';
import type { ChunkScores } from '../score/conlleval.js';
import type { WordScores } from '../score/word-scores.js';
import { Tagger } from '../tag/tagger.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import type { SchemeName } from '../tags/scheme.js';
import { withPlainTags } from '../tags/spelling.js';
import { train } from '../train/train.js';
import type { TrainOptions } from '../train/train-options.js';

/** How {@link crossValidate} works. */
export interface CrossValidationOptions {
  /** Number of folds, 2 … number of sentences. */
  readonly folds: number;
  /** Decides which sentence is in which fold. */
  readonly seed: number;
  /** Whether each fold is to have its share of each type's chunks; default no. */
  readonly stratified?: boolean | undefined;
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
 * k-fold cross-validation by sentence: each fold is labelled by a model trained on all others.
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
  const work = { corpus, configuration, decoders, train: options.train };
  const strata = options.stratified ? strataOf(corpus, configuration.scheme) : undefined;
  const split = splitFolds(corpus.starts.length - 1, folds, seed, strata);
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
  const model = await train(selectSentences(corpus, training), configuration, options);
  const held = selectSentences(corpus, heldOut);
  return decoders.map((choice) => {
    const tagger = new Tagger(model, choice);
    const scores = scoreModel(tagger, held);
    return configuration.tokens === 'characters' ? { ...scores, words: scoreWords(tagger, held) } : scores;
  });
}

/** Sentences to train on and to score on, both ascending. */
export interface Fold {
  /** Sentences of all other folds. */
  readonly training: Uint32Array;
  /** Sentences of this fold. */
  readonly heldOut: Uint32Array;
}

/**
 * A random split into folds whose sizes differ by at most one.
 *
 * @param strata [S] the types in each sentence, once for each chunk: each fold then gets its share of each type, as
 *   far as sizes allow.
 * @throws OptionError when `folds` is no integer from 2 to the number of sentences.
 */
export function splitFolds(
  sentences: number,
  folds: number,
  seed: number,
  strata?: readonly (readonly string[])[],
): Fold[] {
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= sentences)) {
    throw new OptionError(
      'folds',
      `--folds: expected an integer from 2 to the ${sentences} sentences, found ${folds}`,
    );
  }
  const order = Uint32Array.from({ length: sentences }, (_, i) => i);
  new Random(seed).shuffle(order);
  const foldOf = strata ? stratify(order, folds, strata) : new Uint32Array(sentences);
  if (!strata) {
    order.forEach((sentence, i) => {
      foldOf[sentence] = i % folds;
    });
  }
  return Array.from({ length: folds }, (_, fold) => ({
    training: order.filter((sentence) => foldOf[sentence] !== fold).sort(),
    heldOut: order.filter((sentence) => foldOf[sentence] === fold).sort(),
  }));
}

/** The types of each sentence's chunks (with scheme `token`, its labels), for a stratified split. */
export function strataOf(corpus: Corpus, scheme: SchemeName): string[][] {
  checkArgument('corpus', corpus, 'corpus');
  checkTags(corpus, scheme);
  const gold = new GoldTags(corpus, scheme);
  return Array.from({ length: corpus.starts.length - 1 }, (_, s) => gold.spans(s).map(({ type }) => type));
}

/**
 * Iterative stratification (Sechidis, Tsoumakas and Vlahavas 2011): sentences with the rarest type are dealt first,
 * each to the fold that still lacks most of that type, of equals to the one with most room, of equals to the first.
 *
 * @returns [S] the fold of each sentence.
 */
function stratify(order: Uint32Array, folds: number, strata: readonly (readonly string[])[]): Uint32Array {
  const totals = new Map<string, number>();
  for (const types of strata) for (const type of types) totals.set(type, (totals.get(type) ?? 0) + 1);
  const wanted = new Map(
    [...totals].map(([type, total]) => [type, new Float64Array(folds).fill(total / folds)]),
  );
  const room = Uint32Array.from({ length: folds }, (_, fold) =>
    Math.floor((order.length + folds - 1 - fold) / folds),
  );
  const rarestFirst = [...totals].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([type]) => type);
  const byRarest = new Map<string | undefined, number[]>(rarestFirst.map((type) => [type, []]));
  byRarest.set(undefined, []);
  const rank = new Map(rarestFirst.map((type, i) => [type, i]));
  for (const sentence of order) {
    const ranks = strata[sentence].map((type) => rank.get(type) as number);
    byRarest.get(ranks.length > 0 ? rarestFirst[Math.min(...ranks)] : undefined)?.push(sentence);
  }
  const foldOf = new Uint32Array(order.length);
  for (const [type, sentences] of byRarest) {
    const lack = type === undefined ? undefined : wanted.get(type);
    for (const sentence of sentences) {
      let best = -1;
      for (let fold = 0; fold < folds; fold++) {
        if (room[fold] === 0) continue;
        const more = best < 0 ? 1 : (lack?.[fold] ?? 0) - (lack?.[best] ?? 0) || room[fold] - room[best];
        if (more > 0) best = fold;
      }
      foldOf[sentence] = best;
      room[best]--;
      for (const own of strata[sentence]) (wanted.get(own) as Float64Array)[best]--;
    }
  }
  return foldOf;
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
