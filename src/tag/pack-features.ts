import type { Conjunction } from '../features/layout.js';
import { type DensePairTable, denseSlot, GROUP_NUMBERS, PAIR_NUMBERS } from '../kernels/dense-pairs.js';
import { hashPair } from '../kernels/hash.js';
import type { Kernels } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import {
  type PackedFeatures,
  type PairTable,
  STEP_LANES,
  STEP_WORDS,
  WEIGHT_WORDS,
} from '../kernels/score-rows.js';
import type { TupleRuns } from '../kernels/sum-blocks.js';
import type { Model } from '../model/model.js';
import type { SparseWeights } from '../model/sparse-weights.js';

/** Of so many weights of a feature zeros are packed too, */
const MANY_WEIGHTS = 8;
/** if there are not more lanes than that times as many from the first to the last. */
const MOST_SPREAD = 1.5;

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
    if (whole) return STEP_WORDS * Math.min(count, eights);
    return features.slots.length + MOST_SPREAD * WEIGHT_WORDS * count;
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
    const count = last - first;
    const span = count < MANY_WEIGHTS ? count : lanes[last - 1] - lanes[first] + 1;
    if (span === count || span > MOST_SPREAD * count) {
      words[word++] = (place << 16) | count;
      for (let j = first; j < last; j++) {
        words[word++] = lanes[j];
        floats[word++] = packed[j] * factor;
      }
    } else {
      // Weights of lanes side by side are added four at a time.
      words[word++] = (place << 16) | span;
      let lane = lanes[first];
      for (let j = first; j < last; j++) {
        for (; lane < lanes[j]; lane++) {
          words[word++] = lane;
          floats[word++] = 0;
        }
        words[word++] = lane++;
        floats[word++] = packed[j] * factor;
      }
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

/** Tuples after which all are packed. */
const FEW_TUPLES = 1 << 10;

/**
 * Where the features of tuples are packed whose places are slots. Each is packed when it is first asked for, since most of a
 * model is asked for late or never; once many were, all the others are packed one after another.
 */
export class PackedRuns implements TupleRuns {
  /** Where each tuple's run starts, */
  readonly starts: Uint32Array;
  /** and ends; 0 for what is not packed. */
  readonly ends: Uint32Array;
  /** [C] where a conjunction's tuples stand in both; 1 or more. */
  readonly firsts: readonly number[];
  private readonly packer: FeaturePacker;
  /** [C] place of each slot's features; those without one are left out. */
  private readonly places: readonly (readonly (number | undefined)[])[];
  private packed = 0;
  private isWhole = false;

  /** Numbers that each of the two arrays holds. */
  static cells({ features }: Model, ahead: readonly (readonly boolean[])[]): number {
    return features.starts.reduce(
      (cells, { length }, c) => cells + (ahead[c].includes(true) ? length : 0),
      1,
    );
  }

  /** @param ahead [C][fixed slots] which slots' features are packed. */
  constructor(packer: FeaturePacker, model: Model, kernels: Kernels, ahead: readonly (readonly boolean[])[]) {
    const { starts } = model.features;
    const cells = PackedRuns.cells(model, ahead);
    this.packer = packer;
    this.places = ahead.map((isAhead) => isAhead.map((is, slot) => (is ? slot : undefined)));
    let next = 1;
    this.firsts = starts.map(({ length }, c) => {
      const first = next;
      if (ahead[c].includes(true)) next += length;
      return first;
    });
    this.starts = kernels.uint32(cells);
    this.ends = kernels.uint32(cells);
  }

  /**
   * Sees to it that tuples of a conjunction are packed.
   *
   * @param tuples `count` of them from `at` on, each `shift` more than its number; 0 is none.
   */
  pack(conjunction: number, tuples: Uint32Array, at: number, count: number, shift: number): void {
    if (this.isWhole) return;
    for (let i = at; i < at + count; i++) if (tuples[i] !== 0) this.packTuple(conjunction, tuples[i] - shift);
    if (this.packed > FEW_TUPLES) this.packAll();
  }

  private packTuple(conjunction: number, tuple: number): void {
    const run = this.firsts[conjunction] + tuple;
    if (this.ends[run] !== 0) return;
    this.starts[run] = this.packer.length;
    this.ends[run] = this.packer.packTuple(conjunction, tuple, this.places[conjunction]);
    this.packed++;
  }

  private packAll(): void {
    const { firsts, ends } = this;
    for (let c = 0; c < firsts.length; c++) {
      const end = firsts[c + 1] ?? ends.length;
      for (let tuple = 0; tuple < end - firsts[c] - 1; tuple++) this.packTuple(c, tuple);
    }
    this.isWhole = true;
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
