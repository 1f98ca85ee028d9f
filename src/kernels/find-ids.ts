/**
 * Ids of what stands at each position of a stretch of tokens: of strings by their bytes, of windows by the values in them; and
 * new ones for what is not known. The plain kernels, oracle of their WebAssembly twins.
 */
import { hashTuple } from './hash.js';

/** A string of at most so many bytes is its own key. */
const KEY_BYTES = 8;

/** Strings with an id, as {@link findStrings} reads them. */
export interface StringTable {
  /**
   * [capacity, a power of 2 × 4] key (two numbers), length and id of a string; id 0 where there is none: open addressing, at
   * first where {@link hashKey} says.
   */
  entries: Uint32Array;
  /** UTF-8 bytes of the strings that are longer than their key. */
  readonly pool: Uint8Array;
  /** [ids + 1] where each such string starts in the pool, and the next one would. */
  readonly starts: Uint32Array;
}

/**
 * Writes the key of the string `bytes[start … end − 1]` to `key`, two numbers: its bytes, the first one lowest, or where there are
 * more than eight the last eight, mixed with a hash of all those before.
 */
export function stringKey(bytes: Uint8Array, start: number, end: number, key: Uint32Array): void {
  const length = end - start;
  const tail = Math.max(start, end - KEY_BYTES);
  let low = 0;
  let high = 0;
  for (let i = tail; i < Math.min(end, tail + 4); i++) low |= bytes[i] << (8 * (i - tail));
  for (let i = tail + 4; i < end; i++) high |= bytes[i] << (8 * (i - tail - 4));
  for (let i = start; i < tail; i++) low = Math.imul(low ^ bytes[i], 0x01000193);
  key[0] = low;
  key[1] = length > KEY_BYTES ? high ^ length : high;
}

/** Hash of a key. */
export function hashKey(low: number, high: number, length: number): number {
  let hash = Math.imul(low ^ Math.imul(length, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Where the entry of a string is, or the free one where it would be; its key is `key`. */
function findEntry(
  { entries, pool, starts }: StringTable,
  bytes: Uint8Array,
  start: number,
  length: number,
  key: Uint32Array,
): number {
  const [low, high] = key;
  let entry = 4 * (hashKey(low, high, length) & (entries.length / 4 - 1));
  for (; entries[entry + 3] !== 0; entry = (entry + 4) % entries.length) {
    if (entries[entry] !== low || entries[entry + 1] !== high || entries[entry + 2] !== length) continue;
    if (length <= KEY_BYTES) break;
    const from = starts[entries[entry + 3]];
    let same = 0;
    while (same < length && pool[from + same] === bytes[start + same]) same++;
    if (same === length) break;
  }
  return entry;
}

/**
 * Finds the ids of strings in a text.
 *
 * @param cells start and end of each string: the first one's from `cell` on, each `step` numbers after the one before.
 * @param base cells count from there: `bytes[0]` is what they call `base`.
 * @param count number of strings.
 * @param ids their ids are written from `at` on, 0 for those that are not known.
 * @returns how many are not known.
 */
export function findStrings(
  table: StringTable,
  bytes: Uint8Array,
  base: number,
  cells: Uint32Array,
  cell: number,
  step: number,
  count: number,
  ids: Uint32Array,
  at: number,
): number {
  const key = new Uint32Array(2);
  let unknown = 0;
  for (let i = 0; i < count; i++) {
    const start = cells[cell + i * step] - base;
    const end = cells[cell + i * step + 1] - base;
    stringKey(bytes, start, end, key);
    const entry = findEntry(table, bytes, start, end - start, key);
    ids[at + i] = table.entries[entry + 3];
    if (ids[at + i] === 0) unknown++;
  }
  return unknown;
}

/**
 * Gives an id to each string that {@link findStrings}, asked the same, did not find.
 *
 * @param table with room for them; changed.
 * @param longest a string of more bytes is not remembered: it gets a new id each time.
 * @param ids those that are 0 are written.
 * @param next the first new id; ids are consecutive.
 * @param added [count × 2] start and end in `bytes` of each string with a new id are written.
 * @returns the id after the last new one.
 */
export function addStrings(
  table: StringTable,
  longest: number,
  bytes: Uint8Array,
  base: number,
  cells: Uint32Array,
  cell: number,
  step: number,
  count: number,
  ids: Uint32Array,
  at: number,
  next: number,
  added: Uint32Array,
): number {
  const { entries, pool, starts } = table;
  const key = new Uint32Array(2);
  let id = next;
  for (let i = 0; i < count; i++) {
    if (ids[at + i] !== 0) continue;
    const start = cells[cell + i * step] - base;
    const end = cells[cell + i * step + 1] - base;
    const length = end - start;
    stringKey(bytes, start, end, key);
    // It may be one that was just added.
    const entry = findEntry(table, bytes, start, length, key);
    ids[at + i] = entries[entry + 3];
    if (ids[at + i] !== 0) continue;
    ids[at + i] = id;
    let pooled = starts[id];
    if (length <= longest) {
      entries[entry] = key[0];
      entries[entry + 1] = key[1];
      entries[entry + 2] = length;
      entries[entry + 3] = id;
      if (length > KEY_BYTES) for (let b = start; b < end; b++) pool[pooled++] = bytes[b];
    }
    added[2 * (id - next)] = start;
    added[2 * (id - next) + 1] = end;
    starts[++id] = pooled;
  }
  return id;
}

/** Enters all strings of a table into a larger one. @param larger zeros; written. */
export function moveStrings(entries: Uint32Array, larger: Uint32Array): void {
  for (let from = 0; from < entries.length; from += 4) {
    if (entries[from + 3] === 0) continue;
    let to = 4 * (hashKey(entries[from], entries[from + 1], entries[from + 2]) & (larger.length / 4 - 1));
    while (larger[to + 3] !== 0) to = (to + 4) % larger.length;
    for (let i = 0; i < 4; i++) larger[to + i] = entries[from + i];
  }
}

/**
 * Finds the ids of windows of values.
 *
 * @param values holds the values of each window.
 * @param parts [arity] where in `values` each part of the first window is.
 * @param step how far from there those of the next window are.
 * @param count number of windows.
 * @param slots [capacity, a power of 2] id of a window, 0 where there is none: open addressing, at first where its hash says.
 * @param keys [(ids + 1) × arity] the values of each window.
 * @param ids their ids are written from `at` on, 0 for those that are not known.
 * @returns how many are not known.
 */
export function findWindows(
  values: Uint32Array,
  parts: Uint32Array,
  step: number,
  count: number,
  slots: Uint32Array,
  keys: Uint32Array,
  ids: Uint32Array,
  at: number,
): number {
  const key = new Uint32Array(parts.length);
  let unknown = 0;
  for (let i = 0; i < count; i++) {
    for (let part = 0; part < key.length; part++) key[part] = values[parts[part] + i * step];
    ids[at + i] = slots[findSlot(key, slots, keys)];
    if (ids[at + i] === 0) unknown++;
  }
  return unknown;
}

/** Where the id of a window is, or the free slot where it would be. */
function findSlot(key: Uint32Array, slots: Uint32Array, keys: Uint32Array): number {
  const arity = key.length;
  const mask = slots.length - 1;
  let slot = hashTuple(key, 0, arity) & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const from = slots[slot] * arity;
    let same = 0;
    while (same < arity && keys[from + same] === key[same]) same++;
    if (same === arity) break;
  }
  return slot;
}

/**
 * Gives an id to each window that {@link findWindows}, asked the same, did not find.
 *
 * @param slots with room for them; changed.
 * @param keys the values of each new window are added.
 * @param ids those that are 0 are written.
 * @param next the first new id; ids are consecutive.
 * @returns the id after the last new one.
 */
export function addWindows(
  values: Uint32Array,
  parts: Uint32Array,
  step: number,
  count: number,
  slots: Uint32Array,
  keys: Uint32Array,
  ids: Uint32Array,
  at: number,
  next: number,
): number {
  const key = new Uint32Array(parts.length);
  let id = next;
  for (let i = 0; i < count; i++) {
    if (ids[at + i] !== 0) continue;
    for (let part = 0; part < key.length; part++) key[part] = values[parts[part] + i * step];
    // It may be one that was just added.
    const slot = findSlot(key, slots, keys);
    if (slots[slot] === 0) {
      keys.set(key, id * key.length);
      slots[slot] = id++;
    }
    ids[at + i] = slots[slot];
  }
  return id;
}

/**
 * Lays sentences out by position, in reading order, one after another: as many positions before and after each as `margin` says
 * have the ids of what stands outside of it, by distance d: d before its start, `end` + d after its end.
 *
 * @param found ids of their tokens in text order, from `first` on.
 * @param starts [sentences + 1] where each starts among these.
 * @param backward whether sentences are read from their end.
 * @param ids written from `at` on.
 */
export function layOutSentences(
  found: Uint32Array,
  first: number,
  starts: Uint32Array,
  sentences: number,
  margin: number,
  end: number,
  backward: boolean,
  ids: Uint32Array,
  at: number,
): void {
  let position = at;
  for (let s = 0; s < sentences; s++) {
    const from = first + starts[s];
    const to = first + starts[s + 1];
    for (let distance = margin; distance > 0; distance--) ids[position++] = distance;
    if (backward) for (let i = to - 1; i >= from; i--) ids[position++] = found[i];
    else for (let i = from; i < to; i++) ids[position++] = found[i];
    for (let distance = 1; distance <= margin; distance++) ids[position++] = end + distance;
  }
}

/**
 * Takes a column of a table for each id.
 *
 * @param ids from `first` on.
 * @param table [ids × width]
 * @param out `table[id × width + column]` for `count` ids is written from `at` on.
 */
export function takeColumn(
  ids: Uint32Array,
  first: number,
  count: number,
  table: Uint32Array,
  width: number,
  column: number,
  out: Uint32Array,
  at: number,
): void {
  for (let i = 0; i < count; i++) out[at + i] = table[ids[first + i] * width + column];
}
