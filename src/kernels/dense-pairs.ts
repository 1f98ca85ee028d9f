/**
 * Adds the weights of pairs of values to the tokens around them, from a table that has them beside the pair: for few labels and
 * weights in steps, where it is smaller than the features apart, and read with one wait for memory. The plain kernel, oracle
 * of its SIMD twin.
 */
import { hashPair } from './hash.js';
import type { Kernel } from './kernel.js';
import { STEP_LANES } from './score-rows.js';

/** Numbers of an entry before its weights: the pair. */
export const PAIR_NUMBERS = 2;
/** Numbers that eight weights take. */
export const GROUP_NUMBERS = 2;

/** A conjunction of two values as {@link addDensePairs} reads it. */
export interface DensePairTable {
  /**
   * [capacity × (2 + 2 × groups)] left value and right value (0 where there is none), and int8 [groups × 8] the weights
   * in steps. Open addressing, at first where {@link denseSlot} says.
   */
  readonly entries: Uint32Array;
  /** Entries; one at least is free. */
  readonly capacity: number;
  /** Eights of weights of an entry, which are those of rows side by side. */
  readonly groups: number;
  /** The token that the first of these rows is for, relative to the pair's first one. */
  readonly token: number;
}

/** The entry at which the search for a pair begins. */
export function denseSlot(left: number, right: number, capacity: number): number {
  return Math.floor((hashPair(left, right) * capacity) / 2 ** 32);
}

/** Pairs of values whose weights are added, for rows in steps. */
export interface DensePairSum {
  /** Holds both values of each position; 0 is none. */
  readonly values: Uint32Array;
  /** Place of the first position's left value. */
  readonly left: number;
  /** Place of the first position's right value. */
  readonly right: number;
  /** Number of positions. */
  readonly positions: number;
  /** Weights of pairs. */
  readonly table: DensePairTable;
  /** Lanes W of a row. */
  readonly width: number;
  /** Rows [W] of tokens in steps, that of the first position from `at` on; changed. There is room for all groups. */
  readonly out: Int16Array;
  /** Place of the first position's row. */
  readonly at: number;
}

/** Adds to tokens the weights of the pairs of values around them. */
export const addDensePairs: Kernel<DensePairSum, void> = {
  name: 'addDensePairs',
  plain({ values, left, right, positions, table, width, out, at }) {
    const { entries, capacity, groups, token } = table;
    const size = PAIR_NUMBERS + GROUP_NUMBERS * groups;
    const steps = new Int8Array(entries.buffer, entries.byteOffset, 4 * entries.length);
    for (let i = 0; i < positions; i++) {
      const a = values[left + i];
      const b = values[right + i];
      if (a === 0 || b === 0) continue;
      let slot = denseSlot(a, b, capacity);
      while (entries[slot * size] !== 0 && (entries[slot * size] !== a || entries[slot * size + 1] !== b)) {
        slot = slot + 1 === capacity ? 0 : slot + 1;
      }
      if (entries[slot * size] === 0) continue;
      const weight = 4 * (slot * size + PAIR_NUMBERS);
      const row = at + (i + token) * width;
      for (let lane = 0; lane < STEP_LANES * groups; lane++) out[row + lane] += steps[weight + lane];
    }
  },
  parameters: {
    left: ['uint32', ({ values }) => values, ({ left }) => left],
    right: ['uint32', ({ values }) => values, ({ right }) => right],
    positions: ['number', ({ positions }) => positions],
    entries: ['uint32', ({ table }) => table.entries],
    capacity: ['number', ({ table }) => table.capacity],
    groups: ['number', ({ table }) => table.groups],
    width: ['number', ({ width }) => width],
    out: ['int16', ({ out }) => out, ({ at, table, width }) => at + table.token * width],
  },
};
