/**
 * Values of strings by their bytes: parts of them, and images under a map of characters, are looked for in a model's alphabets
 * without making strings. The plain kernels, oracle of their WebAssembly twins.
 */
import { hashBytes } from './hash.js';
import type { Kernel } from './kernel.js';

/** Strings as two arrays. */
export interface PackedStrings {
  /** Their UTF-8 bytes, one string after another. */
  readonly pool: Uint8Array;
  /** [size + 1] where each starts in the pool, and where the last one ends. */
  readonly offsets: Uint32Array;
}

/** Strings, and what finds them. */
export interface HashedStrings extends PackedStrings {
  /** [capacity, a power of 2] id + 1 of a string, 0 where there is none: open addressing, at first where the hash of its bytes says. */
  readonly slots: Uint32Array;
}

/** Strings whose values are looked for. */
export interface ValueSearch {
  /** Known strings. */
  readonly table: HashedStrings;
  /** UTF-8 that the strings are in. */
  readonly bytes: Uint8Array;
  /** [count × 2] start and end of each string in `bytes`. */
  readonly spans: Uint32Array;
  /** Number of strings. */
  readonly count: number;
  /** Characters that count: the first n, the last −n, or all where it is 0. */
  readonly part: number;
  /** Value of the table's first string. */
  readonly first: number;
  /** Written from `at` on; 0 where the table has no such string, and for strings of fewer characters. */
  readonly out: Uint32Array;
  /** Place of the first string's value. */
  readonly at: number;
}

/** Finds the values of strings, or of their first or last characters. */
export const findValues: Kernel<ValueSearch, void> = {
  name: 'findValues',
  plain({ table, bytes, spans, count, part, first, out, at }) {
    const { slots, offsets, pool } = table;
    const mask = slots.length - 1;
    for (let i = 0; i < count; i++) {
      let start = spans[2 * i];
      let end = spans[2 * i + 1];
      out[at + i] = 0;
      let missing = Math.abs(part);
      if (part > 0) {
        let to = start;
        // A character ends before the next one's first byte.
        while (to < end && (missing > 0 || isInside(bytes[to]))) if (!isInside(bytes[to++])) missing--;
        end = to;
      } else if (part < 0) {
        let from = end;
        while (from > start && missing > 0) if (!isInside(bytes[--from])) missing--;
        start = from;
      }
      if (missing > 0) continue;
      for (let slot = hashBytes(bytes, start, end) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const from = offsets[slots[slot] - 1];
        if (offsets[slots[slot]] - from !== end - start) continue;
        let same = 0;
        while (start + same < end && pool[from + same] === bytes[start + same]) same++;
        if (start + same === end) {
          out[at + i] = first + slots[slot] - 1;
          break;
        }
      }
    }
  },
  parameters: {
    slots: ['uint32', ({ table }) => table.slots],
    mask: ['number', ({ table }) => table.slots.length - 1],
    offsets: ['uint32', ({ table }) => table.offsets],
    pool: ['uint8', ({ table }) => table.pool],
    bytes: ['uint8', ({ bytes }) => bytes],
    spans: ['uint32', ({ spans }) => spans],
    count: ['number', ({ count }) => count],
    part: ['number', ({ part }) => part],
    first: ['number', ({ first }) => first],
    out: ['uint32', ({ out }) => out, ({ at }) => at],
  },
};

/** Whether a byte of UTF-8 is not the first of its character. */
function isInside(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Strings that are written anew. */
export interface StringMapping {
  /** UTF-8 that the strings are in. */
  readonly bytes: Uint8Array;
  /** [count × 2] start and end of each string in `bytes`. */
  readonly spans: Uint32Array;
  /** Number of strings. */
  readonly count: number;
  /** [128] replacement of each character of ASCII. */
  readonly map: Uint8Array;
  /** Characters of a run of one character, once replaced, that are written. */
  readonly longestRun: number;
  /** The new strings, one after another; written. */
  readonly out: Uint8Array;
  /**
   * [count × 2] start and end of each there; written. Strings that are not all ASCII, and those for which there is no room, are
   * left out: their start and end are 0.
   */
  readonly outSpans: Uint32Array;
}

/**
 * Writes strings anew, each character as a map says, and of runs of one character in what comes of it only the first few.
 * Returns how many are left out.
 */
export const mapStrings: Kernel<StringMapping, number> = {
  name: 'mapStrings',
  plain({ bytes, spans, count, map, longestRun, out, outSpans }) {
    let used = 0;
    let left = 0;
    for (let i = 0; i < count; i++) {
      const start = spans[2 * i];
      const end = spans[2 * i + 1];
      let to = used;
      let isLeft = end - start > out.length - used;
      let last = -1;
      let run = 0;
      for (let at = start; at < end && !isLeft; at++) {
        const byte = bytes[at];
        if (byte > 127) {
          isLeft = true;
          break;
        }
        const mapped = map[byte];
        run = mapped === last ? run + 1 : 1;
        last = mapped;
        if (run <= longestRun) out[to++] = mapped;
      }
      if (isLeft) left++;
      outSpans[2 * i] = isLeft ? 0 : used;
      outSpans[2 * i + 1] = isLeft ? 0 : to;
      if (!isLeft) used = to;
    }
    return left;
  },
  parameters: {
    bytes: ['uint8', ({ bytes }) => bytes],
    spans: ['uint32', ({ spans }) => spans],
    count: ['number', ({ count }) => count],
    map: ['uint8', ({ map }) => map],
    longestRun: ['number', ({ longestRun }) => longestRun],
    out: ['uint8', ({ out }) => out],
    room: ['number', ({ out }) => out.length],
    outSpans: ['uint32', ({ outSpans }) => outSpans],
  },
};
