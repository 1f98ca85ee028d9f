import type { Conjunction } from '../features/layout.js';
import { hashPair } from '../features/tuple-table.js';
import type { Kernels } from '../kernels/kernels.js';
import type { PackedFeatures, PairTable } from '../kernels/score-rows.js';
import type { Model } from './model.js';

/** Words of a weight: its lane and its value. */
const WEIGHT_WORDS = 2;

/** Packs features of a model's conjunctions into the kernels' memory, where they are added from. */
export class FeaturePacker implements PackedFeatures {
  /** [{@link FeaturePacker.words}] (not all of them in use) */
  readonly words: Uint32Array;
  /** The same memory. */
  readonly floats: Float32Array;
  /** Words in use. */
  length = 0;
  private readonly model: Model;

  /** Words that a model's features need at most, if each is packed once. */
  static words({ features, weights }: Model): number {
    return features.slots.length + WEIGHT_WORDS * weights.values.length;
  }

  constructor(model: Model, kernels: Kernels) {
    this.model = model;
    this.words = kernels.uint32(FeaturePacker.words(model));
    this.floats = new Float32Array(this.words.buffer, this.words.byteOffset, this.words.length);
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
    const { starts: firsts, lanes, values } = weights;
    const { words, floats } = this;
    const end = tuples[tuple + 1];
    let word = this.length;
    for (let f = tuples[tuple]; f < end; f++) {
      // Slots ascend; those that are joined with earlier labels come last.
      if (slots[f] >= placeOf.length) break;
      const place = placeOf[slots[f]];
      const first = firsts[f];
      const last = firsts[f + 1];
      if (place === undefined || first === last) continue;
      words[word++] = (place << 16) | (last - first);
      for (let j = first; j < last; j++) {
        words[word++] = lanes[j];
        floats[word++] = values[j];
      }
    }
    this.length = word;
    return word;
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

/** [fixed slots] the tokens that a conjunction's features are for, relative to where it stands; none where it is not looked up. */
export function tokensOf(
  { placements, fixedSlots }: Conjunction,
  isAhead: readonly boolean[],
): (number | undefined)[] {
  return placements.slice(0, fixedSlots).map(({ offset }, slot) => (isAhead[slot] ? undefined : -offset));
}
