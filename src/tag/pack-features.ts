import { type Arrays, uint32 } from '../kernels/layout.js';
import { type PackedFeatures, STEP_LANES, STEP_WORDS, WEIGHT_WORDS } from '../kernels/score-rows.js';
import type { TupleRuns } from '../kernels/sum-blocks.js';
import type { Model } from '../model/model.js';

/** Features with this many weights have their zeros packed too, if lanes are dense enough. */
const MANY_WEIGHTS = 8;
/** Most lanes from a feature's first to its last, as a multiple of its weights, for zeros to be packed. */
const MOST_SPREAD = 1.5;

/** Packs features of a model's conjunctions into the kernels' memory, where they are added from. */
export class FeaturePacker implements PackedFeatures {
  /** The words, not all of them in use. */
  readonly words: Uint32Array;
  /** The same memory. */
  readonly floats: Float32Array;
  /** The same memory. */
  readonly steps: Int8Array;
  /** Words in use. */
  length = 0;
  private readonly model: Model;
  private readonly whole: boolean;

  /**
   * Array of the words that a model's features need at most, if each is packed once; `whole` as the constructor has it.
   *
   * @hidden
   */
  static layout({ features, weights, problems }: Model, whole: boolean) {
    const count = weights.packed.length;
    const eights = features.slots.length * Math.ceil(problems / STEP_LANES);
    return uint32(
      whole
        ? STEP_WORDS * Math.min(count, eights)
        : features.slots.length + MOST_SPREAD * WEIGHT_WORDS * count,
    );
  }

  /**
   * @param whole whether they are for rows in steps, which the model's weights must be in.
   * @param words zeros; written.
   */
  constructor(model: Model, whole: boolean, words: Arrays<ReturnType<typeof FeaturePacker.layout>>) {
    this.model = model;
    this.whole = whole;
    this.words = words;
    const { buffer, byteOffset, length } = words;
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
  /** Start of each tuple's run. */
  readonly starts: Uint32Array;
  /** End of each tuple's run; 0 for tuples that are not packed. */
  readonly ends: Uint32Array;
  /** [C] where a conjunction's tuples stand in both; 1 or more. */
  readonly firsts: readonly number[];
  private readonly packer: FeaturePacker;
  /** [C] place of each slot's features; those without one are left out. */
  private readonly places: readonly (readonly (number | undefined)[])[];
  private packed = 0;
  private isWhole = false;

  /**
   * Arrays for a model; `ahead` as the constructor has it.
   *
   * @hidden
   */
  static layout({ features }: Model, ahead: readonly (readonly boolean[])[]) {
    const cells = features.starts.reduce(
      (sum, { length }, c) => sum + (ahead[c].includes(true) ? length : 0),
      1,
    );
    return { starts: uint32(cells), ends: uint32(cells) };
  }

  /**
   * @param ahead [C][fixed slots] which slots' features are packed.
   * @param arrays zeros; written.
   */
  constructor(
    packer: FeaturePacker,
    model: Model,
    ahead: readonly (readonly boolean[])[],
    arrays: Arrays<ReturnType<typeof PackedRuns.layout>>,
  ) {
    const { starts } = model.features;
    this.packer = packer;
    this.places = ahead.map((isAhead) => isAhead.map((is, slot) => (is ? slot : undefined)));
    let next = 1;
    this.firsts = starts.map(({ length }, c) => {
      const first = next;
      if (ahead[c].includes(true)) next += length;
      return first;
    });
    this.starts = arrays.starts;
    this.ends = arrays.ends;
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
