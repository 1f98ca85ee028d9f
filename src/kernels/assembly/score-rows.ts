import { finishHash, mixHash, TUPLE_SEED } from './hash';

/**
 * The SIMD twins of `../score-rows.ts`: the same additions in the same order. Pointers are bytes; lanes are single
 * bytes.
 */

/** Sums each token's rows. */
export function sumRows(
  matrix: usize,
  width: i32,
  rows: usize,
  starts: usize,
  tokens: i32,
  out: usize,
  inSteps: bool,
): void {
  if (inSteps) sumStepRows(matrix, width, rows, starts, tokens, out);
  else sumFloatRows(matrix, width, rows, starts, tokens, out);
}

function sumFloatRows(matrix: usize, width: i32, rows: usize, starts: usize, tokens: i32, out: usize): void {
  const rowBytes = (<usize>width) << 2;
  let at = out;
  let start = rows + (<usize>load<u32>(starts) << 2);
  for (let t: i32 = 0; t < tokens; t++) {
    const end = rows + (<usize>load<u32>(starts + ((<usize>t) << 2), 4) << 2);
    let group: usize = 0;
    // Two cache lines at once where there are so many lanes: what a row brings is read while it is near.
    for (; group + 96 <= rowBytes; group += 96) sumGroups(6, matrix + group, rowBytes, start, end, at + group);
    for (; group + 64 <= rowBytes; group += 64) sumGroups(4, matrix + group, rowBytes, start, end, at + group);
    for (; group < rowBytes; group += 16) sumGroups(1, matrix + group, rowBytes, start, end, at + group);
    start = end;
    at += rowBytes;
  }
}

@inline
function sumGroups(groups: i32, matrix: usize, rowBytes: usize, start: usize, end: usize, out: usize): void {
  let sum0 = f32x4.splat(0);
  let sum1 = f32x4.splat(0);
  let sum2 = f32x4.splat(0);
  let sum3 = f32x4.splat(0);
  let sum4 = f32x4.splat(0);
  let sum5 = f32x4.splat(0);
  for (let i = start; i < end; i += 4) {
    const row = matrix + <usize>load<u32>(i) * rowBytes;
    sum0 = f32x4.add(sum0, v128.load(row));
    if (groups > 1) {
      sum1 = f32x4.add(sum1, v128.load(row, 16));
      sum2 = f32x4.add(sum2, v128.load(row, 32));
      sum3 = f32x4.add(sum3, v128.load(row, 48));
    }
    if (groups > 4) {
      sum4 = f32x4.add(sum4, v128.load(row, 64));
      sum5 = f32x4.add(sum5, v128.load(row, 80));
    }
  }
  v128.store(out, sum0);
  if (groups > 1) {
    v128.store(out, sum1, 16);
    v128.store(out, sum2, 32);
    v128.store(out, sum3, 48);
  }
  if (groups > 4) {
    v128.store(out, sum4, 64);
    v128.store(out, sum5, 80);
  }
}

function sumStepRows(matrix: usize, width: i32, rows: usize, starts: usize, tokens: i32, out: usize): void {
  const rowBytes = (<usize>width) << 1;
  let at = out;
  let start = rows + (<usize>load<u32>(starts) << 2);
  for (let t: i32 = 0; t < tokens; t++) {
    const end = rows + (<usize>load<u32>(starts + ((<usize>t) << 2), 4) << 2);
    if (rowBytes >= 48) {
      // The last lanes may be summed twice: rather that than one vector at a time.
      for (let group: usize = 0; group < rowBytes; group += 48) {
        const from = min(group, rowBytes - 48);
        sumEights(3, matrix + from, rowBytes, start, end, at + from);
      }
    } else if (rowBytes >= 16) {
      for (let group: usize = 0; group < rowBytes; group += 16) {
        const from = min(group, rowBytes - 16);
        sumEights(1, matrix + from, rowBytes, start, end, at + from);
      }
    } else {
      let sum = i16x8.splat(0);
      for (let i = start; i < end; i += 4) {
        sum = i16x8.add(sum, v128.load64_zero(matrix + <usize>load<u32>(i) * rowBytes));
      }
      v128.store64_lane(at, sum, 0);
    }
    start = end;
    at += rowBytes;
  }
}

@inline
function sumEights(eights: i32, matrix: usize, rowBytes: usize, start: usize, end: usize, out: usize): void {
  let sum0 = i16x8.splat(0);
  let sum1 = i16x8.splat(0);
  let sum2 = i16x8.splat(0);
  for (let i = start; i < end; i += 4) {
    const row = matrix + <usize>load<u32>(i) * rowBytes;
    sum0 = i16x8.add(sum0, v128.load(row));
    if (eights > 1) {
      sum1 = i16x8.add(sum1, v128.load(row, 16));
      sum2 = i16x8.add(sum2, v128.load(row, 32));
    }
  }
  v128.store(out, sum0);
  if (eights > 1) {
    v128.store(out, sum1, 16);
    v128.store(out, sum2, 32);
  }
}

/** Writes scores in steps as float32; `length` is a multiple of 4. */
export function scaleSteps(steps: usize, length: i32, step: f64, out: usize): void {
  const factors = f64x2.splat(step);
  const end = steps + ((<usize>length) << 1);
  let at = out;
  for (let from = steps; from < end; from += 8, at += 16) {
    const four = v128.load16x4_s(from);
    const low = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.convert_low_i32x4_s(four), factors));
    const upper = v128.shuffle<i32>(four, four, 2, 3, 2, 3);
    const high = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.convert_low_i32x4_s(upper), factors));
    v128.store(at, v128.shuffle<i32>(low, high, 0, 1, 4, 5));
  }
}

/** Lists the rows that the ids around each token bring to it; `ids` is the first token's, `out` its first row. */
export function listRows(
  ids: usize,
  offsets: usize,
  places: i32,
  rowsOf: usize,
  tokens: i32,
  out: usize,
  stride: i32,
): void {
  const placeBytes = (<usize>places) << 2;
  let at = out;
  for (let t: i32 = 0; t < tokens; t++) {
    const here = ids + ((<usize>t) << 2);
    for (let i: usize = 0; i < placeBytes; i += 4) {
      const id = load<u32>(here + (<usize>load<i32>(offsets + i) << 2));
      store<u32>(at + i, load<u32>(rowsOf + <usize>id * placeBytes + i));
    }
    at += (<usize>stride) << 2;
  }
}

/** Positions that pairs are looked up for at a time. */
const BATCH: i32 = 64;
/** [BATCH] where the entry of each position's pair is, then where its run of features starts and ends. */
const entryOf = memory.data(BATCH * sizeof<usize>(), 16);
const runStarts = memory.data(BATCH * sizeof<usize>(), 16);
const runEnds = memory.data(BATCH * sizeof<usize>(), 16);
/** Keeps loads from being left out. */
let touched: u32 = 0;

/**
 * Adds what pairs of values bring; `left` and `right` are where the values are, `out` the row of the first position.
 *
 * Tables are far larger than caches. All entries of a batch are touched before the first is read, and all runs before the
 * first is added, so that memory is waited for once rather than pair by pair.
 */
export function addPairs(
  left: usize,
  right: usize,
  positions: i32,
  entries: usize,
  mask: i32,
  words: usize,
  width: i32,
  out: usize,
  inSteps: bool,
): void {
  let row = out;
  for (let from: i32 = 0; from < positions; from += BATCH) {
    const step = (<usize>from) << 2;
    const count = min(BATCH, positions - from);
    findRuns(left + step, right + step, count, entries, mask, words);
    if (inSteps) row = addRuns(count, row, (<usize>width) << 1, true);
    else row = addRuns(count, row, (<usize>width) << 2, false);
  }
}

/** Finds where the features of a batch of pairs are. */
function findRuns(left: usize, right: usize, count: i32, entries: usize, mask: i32, words: usize): void {
  const end = (<usize>count) << 2;
  let touch: u32 = 0;
  for (let at: usize = 0; at < end; at += 4) {
    const entry = entries + (<usize>(hashPair(load<u32>(left + at), load<u32>(right + at)) & mask) << 4);
    store<usize>(entryOf + at, entry);
    touch ^= load<u32>(entry);
  }
  for (let at: usize = 0; at < end; at += 4) {
    const a = load<u32>(left + at);
    const b = load<u32>(right + at);
    let entry = load<usize>(entryOf + at);
    let found = load<u32>(entry);
    while (found != 0 && (found != a || load<u32>(entry, 4) != b)) {
      entry = entries + ((entry - entries + 16) & (((<usize>mask) << 4) | 15));
      found = load<u32>(entry);
    }
    // No pair has the value 0; the free entry it ends at has an empty run.
    const run = words + (<usize>load<u32>(entry, 8) << 2);
    store<usize>(runStarts + at, run);
    store<usize>(runEnds + at, words + (<usize>load<u32>(entry, 12) << 2));
    touch ^= load<u32>(run);
  }
  touched = touch;
}

/** Adds the features of a batch of pairs to the rows around them; returns the row of the next position. */
@inline
function addRuns(count: i32, out: usize, rowBytes: usize, inSteps: bool): usize {
  const end = (<usize>count) << 2;
  let row = out;
  for (let at: usize = 0; at < end; at += 4) {
    const last = load<usize>(runEnds + at);
    for (let word = load<usize>(runStarts + at); word < last; ) {
      word = addPart(word, row + <usize>(load<i32>(word) >> 16) * rowBytes, inSteps);
    }
    row += rowBytes;
  }
  return row;
}

/** Sums the features of tuples into the rows of a block; returns the first row that is free now. */
export function sumBlock(
  starts: usize,
  ends: usize,
  tables: usize,
  placeOf: usize,
  tuples: i32,
  words: usize,
  matrix: usize,
  width: i32,
  next: u32,
  places: i32,
  block: usize,
): u32 {
  const rowBytes = (<usize>width) << 2;
  return sumTuples(starts, ends, tables, placeOf, tuples, words, matrix, rowBytes, next, places, block, false);
}

/** As {@link sumBlock} for rows in steps. */
export function sumStepBlock(
  starts: usize,
  ends: usize,
  tables: usize,
  placeOf: usize,
  tuples: i32,
  words: usize,
  matrix: usize,
  width: i32,
  next: u32,
  places: i32,
  block: usize,
): u32 {
  const rowBytes = (<usize>width) << 1;
  return sumTuples(starts, ends, tables, placeOf, tuples, words, matrix, rowBytes, next, places, block, true);
}

@inline
function sumTuples(
  starts: usize,
  ends: usize,
  tables: usize,
  placeOf: usize,
  tuples: i32,
  words: usize,
  matrix: usize,
  rowBytes: usize,
  next: u32,
  places: i32,
  block: usize,
  inSteps: bool,
): u32 {
  for (let i: i32 = 0; i < places; i++) store<u32>(block + ((<usize>i) << 2), 0);
  let free = next;
  // Touched before the first is read, as in addPairs.
  let touch: u32 = 0;
  for (let i: i32 = 0; i < tuples; i++) {
    touch ^= load<u32>(words + (<usize>load<u32>(starts + ((<usize>i) << 2)) << 2));
  }
  touched = touch;
  for (let i: i32 = 0; i < tuples; i++) {
    const at = (<usize>i) << 2;
    const table = placeOf + (<usize>load<u32>(tables + at) << 2);
    const end = words + (<usize>load<u32>(ends + at) << 2);
    for (let word = words + (<usize>load<u32>(starts + at) << 2); word < end; ) {
      const header = load<u32>(word);
      const place = load<i32>(table + (<usize>(header >> 16) << 2));
      if (place < 0) {
        word += inSteps ? PART_BYTES : 4 + (<usize>(header & 0xffff) << 3);
        continue;
      }
      const cell = block + ((<usize>place) << 2);
      let row = load<u32>(cell);
      if (row == 0) {
        row = free++;
        store<u32>(cell, row);
        const first = matrix + (<usize>row) * rowBytes;
        // May reach into the next row, which is free.
        for (let lane: usize = 0; lane < rowBytes; lane += 16) v128.store(first + lane, i32x4.splat(0));
      }
      word = addPart(word, matrix + (<usize>row) * rowBytes, inSteps);
    }
  }
  return free;
}

/** Bytes of a part of a run for rows in steps. */
const PART_BYTES: usize = 12;

/** Adds the part of a run at a word to a row; returns where the next one is. */
@inline
function addPart(word: usize, row: usize, inSteps: bool): usize {
  if (!inSteps) return addFeature(word, row);
  const cell = row + (<usize>load<u16>(word) << 1);
  v128.store(cell, i16x8.add(v128.load(cell), v128.load8x8_s(word, 4)));
  return word + PART_BYTES;
}

/** Fewer weights than this are added one by one. */
const MANY: u32 = 8;

/** Adds the weights of the feature at a word to a row; returns where the next feature is. */
@inline
export function addFeature(word: usize, row: usize): usize {
  let at = word + 4;
  const count = load<u32>(word) & 0xffff;
  const last = at + (<usize>count << 3);
  if (count >= MANY) {
    const lane = load<u32>(at);
    // Lanes ascend: if the outer ones are as far apart as there are weights, they lie side by side, as where no weight is 0.
    if (load<u32>(last - 8) - lane == count - 1) {
      let cell = row + ((<usize>lane) << 2);
      for (; at + 32 <= last; at += 32) {
        const four = v128.shuffle<f32>(v128.load(at), v128.load(at, 16), 1, 3, 5, 7);
        v128.store(cell, f32x4.add(v128.load(cell), four));
        cell += 16;
      }
    }
  }
  for (; at < last; at += 8) {
    const cell = row + (<usize>load<u32>(at) << 2);
    store<f32>(cell, load<f32>(cell) + load<f32>(at, 4));
  }
  return at;
}

/** As `TupleTable` hashes two numbers. */
@inline
function hashPair(a: u32, b: u32): i32 {
  return finishHash(mixHash(mixHash(TUPLE_SEED, a), b));
}
