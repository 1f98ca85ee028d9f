/**
 * Score rows of a stretch of tokens, out [T × W]: rows summed ahead, and what pairs of values bring, which are looked
 * up. The plain kernels, oracle of their SIMD twins: in float32 every addition is rounded and they run in the order
 * written here. Where weights are whole numbers of one step, rows are int16 and hold such numbers: sums are exact.
 */
import { hashPair } from './hash.js';
import type { Kernel } from './kernel.js';

/** Rows of scores: in float32, or in steps. */
export type ScoreRows = Float32Array | Int16Array;

/** Whether rows are in steps. */
export function inSteps(rows: ScoreRows): rows is Int16Array {
  return rows instanceof Int16Array;
}

/** Words of a weight in runs for float32 rows. */
export const WEIGHT_WORDS = 2;
/** Lanes of a group in runs for int16 rows. */
export const STEP_LANES = 8;
/** Words of a group in runs for int16 rows. */
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
  /** [tuples] start of each one's run of features in the words. */
  readonly starts: Uint32Array;
  /** [tuples] end of each one's run of features. */
  readonly ends: Uint32Array;
  /** [tuples] where in `placeOf` each one's table is: the place in the block of each place of a feature, −1 for none. */
  readonly tables: Uint32Array;
  /** All tables, one after another. */
  readonly placeOf: Int32Array;
}

/** Rows of a matrix that are summed: `out[t] = Σ matrix[rows[i]]` over i from `starts[first + t]` to `starts[first + t + 1] − 1`. */
export interface RowSum {
  /** [rows × width] */
  readonly matrix: ScoreRows;
  /** Lanes of a row, a multiple of 4. */
  readonly width: number;
  /** Row numbers, token by token. */
  readonly rows: Uint32Array;
  /** [tokens + 1] from `first` on: place of each token's row numbers in `rows`. */
  readonly starts: Uint32Array;
  /** Place of the first token's start. */
  readonly first: number;
  /** Number of tokens. */
  readonly tokens: number;
  /** [tokens × width] rows as the matrix has them; written. */
  readonly out: ScoreRows;
}

/** Sums rows of a matrix for each token. */
export const sumRows: Kernel<RowSum, void> = {
  name: 'sumRows',
  plain(sum) {
    if (inSteps(sum.matrix)) sumStepRows(sum, sum.matrix);
    else sumFloatRows(sum, sum.matrix);
  },
  parameters: {
    matrix: ['rows', ({ matrix }) => matrix],
    width: ['constant', ({ width }) => width],
    rows: ['uint32', ({ rows }) => rows],
    starts: ['uint32', ({ starts }) => starts, ({ first }) => first],
    tokens: ['number', ({ tokens }) => tokens],
    out: ['rows', ({ out }) => out],
    inSteps: ['flag', ({ matrix }) => inSteps(matrix)],
  },
};

function sumFloatRows({ width, rows, starts, first, tokens, out }: RowSum, matrix: Float32Array): void {
  const fround = Math.fround;
  for (let t = 0; t < tokens; t++) {
    const start = starts[first + t];
    const end = starts[first + t + 1];
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

/** Integers throughout are more than twice as fast. */
function sumStepRows({ width, rows, starts, first, tokens, out }: RowSum, matrix: Int16Array): void {
  for (let t = 0; t < tokens; t++) {
    const start = starts[first + t];
    const end = starts[first + t + 1];
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

/** Strings or windows around tokens, and the rows that they bring to these. */
export interface RowListing {
  /** Ids by position, those of the first token from `first` on. */
  readonly ids: Uint32Array;
  /** Place of the first token's id. */
  readonly first: number;
  /** [places] where each is seen, relative to the token. */
  readonly offsets: Int32Array;
  /** [ids × places] row of each id for each place, 0 for none. */
  readonly rowsOf: Uint32Array;
  /** Number of tokens. */
  readonly tokens: number;
  /** [tokens × stride]; `column` and the places − 1 after it are written in each row. */
  readonly out: Uint32Array;
  /** First number of a token's row that is written. */
  readonly column: number;
  /** Numbers of a token's row. */
  readonly stride: number;
}

/** Lists, for each token, the rows that the strings or windows around it bring to it, one for each place that they are seen from. */
export const listRows: Kernel<RowListing, void> = {
  name: 'listRows',
  plain({ ids, first, offsets, rowsOf, tokens, out, column, stride }) {
    const places = offsets.length;
    for (let t = 0; t < tokens; t++) {
      const at = t * stride + column;
      for (let i = 0; i < places; i++) out[at + i] = rowsOf[ids[first + t + offsets[i]] * places + i];
    }
  },
  parameters: {
    ids: ['uint32', ({ ids }) => ids, ({ first }) => first],
    offsets: ['int32', ({ offsets }) => offsets],
    places: ['number', ({ offsets }) => offsets.length],
    rowsOf: ['uint32', ({ rowsOf }) => rowsOf],
    tokens: ['number', ({ tokens }) => tokens],
    out: ['uint32', ({ out }) => out, ({ column }) => column],
    stride: ['number', ({ stride }) => stride],
  },
};

/** Scores in steps. */
export interface StepScaling {
  /** [length] */
  readonly steps: Int16Array;
  /** Number of scores, a multiple of 4. */
  readonly length: number;
  /** Size of a step. */
  readonly step: number;
  /** [length]; written. */
  readonly out: Float32Array;
}

/** Writes scores that are in steps as float32: each is the product in 64 bits, rounded to 32. */
export const scaleSteps: Kernel<StepScaling, void> = {
  name: 'scaleSteps',
  plain({ steps, length, step, out }) {
    for (let i = 0; i < length; i++) out[i] = steps[i] * step;
  },
  parameters: {
    steps: ['int16', ({ steps }) => steps],
    length: ['number', ({ length }) => length],
    step: ['number', ({ step }) => step],
    out: ['float32', ({ out }) => out],
  },
};

/** Pairs of values whose features are added. */
export interface PairSum {
  /** Holds both values of each position; 0 is none. */
  readonly values: Uint32Array;
  /** Place of the first position's left value. */
  readonly left: number;
  /** Place of the first position's right value. */
  readonly right: number;
  /** Number of positions. */
  readonly positions: number;
  /** Runs of features of pairs. */
  readonly table: PairTable;
  /** The features. */
  readonly features: PackedFeatures;
  /** Lanes W of a row. */
  readonly width: number;
  /**
   * Rows [W] of tokens, that of the first position from `at` on; changed. There are rows for all tokens that any feature is for,
   * and room for eight numbers after the last of them.
   */
  readonly out: ScoreRows;
  /** Place of the first position's row. */
  readonly at: number;
}

/** Adds to tokens the features of the pairs of values around them. */
export const addPairs: Kernel<PairSum, void> = {
  name: 'addPairs',
  plain({ values, left, right, positions, table, features, width, out, at }) {
    const { entries } = table;
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
  },
  parameters: {
    left: ['uint32', ({ values }) => values, ({ left }) => left],
    right: ['uint32', ({ values }) => values, ({ right }) => right],
    positions: ['number', ({ positions }) => positions],
    entries: ['uint32', ({ table }) => table.entries],
    mask: ['number', ({ table }) => table.entries.length / 4 - 1],
    words: ['uint32', ({ features }) => features.words],
    width: ['number', ({ width }) => width],
    out: ['rows', ({ out }) => out, ({ at }) => at],
    inSteps: ['flag', ({ out }) => inSteps(out)],
  },
};

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

/** Matrix that blocks of rows are summed into. */
export interface BlockRows {
  /** The features. */
  readonly features: PackedFeatures;
  /** [rows × width]; changed. There is room for a new row for every place, and for eight numbers more. */
  readonly matrix: ScoreRows;
  /** Lanes of a row. */
  readonly width: number;
  /** Number of places of a block. */
  readonly places: number;
  /** Numbers of the rows of each block's places, 0 for those to which nothing is added; written. */
  readonly blocks: Uint32Array;
}

/**
 * Sums the features of tuples into the rows of a block, which has a row for each place that it is seen from; rows are made
 * when something is first added to them.
 *
 * @param tuples number of tuples.
 * @param next the first row that is free.
 * @param at place in `blocks` of the block's first row.
 * @returns the first row that is free now.
 */
export function sumBlock(list: TupleList, tuples: number, rows: BlockRows, next: number, at: number): number {
  const { starts, ends, tables, placeOf } = list;
  const { features, matrix, width, places, blocks } = rows;
  const { words } = features;
  const addPart = inSteps(matrix) ? addEight : addFeature;
  blocks.fill(0, at, at + places);
  let free = next;
  for (let i = 0; i < tuples; i++) {
    for (let word = starts[i]; word < ends[i]; ) {
      const header = words[word];
      const place = placeOf[tables[i] + (header >>> 16)];
      if (place < 0) {
        word += partWords(header, matrix);
        continue;
      }
      if (blocks[at + place] === 0) {
        matrix.fill(0, free * width, (free + 1) * width);
        blocks[at + place] = free++;
      }
      word = addPart(features, word, matrix, blocks[at + place] * width);
    }
  }
  return free;
}
