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
    const id = load<u32>(findEntry(entries, mask, pool, starts, start, length, keyOf(start, length)), 12);
    store<u32>(ids + ((<usize>i) << 2), id);
    if (id == 0) unknown++;
  }
  return unknown;
}

/** Gives ids to the strings whose id is 0; `added` is where their starts and ends go, as offsets from `text`. */
export function addStrings(
  entries: usize,
  mask: i32,
  pool: usize,
  starts: usize,
  longest: u32,
  text: usize,
  bytes: usize,
  cell: usize,
  step: i32,
  count: i32,
  ids: usize,
  next: u32,
  added: usize,
): u32 {
  let id = next;
  let out = added;
  let pooled = load<u32>(starts + ((<usize>id) << 2));
  for (let i: i32 = 0; i < count; i++) {
    const own = ids + ((<usize>i) << 2);
    if (load<u32>(own) != 0) continue;
    const at = cell + <usize>((i * step) << 2);
    const start = bytes + <usize>load<u32>(at);
    const length = <u32>(bytes + <usize>load<u32>(at, 4) - start);
    const key = keyOf(start, length);
    const entry = findEntry(entries, mask, pool, starts, start, length, key);
    const known = load<u32>(entry, 12);
    if (known != 0) {
      store<u32>(own, known);
      continue;
    }
    store<u32>(own, id);
    if (length <= longest) {
      store<u64>(entry, key);
      store<u32>(entry, length, 8);
      store<u32>(entry, id, 12);
      if (length > 8) {
        memory.copy(pool + <usize>pooled, start, length);
        pooled += length;
      }
    }
    store<u32>(out, <u32>(start - text));
    store<u32>(out, <u32>(start - text) + length, 4);
    out += 8;
    id++;
    store<u32>(starts + ((<usize>id) << 2), pooled);
  }
  return id;
}

/** Enters all strings of a table into a larger one. */
export function moveStrings(entries: usize, capacity: i32, larger: usize, mask: i32): void {
  const end = entries + ((<usize>capacity) << 4);
  for (let from = entries; from < end; from += 16) {
    if (load<u32>(from, 12) == 0) continue;
    let slot = hashKey(load<u64>(from), load<u32>(from, 8)) & mask;
    while (load<u32>(larger + ((<usize>slot) << 4), 12) != 0) slot = (slot + 1) & mask;
    v128.store(larger + ((<usize>slot) << 4), v128.load(from));
  }
}

/** Where the entry of a string is, or the free one where it would be. */
@inline
function findEntry(
  entries: usize,
  mask: i32,
  pool: usize,
  starts: usize,
  start: usize,
  length: u32,
  key: u64,
): usize {
  let slot = hashKey(key, length) & mask;
  let entry: usize = 0;
  for (;;) {
    entry = entries + ((<usize>slot) << 4);
    const id = load<u32>(entry, 12);
    if (id == 0) break;
    if (load<u64>(entry) == key && load<u32>(entry, 8) == length) {
      if (length <= 8 || isSame(pool + <usize>load<u32>(starts + ((<usize>id) << 2)), start, length)) break;
    }
    slot = (slot + 1) & mask;
  }
  return entry;
}

/** The key of a string; it reads a few bytes beyond. */
@inline
export function keyOf(start: usize, length: u32): u64 {
  return length <= 8 ? shortKey(start, length) : longKey(start, length);
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

/** Whether so many bytes are the same. */
@inline
export function isSame(a: usize, b: usize, length: u32): bool {
  for (let i: usize = 0; i < <usize>length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** Windows that are looked for at a time. */
const BATCH: i32 = 64;
/** [BATCH] at which slot each is looked for. */
const slotOf = memory.data(BATCH * sizeof<i32>(), 16);
/** Keeps loads from being left out. */
let touched: u32 = 0;

/** Finds the ids of windows; `parts` are offsets in `values`. */
export function findWindows(
  values: usize,
  parts: usize,
  arity: i32,
  step: i32,
  count: i32,
  slots: usize,
  mask: i32,
  keys: usize,
  ids: usize,
): i32 {
  let unknown: i32 = 0;
  for (let from: i32 = 0; from < count; from += BATCH) {
    const first = values + ((<usize>(from * step)) << 2);
    const own = min(BATCH, count - from);
    unknown += findBatch(first, parts, arity, step, own, slots, mask, keys, ids + ((<usize>from) << 2));
  }
  return unknown;
}

/** All slots, and then all keys, are touched before the first is read, so that memory is waited for once. */
function findBatch(
  values: usize,
  parts: usize,
  arity: i32,
  step: i32,
  count: i32,
  slots: usize,
  mask: i32,
  keys: usize,
  ids: usize,
): i32 {
  const end = (<usize>count) << 2;
  const keyBytes = (<usize>arity) << 2;
  const stepBytes = (<usize>step) << 2;
  let touch: u32 = 0;
  let here = values;
  for (let at: usize = 0; at < end; at += 4, here += stepBytes) {
    const slot = hashWindow(here, parts, arity) & mask;
    store<i32>(slotOf + at, slot);
    touch ^= load<u32>(slots + ((<usize>slot) << 2));
  }
  for (let at: usize = 0; at < end; at += 4) {
    const id = <usize>load<u32>(slots + ((<usize>load<i32>(slotOf + at)) << 2));
    touch ^= load<u32>(keys + id * keyBytes);
  }
  touched = touch;
  let unknown: i32 = 0;
  here = values;
  for (let at: usize = 0; at < end; at += 4, here += stepBytes) {
    const id = load<u32>(slotFrom(load<i32>(slotOf + at), here, parts, arity, slots, mask, keys));
    store<u32>(ids + at, id);
    if (id == 0) unknown++;
  }
  return unknown;
}

/** Gives ids to the windows whose id is 0. */
export function addWindows(
  values: usize,
  parts: usize,
  arity: i32,
  step: i32,
  count: i32,
  slots: usize,
  mask: i32,
  keys: usize,
  ids: usize,
  next: u32,
): u32 {
  let id = next;
  let here = values;
  for (let i: i32 = 0; i < count; i++) {
    const own = ids + ((<usize>i) << 2);
    if (load<u32>(own) == 0) {
      const slot = slotFrom(hashWindow(here, parts, arity) & mask, here, parts, arity, slots, mask, keys);
      if (load<u32>(slot) == 0) {
        const key = keys + ((<usize>(id * arity)) << 2);
        for (let part: i32 = 0; part < arity; part++) {
          store<u32>(key + ((<usize>part) << 2), valueOf(here, parts, part));
        }
        store<u32>(slot, id++);
      }
      store<u32>(own, load<u32>(slot));
    }
    here += (<usize>step) << 2;
  }
  return id;
}

@inline
function hashWindow(here: usize, parts: usize, arity: i32): i32 {
  let hash = TUPLE_SEED;
  for (let part: i32 = 0; part < arity; part++) hash = mixHash(hash, valueOf(here, parts, part));
  return finishHash(hash);
}

/** Where the id of a window is, or the free slot where it would be; looked for from a slot on. */
@inline
function slotFrom(
  first: i32,
  here: usize,
  parts: usize,
  arity: i32,
  slots: usize,
  mask: i32,
  keys: usize,
): usize {
  let slot = first;
  let at: usize = 0;
  for (;;) {
    at = slots + ((<usize>slot) << 2);
    const id = load<u32>(at);
    if (id == 0) break;
    const key = keys + ((<usize>(id * arity)) << 2);
    let same: i32 = 0;
    while (same < arity && load<u32>(key + ((<usize>same) << 2)) == valueOf(here, parts, same)) same++;
    if (same == arity) break;
    slot = (slot + 1) & mask;
  }
  return at;
}

@inline
function valueOf(here: usize, parts: usize, part: i32): u32 {
  return load<u32>(here + ((<usize>load<u32>(parts + ((<usize>part) << 2))) << 2));
}

/** Lays sentences out by position; `found` and `ids` are where the first is read and written. */
export function layOutSentences(
  found: usize,
  starts: usize,
  sentences: i32,
  margin: i32,
  end: i32,
  backward: i32,
  ids: usize,
): void {
  let out = ids;
  for (let s: usize = 0; s < (<usize>sentences) << 2; s += 4) {
    const from = found + (<usize>load<u32>(starts + s) << 2);
    const to = found + (<usize>load<u32>(starts + s, 4) << 2);
    for (let distance = margin; distance > 0; distance--, out += 4) store<u32>(out, distance);
    if (backward) {
      for (let at = to; at > from; out += 4) {
        at -= 4;
        store<u32>(out, load<u32>(at));
      }
    } else {
      for (let at = from; at < to; at += 4, out += 4) store<u32>(out, load<u32>(at));
    }
    for (let distance = 1; distance <= margin; distance++, out += 4) store<u32>(out, end + distance);
  }
}

/** Takes a column of a table for each id; `table` is where the column starts. */
export function takeColumn(ids: usize, count: i32, table: usize, width: i32, out: usize): void {
  const rowBytes = (<usize>width) << 2;
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 4) {
    store<u32>(out + at, load<u32>(table + <usize>load<u32>(ids + at) * rowBytes));
  }
}
