/**
 * Score rows of a stretch of tokens, out [T × W]: rows summed ahead, and what pairs of values bring, which are looked
 * up. The plain kernels, oracle of their SIMD twins: in float32 every addition is rounded and they run in the order
 * written here. Where weights are whole numbers of one step, rows are int16 and hold such numbers: sums are exact.
 */
import { hashPair } from './hash.js';

/** Rows of scores: in float32, or in steps. */
export type ScoreRows = Float32Array | Int16Array;

/** Whether rows are in steps. */
export function inSteps(rows: ScoreRows): rows is Int16Array {
  return rows instanceof Int16Array;
}

/** Words of a weight in runs for float32 rows. */
export const WEIGHT_WORDS = 2;
/** Lanes of a group in runs for int16 rows, */
export const STEP_LANES = 8;
/** and words of a group. */
export const STEP_WORDS = 3;

/**
 * Features packed so that all that a tuple brings stands together. What a run of features is depends on the rows it is
 * for. Float32: for each feature, a word that has its place in the upper and its number of weights in the lower 16 bits,
 * then two words for each weight, its lane and its value. Int16: for each eight lanes that a feature has weights in, a word
 * that has the feature's place in the upper and the first of these lanes in the lower 16 bits, then the eight weights in
 * steps, int8. Lanes beyond a row's have none.
 */
export interface PackedFeatures {
  /** [words] */
  readonly words: Uint32Array;
  /** [words] the same memory, to read values from. */
  readonly floats: Float32Array;
  /** [words × 4] the same memory, to read steps from. */
  readonly steps: Int8Array;
}

/** A conjunction of two values as {@link addPairs} reads it. */
export interface PairTable {
  /**
   * [capacity, a power of 2 × 4] left value, right value, and where the pair's run of features starts and ends in the
   * words; all 0 where there is none. Places are signed, how many tokens after the pair's first one a feature is for.
   */
  readonly entries: Uint32Array;
}

/** Tuples whose features are summed together. */
export interface TupleList {
  /** [tuples] where each one's run of features starts in the words, */
  readonly starts: Uint32Array;
  /** [tuples] and ends. */
  readonly ends: Uint32Array;
  /** [tuples] where in `placeOf` each one's table is: the place in the block of each place of a feature, −1 for none. */
  readonly tables: Uint32Array;
  /** All tables, one after another. */
  readonly placeOf: Int32Array;
}

/**
 * Sums rows of a matrix for each token t: `out[t] = Σ matrix[rows[i]]` over i from `starts[t]` to `starts[t + 1] − 1`.
 *
 * @param matrix [rows × width]
 * @param width a multiple of 4.
 * @param starts [tokens + 1] where each token's row numbers are in `rows`.
 * @param out [tokens × width]; written. Rows as the matrix has them.
 */
export function sumRows(
  matrix: ScoreRows,
  width: number,
  rows: Uint32Array,
  starts: Uint32Array,
  tokens: number,
  out: ScoreRows,
): void {
  if (inSteps(matrix)) {
    sumStepRows(matrix, width, rows, starts, tokens, out);
    return;
  }
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

/** As {@link sumRows} for rows in steps: integers throughout are more than twice as fast. */
function sumStepRows(
  matrix: Int16Array,
  width: number,
  rows: Uint32Array,
  starts: Uint32Array,
  tokens: number,
  out: ScoreRows,
): void {
  for (let t = 0; t < tokens; t++) {
    const start = starts[t];
    const end = starts[t + 1];
    for (let group = 0; group < width; group += 4) {
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      let sum3 = 0;
      for (let i = start; i < end; i++) {
        const from = rows[i] * width + group;
        sum0 = (sum0 + matrix[from]) | 0;
        sum1 = (sum1 + matrix[from + 1]) | 0;
        sum2 = (sum2 + matrix[from + 2]) | 0;
        sum3 = (sum3 + matrix[from + 3]) | 0;
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
 * Lists, for each token, the rows that the strings or windows around it bring to it, one for each place that they are
 * seen from.
 *
 * @param ids holds what stands at each position, the first token's from `first` on.
 * @param offsets [places] where each is seen, relative to the token.
 * @param rowsOf [ids × places] row of each id for each place, 0 for none.
 * @param out [tokens × stride]; `column` and the places − 1 after it are written in each row.
 */
export function listRows(
  ids: Uint32Array,
  first: number,
  offsets: Int32Array,
  rowsOf: Uint32Array,
  tokens: number,
  out: Uint32Array,
  column: number,
  stride: number,
): void {
  const places = offsets.length;
  for (let t = 0; t < tokens; t++) {
    const at = t * stride + column;
    for (let i = 0; i < places; i++) out[at + i] = rowsOf[ids[first + t + offsets[i]] * places + i];
  }
}

/**
 * Writes scores that are in steps as float32: each is the product in 64 bits, rounded to 32.
 *
 * @param steps [length]
 * @param length a multiple of 4.
 * @param step what they are multiples of.
 * @param out [length]; written.
 */
export function scaleSteps(steps: Int16Array, length: number, step: number, out: Float32Array): void {
  for (let i = 0; i < length; i++) out[i] = steps[i] * step;
}

/**
 * Adds what pairs of values bring to the tokens around them.
 *
 * @param values holds both values of each position: from `left` and from `right` on; 0 is none.
 * @param positions number of positions.
 * @param out rows [W] of tokens, that of the first position from `at` on; changed. There are rows for all tokens that any
 *   feature is for, and room for eight numbers after the last of them.
 */
export function addPairs(
  values: Uint32Array,
  left: number,
  right: number,
  positions: number,
  { entries }: PairTable,
  features: PackedFeatures,
  width: number,
  out: ScoreRows,
  at: number,
): void {
  const { words } = features;
  const addPart = inSteps(out) ? addEight : addFeature;
  const mask = entries.length / 4 - 1;
  for (let i = 0; i < positions; i++) {
    const a = values[left + i];
    const b = values[right + i];
    if (a === 0 || b === 0) continue;
    let slot = hashPair(a, b) & mask;
    while (entries[4 * slot] !== 0 && (entries[4 * slot] !== a || entries[4 * slot + 1] !== b)) {
      slot = (slot + 1) & mask;
    }
    const end = entries[4 * slot + 3];
    for (let word = entries[4 * slot + 2]; word < end; ) {
      word = addPart(features, word, out, at + (i + (words[word] >> 16)) * width);
    }
  }
}

/** Adds the part of a run that starts at a word to a row, which starts at `row`; returns where the next part is. */
function addFeature({ words, floats }: PackedFeatures, at: number, out: ScoreRows, row: number): number {
  const last = at + 1 + WEIGHT_WORDS * (words[at] & 0xffff);
  for (let word = at + 1; word < last; word += WEIGHT_WORDS) out[row + words[word]] += floats[word + 1];
  return last;
}

/** As {@link addFeature} for rows in steps. */
function addEight({ words, steps }: PackedFeatures, at: number, out: ScoreRows, row: number): number {
  let lane = row + (words[at] & 0xffff);
  const last = at + STEP_WORDS;
  for (let word = at + 1; word < last; word++, lane += 4) {
    // Most weights are 0.
    if (words[word] === 0) continue;
    out[lane] += steps[4 * word];
    out[lane + 1] += steps[4 * word + 1];
    out[lane + 2] += steps[4 * word + 2];
    out[lane + 3] += steps[4 * word + 3];
  }
  return last;
}

/** Words of the part of a run that has this word first. */
function partWords(header: number, rows: ScoreRows): number {
  return inSteps(rows) ? STEP_WORDS : 1 + WEIGHT_WORDS * (header & 0xffff);
}

/**
 * Sums the features of tuples into the rows of a block, which has a row for each place that it is seen from; rows are made
 * when something is first added to them.
 *
 * @param tuples number of tuples.
 * @param matrix [rows × width]; changed. There is room for a new row for every place, and for eight numbers more.
 * @param next the first row that is free.
 * @param places number of places.
 * @param block their rows are written from `at` on, 0 for those to which nothing is added.
 * @returns the first row that is free now.
 */
export function sumBlock(
  { starts, ends, tables, placeOf }: TupleList,
  tuples: number,
  features: PackedFeatures,
  matrix: ScoreRows,
  width: number,
  next: number,
  places: number,
  block: Uint32Array,
  at: number,
): number {
  const { words } = features;
  const addPart = inSteps(matrix) ? addEight : addFeature;
  block.fill(0, at, at + places);
  let free = next;
  for (let i = 0; i < tuples; i++) {
    for (let word = starts[i]; word < ends[i]; ) {
      const header = words[word];
      const place = placeOf[tables[i] + (header >>> 16)];
      if (place < 0) {
        word += partWords(header, matrix);
        continue;
      }
      if (block[at + place] === 0) {
        matrix.fill(0, free * width, (free + 1) * width);
        block[at + place] = free++;
      }
      word = addPart(features, word, matrix, block[at + place] * width);
    }
  }
  return free;
}
