/**
 * The SIMD twins of `../score-rows.ts`: the same additions in the same order. Pointers are bytes; lanes are single
 * bytes.
 */

/** Sums each token's rows. */
export function sumRows(matrix: usize, width: i32, rows: usize, starts: usize, tokens: i32, out: usize): void {
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

/** Adds the features of pairs of values to the tokens that they are for; `left` and `right` are where the values are. */
export function addPairs(
  left: usize,
  right: usize,
  positions: i32,
  first: i32,
  hashed: usize,
  mask: i32,
  keys: usize,
  starts: usize,
  offsets: usize,
  slotCount: i32,
  slots: usize,
  firsts: usize,
  lanes: usize,
  weights: usize,
  width: i32,
  tokens: i32,
  out: usize,
): void {
  for (let i: i32 = 0; i < positions; i++) {
    const step = (<usize>i) << 2;
    const a = load<u32>(left + step);
    const b = load<u32>(right + step);
    if (a == 0 || b == 0) continue;
    let slot = hashPair(a, b) & mask;
    let id = load<u32>(hashed + ((<usize>slot) << 2));
    while (id != 0) {
      const key = keys + ((<usize>(id - 1)) << 3);
      if (load<u32>(key) == a && load<u32>(key, 4) == b) break;
      slot = (slot + 1) & mask;
      id = load<u32>(hashed + ((<usize>slot) << 2));
    }
    if (id == 0) continue;
    const range = starts + ((<usize>(id - 1)) << 2);
    const end = load<u32>(range, 4);
    for (let f = load<u32>(range); f < end; f++) {
      const place = <i32>load<u16>(slots + ((<usize>f) << 1));
      if (place >= slotCount) break;
      const t = first + i - load<i32>(offsets + ((<usize>place) << 2));
      if (t < 0 || t >= tokens) continue;
      addFeature(f, firsts, lanes, weights, out + (<usize>(t * width) << 2));
    }
  }
}

/** Adds the weights of a tuple's features to the rows of a block; returns the first row that is free now. */
export function addTuple(
  starts: usize,
  tuple: i32,
  placeOf: usize,
  slotCount: i32,
  slots: usize,
  firsts: usize,
  lanes: usize,
  weights: usize,
  block: usize,
  matrix: usize,
  width: i32,
  next: u32,
): u32 {
  const rowBytes = (<usize>width) << 2;
  const range = starts + ((<usize>tuple) << 2);
  const end = load<u32>(range, 4);
  let free = next;
  for (let f = load<u32>(range); f < end; f++) {
    const slot = <i32>load<u16>(slots + ((<usize>f) << 1));
    if (slot >= slotCount) break;
    const place = load<i32>(placeOf + ((<usize>slot) << 2));
    if (place < 0) continue;
    const at = block + ((<usize>place) << 2);
    let row = load<u32>(at);
    if (row == 0) {
      row = free++;
      store<u32>(at, row);
      memory.fill(matrix + (<usize>row) * rowBytes, 0, rowBytes);
    }
    addFeature(f, firsts, lanes, weights, matrix + (<usize>row) * rowBytes);
  }
  return free;
}

/** Fewer weights than this are added one by one. */
const MANY: u32 = 8;

/** Adds a feature's weights to a row. */
@inline
function addFeature(f: u32, firsts: usize, lanes: usize, weights: usize, row: usize): void {
  const from = firsts + ((<usize>f) << 2);
  const last = load<u32>(from, 4);
  let j = load<u32>(from);
  if (last - j >= MANY) {
    const lane = <u32>load<u8>(lanes + <usize>j);
    // Lanes ascend: if the outer ones are as far apart as there are weights, they lie side by side, as where no weight is 0.
    if (<u32>load<u8>(lanes + <usize>(last - 1)) - lane == last - 1 - j) {
      let cell = row + ((<usize>lane) << 2);
      for (; j + 4 <= last; j += 4) {
        v128.store(cell, f32x4.add(v128.load(cell), v128.load(weights + ((<usize>j) << 2))));
        cell += 16;
      }
    }
  }
  for (; j < last; j++) {
    const cell = row + ((<usize>load<u8>(lanes + <usize>j)) << 2);
    store<f32>(cell, load<f32>(cell) + load<f32>(weights + ((<usize>j) << 2)));
  }
}

/** As `TupleTable` hashes two numbers. */
@inline
function hashPair(a: u32, b: u32): i32 {
  let hash: u32 = (0x9e3779b9 ^ a) * 0x85ebca6b;
  hash ^= hash >> 15;
  hash = (hash ^ b) * 0x85ebca6b;
  hash ^= hash >> 15;
  hash *= 0xc2b2ae35;
  return <i32>(hash ^ (hash >> 16));
}
