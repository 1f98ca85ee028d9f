/**
 * Ids of what stands at each position of a stretch of tokens: of strings by their bytes, of windows by the values in them; and
 * new ones for what is not known. The plain kernels, oracle of their WebAssembly twins.
 */
import { hashTuple } from './hash.js';
import type { Kernel } from './kernel.js';

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

/** Strings of a text, one after another. */
export interface TextCells {
  /** UTF-8; `bytes[0]` is what cells call `base`. */
  readonly bytes: Uint8Array;
  /** Number that cells give the first of the bytes. */
  readonly base: number;
  /** Holds start and end of each string. */
  readonly cells: Uint32Array;
  /** Place in `cells` of the first string's start; its end follows. */
  readonly cell: number;
  /** Numbers in `cells` from one string to the next. */
  readonly step: number;
  /** Number of strings. */
  readonly count: number;
}

/** Strings whose ids are looked for. */
export interface StringSearch {
  /** Known strings. */
  readonly table: StringTable;
  /** The strings. */
  readonly text: TextCells;
  /** Their ids are written from `at` on, 0 for those that are not known. */
  readonly ids: Uint32Array;
  /** Place of the first string's id. */
  readonly at: number;
}

/** Finds the ids of strings in a text. Returns how many are not known. */
export const findStrings: Kernel<StringSearch, number> = {
  name: 'findStrings',
  plain({ table, text, ids, at }) {
    const { bytes, base, cells, cell, step, count } = text;
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
  },
  parameters: {
    entries: ['uint32', ({ table }) => table.entries],
    mask: ['number', ({ table }) => table.entries.length / 4 - 1],
    pool: ['uint8', ({ table }) => table.pool],
    starts: ['uint32', ({ table }) => table.starts],
    bytes: ['uint8', ({ text }) => text.bytes, ({ text }) => -text.base],
    cell: ['uint32', ({ text }) => text.cells, ({ text }) => text.cell],
    step: ['number', ({ text }) => text.step],
    count: ['number', ({ text }) => text.count],
    ids: ['uint32', ({ ids }) => ids, ({ at }) => at],
  },
};

/** Strings that get ids. */
export interface StringAddition {
  /** Known strings, with room for more; changed. */
  readonly table: StringTable;
  /** A string of more bytes is not remembered: it gets a new id each time. */
  readonly longest: number;
  /** The strings. */
  readonly text: TextCells;
  /** Their ids from `at` on; those that are 0 are written. */
  readonly ids: Uint32Array;
  /** Place of the first string's id. */
  readonly at: number;
  /** First new id; ids are consecutive. */
  readonly next: number;
  /** [count × 2] start and end in `bytes` of each string with a new id; written. */
  readonly added: Uint32Array;
}

/**
 * Gives an id to each string that {@link findStrings}, asked the same, did not find. Returns the id after the last new one.
 */
export const addStrings: Kernel<StringAddition, number> = {
  name: 'addStrings',
  plain({ table, longest, text, ids, at, next, added }) {
    const { bytes, base, cells, cell, step, count } = text;
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
  },
  parameters: {
    entries: ['uint32', ({ table }) => table.entries],
    mask: ['number', ({ table }) => table.entries.length / 4 - 1],
    pool: ['uint8', ({ table }) => table.pool],
    starts: ['uint32', ({ table }) => table.starts],
    longest: ['number', ({ longest }) => longest],
    text: ['uint8', ({ text }) => text.bytes],
    bytes: ['uint8', ({ text }) => text.bytes, ({ text }) => -text.base],
    cell: ['uint32', ({ text }) => text.cells, ({ text }) => text.cell],
    step: ['number', ({ text }) => text.step],
    count: ['number', ({ text }) => text.count],
    ids: ['uint32', ({ ids }) => ids, ({ at }) => at],
    next: ['number', ({ next }) => next],
    added: ['uint32', ({ added }) => added],
  },
};

/** Entries of two tables of strings, {@link StringTable.entries} each. */
export interface StringMove {
  /** Those of the table so far. */
  readonly entries: Uint32Array;
  /** Zeros; written. */
  readonly larger: Uint32Array;
}

/** Enters all strings of a table into a larger one. */
export const moveStrings: Kernel<StringMove, void> = {
  name: 'moveStrings',
  plain({ entries, larger }) {
    for (let from = 0; from < entries.length; from += 4) {
      if (entries[from + 3] === 0) continue;
      let to = 4 * (hashKey(entries[from], entries[from + 1], entries[from + 2]) & (larger.length / 4 - 1));
      while (larger[to + 3] !== 0) to = (to + 4) % larger.length;
      for (let i = 0; i < 4; i++) larger[to + i] = entries[from + i];
    }
  },
  parameters: {
    entries: ['uint32', ({ entries }) => entries],
    capacity: ['number', ({ entries }) => entries.length / 4],
    larger: ['uint32', ({ larger }) => larger],
    mask: ['number', ({ larger }) => larger.length / 4 - 1],
  },
};

/** Windows of values, one after another. */
export interface Windows {
  /** Holds the values of each window. */
  readonly values: Uint32Array;
  /** [arity] place in `values` of each part of the first window. */
  readonly parts: Uint32Array;
  /** Numbers in `values` from the parts of one window to those of the next. */
  readonly step: number;
  /** Number of windows. */
  readonly count: number;
}

/** Windows whose ids are looked for. */
export interface WindowSearch {
  /** The windows. */
  readonly windows: Windows;
  /**
   * [capacity, a power of 2] id of each known window, 0 where there is none: open addressing, at first where its hash says.
   */
  readonly slots: Uint32Array;
  /** [(ids + 1) × arity] values of each known window. */
  readonly keys: Uint32Array;
  /** Ids are written from `at` on, 0 for windows that are not known. */
  readonly ids: Uint32Array;
  /** Place of the first window's id. */
  readonly at: number;
}

/** Finds the ids of windows of values. Returns how many are not known. */
export const findWindows: Kernel<WindowSearch, number> = {
  name: 'findWindows',
  plain({ windows, slots, keys, ids, at }) {
    const { values, parts, step, count } = windows;
    const key = new Uint32Array(parts.length);
    let unknown = 0;
    for (let i = 0; i < count; i++) {
      for (let part = 0; part < key.length; part++) key[part] = values[parts[part] + i * step];
      ids[at + i] = slots[findSlot(key, slots, keys)];
      if (ids[at + i] === 0) unknown++;
    }
    return unknown;
  },
  parameters: {
    values: ['uint32', ({ windows }) => windows.values],
    parts: ['uint32', ({ windows }) => windows.parts],
    arity: ['number', ({ windows }) => windows.parts.length],
    step: ['number', ({ windows }) => windows.step],
    count: ['number', ({ windows }) => windows.count],
    slots: ['uint32', ({ slots }) => slots],
    mask: ['number', ({ slots }) => slots.length - 1],
    keys: ['uint32', ({ keys }) => keys],
    ids: ['uint32', ({ ids }) => ids, ({ at }) => at],
  },
};

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

/** Windows that get ids; slots and keys have room for them and are changed, ids that are 0 are written. */
export interface WindowAddition extends WindowSearch {
  /** First new id; ids are consecutive. */
  readonly next: number;
}

/** Gives an id to each window that {@link findWindows}, asked the same, did not find. Returns the id after the last new one. */
export const addWindows: Kernel<WindowAddition, number> = {
  name: 'addWindows',
  plain({ windows, slots, keys, ids, at, next }) {
    const { values, parts, step, count } = windows;
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
  },
  parameters: {
    values: ['uint32', ({ windows }) => windows.values],
    parts: ['uint32', ({ windows }) => windows.parts],
    arity: ['number', ({ windows }) => windows.parts.length],
    step: ['number', ({ windows }) => windows.step],
    count: ['number', ({ windows }) => windows.count],
    slots: ['uint32', ({ slots }) => slots],
    mask: ['number', ({ slots }) => slots.length - 1],
    keys: ['uint32', ({ keys }) => keys],
    ids: ['uint32', ({ ids }) => ids, ({ at }) => at],
    next: ['number', ({ next }) => next],
  },
};

/** Sentences that are laid out by position. */
export interface SentenceLayout {
  /** Ids of their tokens in text order, from `first` on. */
  readonly found: Uint32Array;
  /** Place of the first token's id. */
  readonly first: number;
  /** [sentences + 1] first token of each sentence, counted from there. */
  readonly starts: Uint32Array;
  /** Number of sentences. */
  readonly sentences: number;
  /** Positions before and after each sentence. */
  readonly margin: number;
  /** Positions after a sentence have the ids `end` + 1, `end` + 2 …, those before it …, 2, 1, by distance. */
  readonly end: number;
  /** Whether sentences are read from their end. */
  readonly backward: boolean;
  /** Written from `at` on. */
  readonly ids: Uint32Array;
  /** Place of the first position's id. */
  readonly at: number;
}

/** Lays sentences out by position, in reading order, one after another, each with positions outside of it on both sides. */
export const layOutSentences: Kernel<SentenceLayout, void> = {
  name: 'layOutSentences',
  plain({ found, first, starts, sentences, margin, end, backward, ids, at }) {
    let position = at;
    for (let s = 0; s < sentences; s++) {
      const from = first + starts[s];
      const to = first + starts[s + 1];
      for (let distance = margin; distance > 0; distance--) ids[position++] = distance;
      if (backward) for (let i = to - 1; i >= from; i--) ids[position++] = found[i];
      else for (let i = from; i < to; i++) ids[position++] = found[i];
      for (let distance = 1; distance <= margin; distance++) ids[position++] = end + distance;
    }
  },
  parameters: {
    found: ['uint32', ({ found }) => found, ({ first }) => first],
    starts: ['uint32', ({ starts }) => starts],
    sentences: ['number', ({ sentences }) => sentences],
    margin: ['number', ({ margin }) => margin],
    end: ['number', ({ end }) => end],
    backward: ['flag', ({ backward }) => backward],
    ids: ['uint32', ({ ids }) => ids, ({ at }) => at],
  },
};

/** Ids, and a table with a row for each. */
export interface ColumnTake {
  /** Ids from `first` on. */
  readonly ids: Uint32Array;
  /** Place of the first id. */
  readonly first: number;
  /** Number of ids. */
  readonly count: number;
  /** [ids × width] */
  readonly table: Uint32Array;
  /** Numbers of a row. */
  readonly width: number;
  /** Number of the column that is taken. */
  readonly column: number;
  /** Written from `at` on. */
  readonly out: Uint32Array;
  /** Place of the first id's number. */
  readonly at: number;
}

/** Takes one number of each id's row. */
export const takeColumn: Kernel<ColumnTake, void> = {
  name: 'takeColumn',
  plain({ ids, first, count, table, width, column, out, at }) {
    for (let i = 0; i < count; i++) out[at + i] = table[ids[first + i] * width + column];
  },
  parameters: {
    ids: ['uint32', ({ ids }) => ids, ({ first }) => first],
    count: ['number', ({ count }) => count],
    table: ['uint32', ({ table }) => table, ({ column }) => column],
    width: ['number', ({ width }) => width],
    out: ['uint32', ({ out }) => out, ({ at }) => at],
  },
};
