import type { FeatureIndex } from '../features/feature-index.js';
import type { Model } from './model.js';
import type { SparseWeights } from './sparse-weights.js';

/**
 * Checks what labelling takes for granted of a model's arrays and their reading does not see: a file whose checksum is right
 * may have been made to harm. Looks at every number once.
 *
 * @throws Error with one sentence that names the tensor.
 */
export function checkModel({ features, weights, chunks }: Model): void {
  checkLanes(weights, 'weights');
  checkSlots(features);
  checkTuples(features);
  if (!chunks) return;
  checkLanes(chunks.weights, 'chunk.weights');
  const { bigrams, values, pairs } = chunks.limits;
  checkFlags(bigrams, 'chunk.bigrams');
  checkFlags(values, 'chunk.values');
  if (pairs) checkFlags(pairs.types, 'chunk.pairTypes');
}

/** Kernels add the weights of a feature as runs of lanes side by side. */
function checkLanes({ starts, lanes }: SparseWeights, name: string): void {
  if (stepsThatDoNotAscend(lanes) === stepsBetweenGroups(lanes, starts)) return;
  const bad = firstUnordered(lanes, starts);
  throw new Error(`${name}.lanes: expected lanes in ascending order, found others for feature ${bad}`);
}

/** Features are found by their slots, the first that is not less. */
function checkSlots({ slots, starts }: FeatureIndex): void {
  const between = starts.reduce((sum, own) => sum + stepsBetweenGroups(slots, own), 0);
  if (stepsThatDoNotAscend(slots) === between) return;
  for (const own of starts) {
    const bad = firstUnordered(slots, own);
    if (bad < 0) continue;
    throw new Error(`slots: expected slots in ascending order, found others from feature ${own[bad]} on`);
  }
}

/** A value of 0 stands for none, and what has none is no tuple. */
function checkTuples({ tables }: FeatureIndex): void {
  tables.forEach((table, c) => {
    const at = table ? table.pack().indexOf(0) : -1;
    if (at >= 0) throw new Error(`conjunction.${c}.tuples: expected value ids above 0, found 0 at ${at}`);
  });
}

function checkFlags(flags: Uint8Array, name: string): void {
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] > 1) throw new Error(`${name}: expected 0 or 1, found ${flags[i]} at ${i}`);
  }
}

/**
 * How often a number is not greater than the one before it. Numbers below half of their range are compared a word at a
 * time: with the highest bit of each set beforehand none borrows from its neighbour.
 */
function stepsThatDoNotAscend(values: Uint8Array | Uint16Array): number {
  const { length, buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = values;
  if (length < 8) return stepsIn(values, 1, length);
  const bits = 8 * bytes;
  const high = bits === 8 ? 0x80808080 | 0 : 0x80008000 | 0;
  const one = bits === 8 ? 0x01010101 : 0x00010001;
  // Words begin at a multiple of 4, after the first number.
  const skipped = 4 - (byteOffset & 3);
  const from = skipped / bytes;
  const words = new Uint32Array(buffer, byteOffset + skipped, ((length - from) * bytes) >>> 2);
  let before = values[from - 1];
  let all = before;
  let count = stepsIn(values, 1, from);
  for (let w = 0; w < words.length; w++) {
    const word = words[w] | 0;
    all |= word;
    const ascents = ((((word | high) - ((word << bits) | before)) | 0) - one) | 0;
    count += Math.imul((~ascents & high) >>> (bits - 1), one) >>> (32 - bits);
    before = word >>> (32 - bits);
  }
  if ((all & high) !== 0) return stepsIn(values, 1, length);
  return count + stepsIn(values, from + (4 * words.length) / bytes, length);
}

function stepsIn(values: Uint8Array | Uint16Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (values[i] <= values[i - 1]) count++;
  return count;
}

/** How often the first number of a group is not greater than the last of the group before. */
function stepsBetweenGroups(values: Uint8Array | Uint16Array, starts: Uint32Array): number {
  let count = 0;
  for (let group = 0; group + 1 < starts.length; group++) {
    const start = starts[group];
    if (start === 0) continue;
    if (start === values.length) break;
    // Without a branch: 1 where the group is not empty, and its first number not greater.
    count += ((start - starts[group + 1]) >>> 31) & ((values[start] - values[start - 1] - 1) >>> 31);
  }
  return count;
}

/** The first of the groups `starts[g] … starts[g + 1] − 1` whose numbers do not ascend; −1 where all do. */
function firstUnordered(values: Uint8Array | Uint16Array, starts: Uint32Array): number {
  for (let group = 0; group + 1 < starts.length; group++) {
    const end = starts[group + 1];
    for (let i = starts[group] + 1; i < end; i++) if (values[i] <= values[i - 1]) return group;
  }
  return -1;
}
