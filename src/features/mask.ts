import { Random } from '../base/random.js';
import type { Dataset, LabelHistory, Rows } from '../data/dataset.js';

/** [S] the part of the training data that each sentence falls into at random; parts differ in size by at most one. */
export function randomParts(sentences: number, parts: number, seed: number): Uint16Array {
  const order = Uint32Array.from({ length: sentences }, (_, s) => s);
  new Random(seed).shuffle(order);
  const partOf = new Uint16Array(sentences);
  order.forEach((s, i) => {
    partOf[s] = i % parts;
  });
  return partOf;
}

/**
 * The mask method (Wu, Chang and Lee 2006), which shows a learner what unknown words look like: sentences fall into
 * parts at random, and every sentence comes a second time without the lexical features that no other part has.
 *
 * @param dataset the originals, then as many copies in the same order, from which features are taken.
 * @param sentenceParts [S] part of each original.
 * @param lexical [D] 1 for features that are masked.
 */
export function maskCopies(dataset: Dataset, sentenceParts: Uint16Array, lexical: Uint8Array): Dataset {
  const { rows, starts, history } = dataset;
  /** [N] */
  const partOf = new Uint16Array(starts[sentenceParts.length]);
  sentenceParts.forEach((part, s) => {
    partOf.fill(part, starts[s], starts[s + 1]);
  });
  const onlyPart = partsOfFeatures(history ? [rows, history.joined] : [rows], partOf);
  const mask = (own: Rows) => withoutMasked(own, partOf, onlyPart, lexical);
  return {
    ...dataset,
    rows: mask(rows),
    ...(history && { history: { ...history, joined: mask(history.joined) } satisfies LabelHistory }),
  };
}

/** A feature that no part has, and one that several have. */
const NOWHERE = 0xffff;
const SEVERAL = 0xfffe;

/** [D] the only part whose originals have a feature, or one of the two above. */
function partsOfFeatures(matrices: readonly Rows[], partOf: Uint16Array): Uint16Array {
  const parts = new Uint16Array(matrices[0].features).fill(NOWHERE);
  for (const { offsets, indices } of matrices) {
    for (let n = 0; n < partOf.length; n++) {
      const part = partOf[n];
      for (let j = offsets[n]; j < offsets[n + 1]; j++) {
        const feature = indices[j];
        if (parts[feature] === NOWHERE) parts[feature] = part;
        else if (parts[feature] !== part) parts[feature] = SEVERAL;
      }
    }
  }
  return parts;
}

/** The rows, those of copies without the lexical features that only their own part has. */
function withoutMasked(
  { offsets, indices, features }: Rows,
  partOf: Uint16Array,
  onlyPart: Uint16Array,
  lexical: Uint8Array,
): Rows {
  const originals = partOf.length;
  const ends = offsets.slice();
  let filled = offsets[originals];
  const kept = indices.slice();
  for (let n = 0; n < originals; n++) {
    for (let j = offsets[originals + n]; j < offsets[originals + n + 1]; j++) {
      const feature = indices[j];
      if (lexical[feature] === 0 || onlyPart[feature] !== partOf[n]) kept[filled++] = feature;
    }
    ends[originals + n + 1] = filled;
  }
  return { offsets: ends, indices: kept.subarray(0, filled), features };
}
