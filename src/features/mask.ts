import { Random } from '../base/random.js';
import type { Dataset, LabelHistory, Rows } from '../data/dataset.js';

/**
 * The mask method (Wu, Chang and Lee 2006), which shows a learner what unknown words look like: sentences fall into
 * parts at random, and every sentence comes a second time without the lexical features that no other part has. Features
 * are counted, and cut off, on the originals alone.
 *
 * @param parts number of parts, at least 2.
 * @param lexical [D] 1 for features that are masked.
 * @returns the originals, then the masked copies in the same order.
 */
export function withMaskedCopies(
  dataset: Dataset,
  parts: number,
  lexical: Uint8Array,
  seed: number,
): Dataset {
  const { rows, labels, starts, history } = dataset;
  const sentences = starts.length - 1;
  const order = Uint32Array.from({ length: sentences }, (_, s) => s);
  new Random(seed).shuffle(order);
  /** [N] */
  const partOf = new Uint16Array(labels.length);
  for (let i = 0; i < sentences; i++) {
    const s = order[i];
    partOf.fill(i % parts, starts[s], starts[s + 1]);
  }
  const doubledStarts = new Uint32Array(2 * sentences + 1);
  doubledStarts.set(starts);
  for (let s = 1; s <= sentences; s++) doubledStarts[sentences + s] = labels.length + starts[s];
  const doubledLabels = new Uint16Array(2 * labels.length);
  doubledLabels.set(labels);
  doubledLabels.set(labels, labels.length);
  const seenIn = partsOfFeatures(history ? [rows, history.joined] : [rows], partOf);
  const double = (own: Rows) => withMasked(own, partOf, seenIn, lexical);
  return {
    rows: double(rows),
    labels: doubledLabels,
    starts: doubledStarts,
    ...(history && { history: { ...history, joined: double(history.joined) } satisfies LabelHistory }),
  };
}

/** A feature that no part has, and one that several have. */
const NOWHERE = 0xffff;
const SEVERAL = 0xfffe;

/** [D] the only part that has a feature, or one of the two above. */
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

/** Rows, and after them the same without the lexical features that only their own part has. */
function withMasked(
  { offsets, indices, features }: Rows,
  partOf: Uint16Array,
  onlyPart: Uint16Array,
  lexical: Uint8Array,
): Rows {
  const examples = partOf.length;
  const doubled = new Uint32Array(2 * indices.length);
  doubled.set(indices);
  const ends = new Uint32Array(2 * examples + 1);
  ends.set(offsets);
  let filled = indices.length;
  for (let n = 0; n < examples; n++) {
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      const feature = indices[j];
      if (lexical[feature] === 0 || onlyPart[feature] !== partOf[n]) doubled[filled++] = feature;
    }
    ends[examples + n + 1] = filled;
  }
  return { offsets: ends, indices: doubled.slice(0, filled), features };
}
