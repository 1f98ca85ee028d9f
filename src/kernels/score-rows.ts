/**
 * Score rows of a stretch of tokens, out [T × W]: rows summed ahead, and the features of pairs of values, which are
 * looked up. The plain kernels, oracle of their SIMD twins: every addition is rounded to float32 and they run in the
 * order written here.
 */
import { hashPair } from '../features/tuple-table.js';

/** A conjunction of two values as {@link addPairs} reads it. */
export interface PairTable {
  /** [capacity, a power of 2] id + 1 of a pair, 0 where there is none: `TupleTable.hashed`. */
  readonly hashed: Uint32Array;
  /** [pairs × 2] */
  readonly keys: Uint32Array;
  /** [pairs + 1] first feature of each pair. */
  readonly starts: Uint32Array;
  /** [slots] where the pair stands, relative to the token that each slot's features are for; {@link NOWHERE} for none. */
  readonly offsets: Int32Array;
}

/** Features with their weights, those that are not 0; shapes: D features. */
export interface FeatureWeights {
  /** [D] slot of each feature, ascending within a pair. */
  readonly slots: Uint16Array;
  /** [D + 1] where each feature's weights start. */
  readonly starts: Uint32Array;
  /** [nnz] lane of each weight; two bytes where there are more than 256. */
  readonly lanes: Uint8Array | Uint16Array;
  /** [nnz] */
  readonly values: Float32Array;
}

/** Offset of a slot whose features are for no token. */
export const NOWHERE = 1 << 20;

/**
 * Sums rows of a matrix for each token t: `out[t] = Σ matrix[rows[i]]` over i from `starts[t]` to `starts[t + 1] − 1`.
 *
 * @param matrix [rows × width]
 * @param width a multiple of 4.
 * @param starts [tokens + 1] where each token's row numbers are in `rows`.
 * @param out [tokens × width]; written.
 */
export function sumRows(
  matrix: Float32Array,
  width: number,
  rows: Uint32Array,
  starts: Uint32Array,
  tokens: number,
  out: Float32Array,
): void {
  const fround = Math.fround;
  for (let t = 0; t < tokens; t++) {
    const start = starts[t];
    const end = starts[t + 1];
    for (let group = 0; group < width; group += 4) {
      // Sums in variables rather than in memory: more than twice as fast.
      let sum0 = fround(0);
      let sum1 = fround(0);
      let sum2 = fround(0);
      let sum3 = fround(0);
      for (let i = start; i < end; i++) {
        const from = rows[i] * width + group;
        sum0 = fround(sum0 + matrix[from]);
        sum1 = fround(sum1 + matrix[from + 1]);
        sum2 = fround(sum2 + matrix[from + 2]);
        sum3 = fround(sum3 + matrix[from + 3]);
      }
      const at = t * width + group;
      out[at] = sum0;
      out[at + 1] = sum1;
      out[at + 2] = sum2;
      out[at + 3] = sum3;
    }
  }
}

/**
 * Adds the features of pairs of values to the tokens that they are for.
 *
 * @param values holds both values of each position: from `left` and from `right` on; 0 is none.
 * @param positions number of positions.
 * @param first the first position, relative to the first token.
 * @param out [tokens × width]; changed.
 */
export function addPairs(
  values: Uint32Array,
  left: number,
  right: number,
  positions: number,
  first: number,
  table: PairTable,
  features: FeatureWeights,
  width: number,
  tokens: number,
  out: Float32Array,
): void {
  const { hashed, keys, starts, offsets } = table;
  const { slots, starts: firsts, lanes, values: weights } = features;
  const mask = hashed.length - 1;
  for (let i = 0; i < positions; i++) {
    const a = values[left + i];
    const b = values[right + i];
    if (a === 0 || b === 0) continue;
    let slot = hashPair(a, b) & mask;
    let id = hashed[slot];
    while (id !== 0 && (keys[2 * id - 2] !== a || keys[2 * id - 1] !== b)) {
      slot = (slot + 1) & mask;
      id = hashed[slot];
    }
    if (id === 0) continue;
    const end = starts[id];
    for (let f = starts[id - 1]; f < end; f++) {
      if (slots[f] >= offsets.length) break;
      const t = first + i - offsets[slots[f]];
      if (t < 0 || t >= tokens) continue;
      const at = t * width;
      const last = firsts[f + 1];
      for (let j = firsts[f]; j < last; j++) out[at + lanes[j]] += weights[j];
    }
  }
}

/**
 * Adds the weights of a tuple's features to the rows of a block, which has a row for each place that it is seen from;
 * rows are made when something is first added to them.
 *
 * @param starts [tuples + 1] first feature of each tuple.
 * @param placeOf [slots] the place that each slot's weights go to, −1 for none; slots beyond have none.
 * @param block [places] the row of each place, 0 where there is none yet; changed.
 * @param matrix [rows × width]; changed. There is room for a new row for every place.
 * @param next the first row that is free.
 * @returns the first row that is free now.
 */
export function addTuple(
  starts: Uint32Array,
  tuple: number,
  placeOf: Int32Array,
  features: FeatureWeights,
  block: Uint32Array,
  matrix: Float32Array,
  width: number,
  next: number,
): number {
  const { slots, starts: firsts, lanes, values: weights } = features;
  const end = starts[tuple + 1];
  let free = next;
  for (let f = starts[tuple]; f < end; f++) {
    const slot = slots[f];
    if (slot >= placeOf.length) break;
    const place = placeOf[slot];
    if (place < 0) continue;
    if (block[place] === 0) {
      matrix.fill(0, free * width, (free + 1) * width);
      block[place] = free++;
    }
    const at = block[place] * width;
    const last = firsts[f + 1];
    for (let j = firsts[f]; j < last; j++) matrix[at + lanes[j]] += weights[j];
  }
  return free;
}
