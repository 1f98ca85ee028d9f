import type { Conjunction } from '../features/layout.js';
import { hashPair } from '../features/tuple-table.js';
import { type DensePairTable, denseSlot, GROUP_NUMBERS, PAIR_NUMBERS } from '../kernels/dense-pairs.js';
import type { Kernels } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import {
  type PackedFeatures,
  type PairTable,
  STEP_LANES,
  STEP_WORDS,
  WEIGHT_WORDS,
} from '../kernels/score-rows.js';
import type { Model } from './model.js';
import type { SparseWeights } from './sparse-weights.js';

/** Packs features of a model's conjunctions into the kernels' memory, where they are added from. */
export class FeaturePacker implements PackedFeatures {
  /** [{@link FeaturePacker.words}] (not all of them in use) */
  readonly words: Uint32Array;
  /** The same memory. */
  readonly floats: Float32Array;
  /** The same memory. */
  readonly steps: Int8Array;
  /** Words in use. */
  length = 0;
  private readonly model: Model;
  private readonly whole: boolean;

  /** Words that a model's features need at most, if each is packed once; `whole` as the constructor has it. */
  static words({ features, weights, problems }: Model, whole: boolean): number {
    const count = weights.packed.length;
    const eights = features.slots.length * Math.ceil(problems / STEP_LANES);
    return whole ? STEP_WORDS * Math.min(count, eights) : features.slots.length + WEIGHT_WORDS * count;
  }

  /** @param whole whether they are for rows in steps, which the model's weights must be in. */
  constructor(model: Model, kernels: Kernels, whole: boolean) {
    this.model = model;
    this.whole = whole;
    this.words = kernels.uint32(FeaturePacker.words(model, whole));
    const { buffer, byteOffset, length } = this.words;
    this.floats = new Float32Array(buffer, byteOffset, length);
    this.steps = new Int8Array(buffer, byteOffset, 4 * length);
  }

  /**
   * Packs the features of a conjunction.
   *
   * @param placeOf [fixed slots] place of each slot's features; those without one are left out.
   * @returns [tuples + 1] where each tuple's run starts.
   */
  pack(conjunction: number, placeOf: readonly (number | undefined)[]): Uint32Array {
    const tuples = this.model.features.starts[conjunction].length - 1;
    const runs = new Uint32Array(tuples + 1);
    for (let tuple = 0; tuple < tuples; tuple++) {
      runs[tuple] = this.length;
      this.packTuple(conjunction, tuple, placeOf);
    }
    runs[tuples] = this.length;
    return runs;
  }

  /**
   * Packs the features of one tuple.
   *
   * @param placeOf as in {@link pack}.
   * @returns where its run ends; it starts where the one packed before it ended.
   */
  packTuple(conjunction: number, tuple: number, placeOf: readonly (number | undefined)[]): number {
    const { features, weights } = this.model;
    const { slots } = features;
    const tuples = features.starts[conjunction];
    const { starts: firsts } = weights;
    const end = tuples[tuple + 1];
    for (let f = tuples[tuple]; f < end; f++) {
      // Slots ascend; those that are joined with earlier labels come last.
      if (slots[f] >= placeOf.length) break;
      const place = placeOf[slots[f]];
      const first = firsts[f];
      const last = firsts[f + 1];
      if (place === undefined || first === last) continue;
      if (this.whole) this.packSteps(place, first, last);
      else this.packValues(place, first, last);
    }
    return this.length;
  }

  private packValues(place: number, first: number, last: number): void {
    const { words, floats } = this;
    const { lanes, packed, factor } = this.model.weights;
    let word = this.length;
    words[word++] = (place << 16) | (last - first);
    for (let j = first; j < last; j++) {
      words[word++] = lanes[j];
      floats[word++] = packed[j] * factor;
    }
    this.length = word;
  }

  private packSteps(place: number, first: number, last: number): void {
    const { words, steps } = this;
    const { lanes, packed } = this.model.weights;
    let word = this.length - STEP_WORDS;
    let end = 0;
    for (let j = first; j < last; j++) {
      const lane = lanes[j];
      // Lanes ascend.
      if (lane >= end) {
        const low = lane & -STEP_LANES;
        end = low + STEP_LANES;
        word += STEP_WORDS;
        words[word] = (place << 16) | low;
      }
      steps[4 * (word + 1) + (lane % STEP_LANES)] = packed[j];
    }
    this.length = word + STEP_WORDS;
  }
}

/**
 * Where the features of a conjunction's tuples are packed; each is when it is first asked for, since most are asked for
 * late or never.
 */
export class PackedRuns {
  private readonly packer: FeaturePacker;
  private readonly conjunction: number;
  private readonly placeOf: readonly (number | undefined)[];
  /** [tuples] where each run starts, */
  private readonly starts: Uint32Array;
  /** [tuples] and one more than where it ends; 0 for what is not packed. */
  private readonly ends: Uint32Array;

  /** @param placeOf as {@link FeaturePacker.pack} has it. */
  constructor(
    packer: FeaturePacker,
    { features }: Model,
    conjunction: number,
    placeOf: readonly (number | undefined)[],
  ) {
    const tuples = features.starts[conjunction].length - 1;
    this.packer = packer;
    this.conjunction = conjunction;
    this.placeOf = placeOf;
    this.starts = new Uint32Array(tuples);
    this.ends = new Uint32Array(tuples);
  }

  /** Writes where a tuple's run starts and ends to both arrays. */
  find(tuple: number, starts: Uint32Array, ends: Uint32Array, at: number): void {
    if (this.ends[tuple] === 0) {
      this.starts[tuple] = this.packer.length;
      this.ends[tuple] = this.packer.packTuple(this.conjunction, tuple, this.placeOf) + 1;
    }
    starts[at] = this.starts[tuple];
    ends[at] = this.ends[tuple] - 1;
  }
}

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
