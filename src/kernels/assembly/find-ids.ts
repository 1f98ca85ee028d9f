import { finishHash, mixHash, TUPLE_SEED } from './hash';

/** The twins of `../find-ids.ts`; pointers are bytes. */

/** Finds the ids of strings; `bytes` is where byte 0 of what cells count from would be, `cell` the first string's. */
export function findStrings(
  entries: usize,
  mask: i32,
  pool: usize,
  starts: usize,
  bytes: usize,
  cell: usize,
  step: i32,
  count: i32,
  ids: usize,
): i32 {
  let unknown: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const at = cell + <usize>((i * step) << 2);
    const start = bytes + <usize>load<u32>(at);
    const length = <u32>(bytes + <usize>load<u32>(at, 4) - start);
    const key = length <= 8 ? shortKey(start, length) : longKey(start, length);
    let slot = hashKey(key, length) & mask;
    let id: u32 = 0;
    for (;;) {
      const entry = entries + ((<usize>slot) << 4);
      id = load<u32>(entry, 12);
      if (id == 0) break;
      if (load<u64>(entry) == key && load<u32>(entry, 8) == length) {
        if (length <= 8 || isSame(pool + <usize>load<u32>(starts + ((<usize>id) << 2)), start, length)) break;
      }
      slot = (slot + 1) & mask;
    }
    store<u32>(ids + ((<usize>i) << 2), id);
    if (id == 0) unknown++;
  }
  return unknown;
}

/** The bytes themselves; reads beyond them. */
@inline
function shortKey(start: usize, length: u32): u64 {
  return length == 0 ? 0 : load<u64>(start) & (<u64>-1 >> (64 - (<u64>length << 3)));
}

function longKey(start: usize, length: u32): u64 {
  const tail = start + <usize>length - 8;
  const last = load<u64>(tail);
  let low = <u32>last;
  for (let at = start; at < tail; at++) low = (low ^ <u32>load<u8>(at)) * 0x01000193;
  return (((last >> 32) ^ <u64>length) << 32) | <u64>low;
}

@inline
function hashKey(key: u64, length: u32): i32 {
  let hash = (<u32>key ^ (length * 0x9e3779b1)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 15) ^ <u32>(key >> 32)) * 0xc2b2ae35;
  return <i32>(hash ^ (hash >> 15));
}

@inline
function isSame(a: usize, b: usize, length: u32): bool {
  for (let i: usize = 0; i < <usize>length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** Windows that are looked for at a time. */
const BATCH: i32 = 64;
/** [BATCH] at which slot each is looked for. */
const slotOf = memory.data(BATCH * sizeof<i32>(), 16);
/** Keeps loads from being left out. */
let touched: u32 = 0;

/** Finds the ids of windows; `parts` are byte offsets in `values`. */
export function findWindows(
  values: usize,
  parts: usize,
  arity: i32,
  count: i32,
  slots: usize,
  mask: i32,
  keys: usize,
  ids: usize,
): i32 {
  let unknown: i32 = 0;
  for (let from: i32 = 0; from < count; from += BATCH) {
    const at = (<usize>from) << 2;
    unknown += findBatch(values + at, parts, arity, min(BATCH, count - from), slots, mask, keys, ids + at);
  }
  return unknown;
}

/** All slots, and then all keys, are touched before the first is read, so that memory is waited for once. */
function findBatch(
  values: usize,
  parts: usize,
  arity: i32,
  count: i32,
  slots: usize,
  mask: i32,
  keys: usize,
  ids: usize,
): i32 {
  const end = (<usize>count) << 2;
  const keyBytes = (<usize>arity) << 2;
  let touch: u32 = 0;
  for (let at: usize = 0; at < end; at += 4) {
    let hash = TUPLE_SEED;
    for (let part: i32 = 0; part < arity; part++) hash = mixHash(hash, valueOf(values + at, parts, part));
    const slot = finishHash(hash) & mask;
    store<i32>(slotOf + at, slot);
    touch ^= load<u32>(slots + ((<usize>slot) << 2));
  }
  for (let at: usize = 0; at < end; at += 4) {
    const id = <usize>load<u32>(slots + ((<usize>load<i32>(slotOf + at)) << 2));
    touch ^= load<u32>(keys + id * keyBytes);
  }
  touched = touch;
  let unknown: i32 = 0;
  for (let at: usize = 0; at < end; at += 4) {
    const here = values + at;
    let slot = load<i32>(slotOf + at);
    let id: u32 = 0;
    for (;;) {
      id = load<u32>(slots + ((<usize>slot) << 2));
      if (id == 0) break;
      const key = keys + <usize>id * keyBytes;
      let same: i32 = 0;
      while (same < arity && load<u32>(key + ((<usize>same) << 2)) == valueOf(here, parts, same)) same++;
      if (same == arity) break;
      slot = (slot + 1) & mask;
    }
    store<u32>(ids + at, id);
    if (id == 0) unknown++;
  }
  return unknown;
}

@inline
function valueOf(here: usize, parts: usize, part: i32): u32 {
  return load<u32>(here + ((<usize>load<u32>(parts + ((<usize>part) << 2))) << 2));
}

/** Takes a column of a table for each id; `table` is where the column starts. */
export function takeColumn(ids: usize, count: i32, table: usize, width: i32, out: usize): void {
  const rowBytes = (<usize>width) << 2;
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 4) {
    store<u32>(out + at, load<u32>(table + <usize>load<u32>(ids + at) * rowBytes));
  }
}
