/**
 * Contributions of tokens joined with the label at −1: rows [W] by that label, summed from features. The plain kernels,
 * oracle of their SIMD twins: every addition is rounded to float32 and they run in the order written here.
 */
import type { Kernel } from './kernel.js';

/** Features that are joined with the label at −1, packed so that all that a tuple of one template brings stands together. */
export interface JoinedFeatures {
  /**
   * Runs of features in the order of their labels. A feature is a word that has its label in the upper and its number of
   * weights in the lower 16 bits, then two words for each weight: its lane and its value. Where that number is 0, all lanes have the
   * one value that follows.
   */
  readonly words: Uint32Array;
  /** The same memory, to read values from. */
  readonly floats: Float32Array;
}

/** Runs of features that are added to the rows of labels. */
export interface HistorySum {
  /** The features. */
  readonly features: JoinedFeatures;
  /** Start and end of each run in the words, from `runsAt` on. */
  readonly runs: Uint32Array;
  /** Place of the first run's start. */
  readonly runsAt: number;
  /** Number of runs. */
  readonly count: number;
  /** Label of the first row. */
  readonly first: number;
  /** Number of rows, one for each label from the first on. */
  readonly labels: number;
  /** Lanes of a row. */
  readonly width: number;
  /** Rows from `at` on; changed. */
  readonly out: Float32Array;
  /** Place of the first row. */
  readonly at: number;
}

/** Adds runs of features to the rows of labels. */
export const addHistory: Kernel<HistorySum, void> = {
  name: 'addHistory',
  plain({ features, runs, runsAt, count, first, labels, width, out, at }) {
    const { words, floats } = features;
    for (let i = 0; i < count; i++) {
      const end = runs[runsAt + 2 * i + 1];
      for (let word = runs[runsAt + 2 * i]; word < end; ) {
        const header = words[word++];
        const weights = header & 0xffff;
        const next = word + (weights === 0 ? 1 : 2 * weights);
        const label = (header >>> 16) - first;
        if (label >= labels) break;
        if (label >= 0) {
          const row = at + label * width;
          if (weights === 0) for (let k = 0; k < width; k++) out[row + k] += floats[word];
          else for (; word < next; word += 2) out[row + words[word]] += floats[word + 1];
        }
        word = next;
      }
    }
  },
  parameters: {
    words: ['uint32', ({ features }) => features.words],
    runs: ['uint32', ({ runs }) => runs, ({ runsAt }) => runsAt],
    count: ['number', ({ count }) => count],
    first: ['number', ({ first }) => first],
    labels: ['number', ({ labels }) => labels],
    width: ['constant', ({ width }) => width],
    out: ['float32', ({ out }) => out, ({ at }) => at],
  },
};
