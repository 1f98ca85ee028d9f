import type { Conjunction } from '../features/layout.js';
import { type DensePairTable, denseSlot, GROUP_NUMBERS, PAIR_NUMBERS } from '../kernels/dense-pairs.js';
import { hashPair } from '../kernels/hash.js';
import { laneCount } from '../kernels/lane-count.js';
import { type PairTable, STEP_LANES, STEP_WORDS } from '../kernels/score-rows.js';
import type { Model } from '../model/model.js';
import type { SparseWeights } from '../model/sparse-weights.js';

/** Numbers of the hash table of so many pairs. */
export function pairCells(pairs: number): number {
  return 4 * 2 ** Math.ceil(Math.log2(2 * pairs + 1));
}

/**
 * Makes the hash table that pairs of values find their features by.
 *
 * @param keys [pairs × 2] values of each pair.
 * @param runs [pairs + 1] where each pair's run of features starts.
 * @param entries [{@link pairCells}] zeros; written.
 */
export function fillPairTable(keys: Uint32Array, runs: Uint32Array, entries: Uint32Array): PairTable {
  const mask = entries.length / 4 - 1;
  for (let pair = 0; pair + 1 < runs.length; pair++) {
    if (runs[pair + 1] === runs[pair]) continue;
    const left = keys[2 * pair];
    const right = keys[2 * pair + 1];
    let slot = hashPair(left, right) & mask;
    while (entries[4 * slot] !== 0) slot = (slot + 1) & mask;
    entries[4 * slot] = left;
    entries[4 * slot + 1] = right;
    entries[4 * slot + 2] = runs[pair];
    entries[4 * slot + 3] = runs[pair + 1];
  }
  return { entries };
}

/** Size of the dense table of a conjunction of two values. */
export interface DenseSize {
  /** Entries. */
  readonly capacity: number;
  /** Eights of weights of an entry. */
  readonly groups: number;
}

/** Room for the entries of a dense table, in numbers. */
export function denseCells({ capacity, groups }: DenseSize): number {
  return capacity * (PAIR_NUMBERS + GROUP_NUMBERS * groups);
}

/**
 * The size of the dense table of a conjunction of two values, for rows in steps; nothing where its features apart take less
 * memory.
 *
 * @param tokens as of {@link tokensOf}.
 */
export function denseSize(
  { features, weights, problems }: Model,
  conjunction: number,
  tokens: readonly (number | undefined)[],
): DenseSize | undefined {
  const starts = features.starts[conjunction];
  const pairs = starts.length - 1;
  const { first, last } = rangeOf(tokens);
  const groups = Math.ceil(((last - first + 1) * laneCount(problems)) / STEP_LANES);
  // Two thirds full: a free entry soon ends a search in vain.
  const size = { capacity: Math.ceil(1.5 * pairs) + 1, groups };
  return denseCells(size) <= pairCells(pairs) + STEP_WORDS * eights(weights, starts[0], starts[pairs])
    ? size
    : undefined;
}

/** Eights of lanes that some features have weights in. */
function eights({ starts, lanes }: SparseWeights, from: number, to: number): number {
  let count = 0;
  for (let f = from; f < to; f++) {
    let end = 0;
    for (let j = starts[f]; j < starts[f + 1]; j++) {
      if (lanes[j] < end) continue;
      end = (lanes[j] & -STEP_LANES) + STEP_LANES;
      count++;
    }
  }
  return count;
}

/** The first and the last token that features are for. */
function rangeOf(tokens: readonly (number | undefined)[]): { first: number; last: number } {
  const placed = tokens.filter((token) => token !== undefined);
  return { first: Math.min(...placed), last: Math.max(...placed) };
}

/**
 * Makes the dense table of a conjunction of two values.
 *
 * @param keys [pairs × 2] values of each pair.
 * @param tokens as of {@link tokensOf}.
 * @param entries [{@link denseCells}] zeros; written.
 */
export function fillDenseTable(
  { features, weights, problems }: Model,
  conjunction: number,
  keys: Uint32Array,
  tokens: readonly (number | undefined)[],
  { capacity, groups }: DenseSize,
  entries: Uint32Array,
): DensePairTable {
  const width = laneCount(problems);
  const { starts: firsts, lanes, packed } = weights;
  const starts = features.starts[conjunction];
  const { first } = rangeOf(tokens);
  const size = PAIR_NUMBERS + GROUP_NUMBERS * groups;
  const steps = new Int8Array(entries.buffer, entries.byteOffset, 4 * entries.length);
  for (let pair = 0; pair + 1 < starts.length; pair++) {
    let slot = -1;
    for (let f = starts[pair]; f < starts[pair + 1]; f++) {
      const token = tokens[features.slots[f]];
      if (token === undefined || firsts[f] === firsts[f + 1]) continue;
      if (slot < 0) {
        slot = denseSlot(keys[2 * pair], keys[2 * pair + 1], capacity);
        while (entries[slot * size] !== 0) slot = slot + 1 === capacity ? 0 : slot + 1;
        entries[slot * size] = keys[2 * pair];
        entries[slot * size + 1] = keys[2 * pair + 1];
      }
      const at = 4 * (slot * size + PAIR_NUMBERS) + (token - first) * width;
      for (let j = firsts[f]; j < firsts[f + 1]; j++) steps[at + lanes[j]] = packed[j];
    }
  }
  return { entries, capacity, groups, token: first };
}

/** [fixed slots] the tokens that a conjunction's features are for, relative to where it stands; none where it is not looked up. */
export function tokensOf(
  { placements, fixedSlots }: Conjunction,
  isAhead: readonly boolean[],
): (number | undefined)[] {
  return placements.slice(0, fixedSlots).map(({ offset }, slot) => (isAhead[slot] ? undefined : -offset));
}
