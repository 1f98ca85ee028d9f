/**
 * What tokens bring together with the label at −1: rows [W] by that label, summed from features. The plain kernels,
 * oracle of their SIMD twins: every addition is rounded to float32 and they run in the order written here.
 */

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

/**
 * Adds to the rows of labels what some runs of features bring.
 *
 * @param runs where each run starts and ends in the words, from `runsAt` on.
 * @param count number of runs.
 * @param first label of the first row, which is `out` from `at` on.
 * @param labels number of rows.
 */
export function addHistory(
  { words, floats }: JoinedFeatures,
  runs: Uint32Array,
  runsAt: number,
  count: number,
  first: number,
  labels: number,
  width: number,
  out: Float32Array,
  at: number,
): void {
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
}
