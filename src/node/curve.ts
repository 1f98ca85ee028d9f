import type { Corpus } from '../data/corpus.js';
import type { Fold } from '../data/folds.js';
import { curveFolds } from '../evaluate/learning-curve.js';
import type { Configuration } from '../model/configuration.js';
import type { LearningCurve } from '../report/curve-report.js';
import { foldRunner } from './fold-pool.js';
import { freeMemory } from './free-memory.js';

/** The score of one training of a learning curve. */
export interface CurveResult {
  /** Name of the curve. */
  readonly curve: string;
  /** Percent of the training data. */
  readonly size: number;
  /** Number of the fold, from 0. */
  readonly fold: number;
  /** F; of labels of single tokens, accuracy. */
  readonly score: number;
}

/** How {@link measureCurve} works. */
export interface CurveOptions {
  /** Name of the curve. */
  readonly name: string;
  /** Percent of the training data, ascending. */
  readonly sizes: readonly number[];
  /** The folds. */
  readonly split: readonly Fold[];
  /** Trainings under way at a time. */
  readonly threads: number;
  /** Scores measured before. */
  readonly known: (size: number, fold: number) => number | undefined;
  /** Told each new result as it comes. */
  readonly onResult: (result: CurveResult) => Promise<void>;
  /** Told after each training, done before or now. */
  readonly onProgress: () => void;
}

/** Measures a learning curve: the score on each fold by size of the training data. */
export async function measureCurve(
  corpus: Corpus,
  configuration: Configuration,
  options: CurveOptions,
): Promise<LearningCurve> {
  const { name, sizes, split, threads, known, onResult, onProgress } = options;
  const figure = configuration.scheme === 'token' ? 'accuracy' : 'f1';
  const all = curveFolds(split, sizes, configuration.seed);
  const scores = all.map(({ size, fold }) => known(size, fold));
  const missing = [...all.keys()].filter((i) => scores[i] === undefined);
  for (let i = missing.length; i < all.length; i++) onProgress();
  const written: Promise<void>[] = [];
  await foldRunner(threads)(
    { corpus, configuration, decoders: [{}], train: { maxMemory: freeMemory(threads) } },
    missing.map((i) => all[i]),
    (done, [result]) => {
      const { size, fold } = all[missing[done]];
      scores[missing[done]] = result[figure];
      written.push(onResult({ curve: name, size, fold, score: result[figure] }));
      onProgress();
    },
  );
  await Promise.all(written);
  return {
    name,
    points: sizes.map((size) => {
      const own = [...all.keys()].filter((i) => all[i].size === size);
      const sentences = own.reduce((sum, i) => sum + all[i].training.length, 0) / own.length;
      return { size, sentences: Math.round(sentences), scores: own.map((i) => scores[i] as number) };
    }),
  };
}
