import type { LaneProblem } from './learner.js';

/** The examples that some problem of a block sees, in the block's own numbers. */
export interface SeenRows {
  /** Number of examples N′. */
  readonly examples: number;
  /** Number of their features, all of them together. */
  readonly entries: number;
  /** [D′] the features that they have, ascending: number f′ of the block is feature `features[f′]`; absent where these are all. */
  readonly features?: Uint32Array;
  /**
   * Writes the examples' rows and labels.
   *
   * @param offsets [N′ + 1] of zeros.
   * @param indices [entries]
   * @param labels [N′]
   */
  fill(offsets: Uint32Array, indices: Uint32Array, labels: Uint16Array): void;
}

/**
 * Selects the rows that a block's problems see. A block of few and rare labels is small, however many examples there are: what no
 * problem sees takes neither memory nor time, and the weights of the rest lie close together.
 */
export function seenRows({ rows, labels, labelCount, signs, problems }: LaneProblem): SeenRows {
  const sees = Array.from({ length: labelCount }, (_, label) =>
    signs.subarray(label * problems, (label + 1) * problems).some((sign) => sign !== 0),
  );
  if (!sees.includes(false)) {
    return {
      examples: labels.length,
      entries: rows.indices.length,
      fill: (ownOffsets, ownIndices, ownLabels) => {
        ownOffsets.set(rows.offsets);
        ownIndices.set(rows.indices);
        ownLabels.set(labels);
      },
    };
  }
  const { offsets, indices } = rows;
  /** [D] 1 for features that occur, then their numbers. */
  const numbers = new Uint32Array(rows.features);
  let examples = 0;
  let entries = 0;
  for (let n = 0; n < labels.length; n++) {
    if (!sees[labels[n]]) continue;
    examples++;
    entries += offsets[n + 1] - offsets[n];
    for (let j = offsets[n]; j < offsets[n + 1]; j++) numbers[indices[j]] = 1;
  }
  const features = new Uint32Array(numbers.reduce((sum, occurs) => sum + occurs, 0));
  for (let f = 0, own = 0; f < numbers.length; f++) {
    if (numbers[f] === 0) continue;
    features[own] = f;
    numbers[f] = own++;
  }
  return {
    examples,
    entries,
    features,
    fill: (ownOffsets, ownIndices, ownLabels) => {
      let own = 0;
      let at = 0;
      for (let n = 0; n < labels.length; n++) {
        if (!sees[labels[n]]) continue;
        for (let j = offsets[n]; j < offsets[n + 1]; j++) ownIndices[at++] = numbers[indices[j]];
        ownLabels[own++] = labels[n];
        ownOffsets[own] = at;
      }
    },
  };
}
