import { firstUnordered, startGroups, stepsThatDoNotAscend } from '../base/ascending-groups.js';
import { areBelow } from '../base/typed-array.js';
import { laneCount } from '../kernels/lane-count.js';

/** Sums of a few dozen weights of this size still are numbers. */
const MOST = 1e30;

/**
 * Weights of all features and lanes, only those that are not 0: margin learners leave most of them at 0, and what is
 * not there is neither stored nor added.
 */
export class SparseWeights {
  /** [D + 1] where each feature's weights start. */
  readonly starts: Uint32Array;
  /** [nnz] lane of each weight, ascending within a feature. */
  readonly lanes: Uint8Array | Uint16Array;
  /** [nnz] how many steps each weight is; where there is no step, the weights. */
  readonly packed: Float32Array | Int8Array;
  /** Unit of the weights, which are −127 to 127 times it; 0 where they are any float32. */
  readonly step: number;
  private floats: Float32Array | undefined;

  constructor(
    starts: Uint32Array,
    lanes: Uint8Array | Uint16Array,
    packed: Float32Array | Int8Array,
    step = 0,
  ) {
    this.starts = starts;
    this.lanes = lanes;
    this.packed = packed;
    this.step = step;
  }

  /** [nnz] the weights, rounded to float32; made when they are first asked for, which labelling need not. */
  get values(): Float32Array {
    if (this.packed instanceof Float32Array) return this.packed;
    if (this.floats === undefined) {
      const { packed, step } = this;
      this.floats = new Float32Array(packed.length);
      for (let j = 0; j < packed.length; j++) this.floats[j] = packed[j] * step;
    }
    return this.floats;
  }

  /**
   * The weights of `lanes` lanes that are not 0.
   *
   * @param rows [D × W], W = lanes rounded up to a multiple of 4.
   */
  static ofRows(rows: Float32Array, lanes: number): SparseWeights {
    const width = laneCount(lanes);
    const starts = new Uint32Array(rows.length / width + 1);
    let count = 0;
    for (let i = 0; i < rows.length; i++) if (rows[i] !== 0) count++;
    const laneOf = lanes <= 256 ? new Uint8Array(count) : new Uint16Array(count);
    const values = new Float32Array(count);
    let filled = 0;
    for (let f = 0; f + 1 < starts.length; f++) {
      for (let k = 0; k < lanes; k++) {
        const value = rows[f * width + k];
        if (value === 0) continue;
        laneOf[filled] = k;
        values[filled++] = value;
      }
      starts[f + 1] = filled;
    }
    return new SparseWeights(starts, laneOf.subarray(0, filled), values.subarray(0, filled));
  }

  /**
   * Rebuilds weights from what a model file holds.
   *
   * @param counts [D] how many weights each feature has.
   * @param values as {@link SparseWeights.packed}.
   * @param problems number of lanes in use, P.
   * @param step as {@link SparseWeights.step}.
   * @throws Error with one sentence when the arrays do not fit each other.
   */
  static unpack(
    counts: Uint8Array | Uint16Array,
    lanes: Uint8Array | Uint16Array,
    values: Float32Array | Int8Array,
    problems: number,
    step = 0,
  ): SparseWeights {
    const { starts, stepsBetween } = startGroups(counts, lanes);
    const total = starts[counts.length];
    if (lanes.length !== total || values.length !== total) {
      throw new Error(`expected ${total} weights, found ${values.length} in ${lanes.length} lanes`);
    }
    if (!areBelow(lanes, problems)) {
      const found = lanes.find((lane) => lane >= problems);
      throw new Error(`expected lanes below ${problems}, found ${found}`);
    }
    // Kernels add the weights of a feature as runs of lanes side by side.
    if (stepsThatDoNotAscend(lanes) !== stepsBetween) {
      const bad = firstUnordered(lanes, starts);
      throw new Error(`expected lanes in ascending order, found others for feature ${bad}`);
    }
    if (values instanceof Float32Array) {
      const weights = new SparseWeights(starts, lanes, values);
      const bad = weights.outOfRange();
      if (bad !== undefined) throw new Error(`expected weights up to ±${MOST}, found ${bad}`);
      return weights;
    }
    if (!(step > 0 && step <= MOST / 128)) {
      throw new Error(`expected a step above 0, up to ${MOST / 128}, found ${step}`);
    }
    return new SparseWeights(starts, lanes, values, step);
  }

  /** Finds the first weight that sums of weights cannot hold: no number, or beyond ±1e30. */
  outOfRange(): number | undefined {
    const { packed, step } = this;
    if (!(packed instanceof Float32Array)) return step > 0 && step <= MOST / 128 ? undefined : step;
    for (let j = 0; j < packed.length; j++) if (!(packed[j] <= MOST && packed[j] >= -MOST)) return packed[j];
    return undefined;
  }

  /** Factor from {@link packed} to weights. */
  get factor(): number {
    return this.step || 1;
  }

  /** Number of features D. */
  get size(): number {
    return this.starts.length - 1;
  }

  /** [D] how many weights each feature has. */
  counts(): Uint16Array {
    const counts = new Uint16Array(this.size);
    for (let f = 0; f < counts.length; f++) counts[f] = this.starts[f + 1] - this.starts[f];
    return counts;
  }

  /** The weight of a feature in a lane. */
  weight(feature: number, lane: number): number {
    const { starts, lanes, packed, factor } = this;
    for (let j = starts[feature]; j < starts[feature + 1]; j++) {
      if (lanes[j] === lane) return Math.fround(packed[j] * factor);
    }
    return 0;
  }

  /** Adds a feature's weights to `out[at … at + K − 1]`, in the precision that `out` has. */
  addTo(feature: number, out: Float32Array | Float64Array, at: number): void {
    const { starts, lanes, packed, factor } = this;
    const end = starts[feature + 1];
    for (let j = starts[feature]; j < end; j++) out[at + lanes[j]] += Math.fround(packed[j] * factor);
  }
}
