/**
 * What pairs of values bring to the tokens around them, from a table that has the weights beside the pair: for few labels and
 * weights in steps, where it is smaller than the features apart, and read with one wait for memory. The plain kernel, oracle
 * of its SIMD twin.
 */
import { hashPair } from './hash.js';

/** Numbers of an entry before its weights: the pair. */
export const PAIR_NUMBERS = 2;
/** Lanes of a group. */
export const GROUP = 4;

/** A conjunction of two values as {@link addDensePairs} reads it; its weights are in groups of four lanes. */
export interface DensePairTable {
  /**
   * [capacity × (2 + groups)] left value and right value (0 where there is none), and the weights in steps, int8 [groups × 4]:
   * open addressing, at first where {@link denseSlot} says.
   */
  readonly entries: Uint32Array;
  /** Entries; one at least is free. */
  readonly capacity: number;
  /** [groups, an even number] where each group is added, in lanes after the row of the pair's first token; may be negative. */
  readonly targets: Int32Array;
  /** What weights are multiples of; a weight is rounded to float32. */
  readonly step: number;
}

/** The entry at which the search for a pair begins. */
export function denseSlot(left: number, right: number, capacity: number): number {
  return Math.floor((hashPair(left, right) * capacity) / 2 ** 32);
}

/**
 * Adds what pairs of values bring to the tokens around them.
 *
 * @param values holds both values of each position: from `left` and from `right` on; 0 is none.
 * @param positions number of positions.
 * @param out rows [W] of tokens, that of the first position from `at` on; changed. There are rows for all groups.
 */
export function addDensePairs(
  values: Uint32Array,
  left: number,
  right: number,
  positions: number,
  { entries, capacity, targets, step }: DensePairTable,
  width: number,
  out: Float32Array,
  at: number,
): void {
  const groups = targets.length;
  const size = PAIR_NUMBERS + groups;
  const steps = new Int8Array(entries.buffer, entries.byteOffset, 4 * entries.length);
  const fround = Math.fround;
  for (let i = 0; i < positions; i++) {
    const a = values[left + i];
    const b = values[right + i];
    if (a === 0 || b === 0) continue;
    let slot = denseSlot(a, b, capacity);
    while (entries[slot * size] !== 0 && (entries[slot * size] !== a || entries[slot * size + 1] !== b)) {
      slot = slot + 1 === capacity ? 0 : slot + 1;
    }
    if (entries[slot * size] === 0) continue;
    let weight = 4 * (slot * size + PAIR_NUMBERS);
    for (let group = 0; group < groups; group++) {
      const row = at + i * width + targets[group];
      for (let lane = 0; lane < GROUP; lane++) out[row + lane] += fround(steps[weight++] * step);
    }
  }
}
