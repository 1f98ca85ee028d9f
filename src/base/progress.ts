/** Progress report of long work; a tagged union given to one callback. Only the command line draws it. */
export type Progress =
  | {
      /** Reading, counting and interning features. */
      readonly kind: 'features';
      /** Training sentences done so far. */
      readonly sentences: number;
      /** Training sentences in all. */
      readonly total: number;
    }
  | {
      /** One epoch of one lane block is done. */
      readonly kind: 'epoch';
      /** Lane block, from 0. */
      readonly block: number;
      /** Number of lane blocks. */
      readonly blocks: number;
      /** Epoch just finished, from 1. */
      readonly epoch: number;
      /** Most epochs that will be run. */
      readonly epochs: number;
      /** Largest projected-gradient gap over the block's unfinished problems. */
      readonly gap: number;
      /** Examples the shrunken active set still holds. */
      readonly active: number;
    }
  | {
      /** One iteration of a learner of all labels is done. */
      readonly kind: 'iteration';
      /** Iteration just finished, from 1. */
      readonly iteration: number;
      /** Most iterations that will be run. */
      readonly iterations: number;
      /** Measures of the learner, by name. */
      readonly measures: Readonly<Record<string, number>>;
    };

/** Receives progress reports. */
export type ProgressListener = (progress: Progress) => void;
