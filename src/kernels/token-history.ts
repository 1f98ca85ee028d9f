/**
 * What tokens bring together with the label at −1: rows [W] by that label, summed from packed features. The plain kernels,
 * oracle of their SIMD twins: every addition is rounded to float32 and they run in the order written here.
 */
import type { PackedFeatures } from './score-rows.js';

/** Features that are joined with the label at −1. A token has one run of them for each template. */
export interface JoinedFeatures {
  /** Packed features; their places say the label and ascend within a run. */
  readonly features: PackedFeatures;
  /** [runs] the place of label 0 in each of a token's runs; that of label p is p further. */
  readonly places: Uint32Array;
}

/**
 * Sums the row of one label.
 *
 * @param runs where each of the token's runs starts and ends in the words, from `runsAt` on.
 * @param out written from `at` on.
 */
export function historyRow(
  { features: { words, floats }, places }: JoinedFeatures,
  runs: Uint32Array,
  runsAt: number,
  previous: number,
  width: number,
  out: Float32Array,
  at: number,
): void {
  out.fill(0, at, at + width);
  for (let i = 0; i < places.length; i++) {
    const end = runs[runsAt + 2 * i + 1];
    for (let word = runs[runsAt + 2 * i]; word < end; ) {
      const header = words[word++];
      const last = word + 2 * (header & 0xffff);
      if (header >>> 16 > places[i] + previous) break;
      if (header >>> 16 === places[i] + previous) {
        for (; word < last; word += 2) out[at + words[word]] += floats[word + 1];
      }
      word = last;
    }
  }
}

/** Sums the rows of all labels into `out` [L × W]; else as {@link historyRow}. */
export function historyRows(
  { features: { words, floats }, places }: JoinedFeatures,
  runs: Uint32Array,
  runsAt: number,
  labels: number,
  width: number,
  out: Float32Array,
): void {
  out.fill(0, 0, labels * width);
  for (let i = 0; i < places.length; i++) {
    const end = runs[runsAt + 2 * i + 1];
    for (let word = runs[runsAt + 2 * i]; word < end; ) {
      const header = words[word++];
      const last = word + 2 * (header & 0xffff);
      const previous = (header >>> 16) - places[i];
      if (previous >= 0 && previous < labels) {
        for (; word < last; word += 2) out[previous * width + words[word]] += floats[word + 1];
      }
      word = last;
    }
  }
}

/** Writes the largest value of each lane in `rows` [L × W] to `out` from `at` on. */
export function largestOfRows(
  rows: Float32Array,
  labels: number,
  width: number,
  out: Float32Array,
  at: number,
): void {
  for (let k = 0; k < width; k++) {
    let largest = rows[k];
    for (let p = 1; p < labels; p++) if (rows[p * width + k] > largest) largest = rows[p * width + k];
    out[at + k] = largest;
  }
}
