/**
 * Ids of what stands at each position of a stretch of tokens: of strings by their bytes, of windows by the values in them.
 * What is not known is left to the caller. The plain kernels, oracle of their WebAssembly twins.
 */
import { hashTuple } from './hash.js';

/** A string of at most so many bytes is its own key. */
const KEY_BYTES = 8;

/** Strings with an id, as {@link findStrings} reads them. */
export interface StringTable {
  /**
   * [capacity × 4] key (two numbers), length and id of a string; id 0 where there is none: open addressing, at first where
   * {@link hashKey} says.
   */
  readonly entries: Uint32Array;
  /** Entries in use, a power of 2. */
  capacity: number;
  /** UTF-8 bytes of the strings that are longer than their key. */
  readonly pool: Uint8Array;
  /** [ids] where each such string starts in the pool. */
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

/** Whether an id's string, longer than its key, is `bytes[start … start + length − 1]`. */
function isSame(
  { pool, starts }: StringTable,
  id: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): boolean {
  const from = starts[id];
  for (let i = 0; i < length; i++) if (pool[from + i] !== bytes[start + i]) return false;
  return true;
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
  const { entries, capacity } = table;
  const key = new Uint32Array(2);
  let unknown = 0;
  for (let i = 0; i < count; i++) {
    const start = cells[cell + i * step] - base;
    const end = cells[cell + i * step + 1] - base;
    const length = end - start;
    stringKey(bytes, start, end, key);
    let entry = 4 * (hashKey(key[0], key[1], length) & (capacity - 1));
    for (; entries[entry + 3] !== 0; entry = (entry + 4) % (4 * capacity)) {
      const isCandidate =
        entries[entry] === key[0] && entries[entry + 1] === key[1] && entries[entry + 2] === length;
      if (isCandidate && (length <= KEY_BYTES || isSame(table, entries[entry + 3], bytes, start, length)))
        break;
    }
    ids[at + i] = entries[entry + 3];
    if (ids[at + i] === 0) unknown++;
  }
  return unknown;
}

/**
 * Finds the ids of windows of values.
 *
 * @param values holds the values of each position.
 * @param parts [arity] where in `values` each part of the first window is.
 * @param count number of windows, one after another.
 * @param slots [capacity, a power of 2] id of a window, 0 where there is none: open addressing, at first where its hash says.
 * @param keys [(ids + 1) × arity] the values of each window.
 * @param ids their ids are written from `at` on, 0 for those that are not known.
 * @returns how many are not known.
 */
export function findWindows(
  values: Uint32Array,
  parts: Uint32Array,
  count: number,
  slots: Uint32Array,
  keys: Uint32Array,
  ids: Uint32Array,
  at: number,
): number {
  const arity = parts.length;
  const mask = slots.length - 1;
  const key = new Uint32Array(arity);
  let unknown = 0;
  for (let i = 0; i < count; i++) {
    for (let part = 0; part < arity; part++) key[part] = values[parts[part] + i];
    let slot = hashTuple(key, 0, arity) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const from = slots[slot] * arity;
      let same = 0;
      while (same < arity && keys[from + same] === key[same]) same++;
      if (same === arity) break;
    }
    ids[at + i] = slots[slot];
    if (slots[slot] === 0) unknown++;
  }
  return unknown;
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
