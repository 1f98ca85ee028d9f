/**
 * Weights of all features and lanes, only those that are not 0: margin learners leave most of them at 0, and what is
 * not there is neither stored nor added.
 */
export class SparseWeights {
  /** [D + 1] where each feature's weights start. */
  readonly starts: Uint32Array;
  /** [nnz] lane of each weight, ascending within a feature. */
  readonly lanes: Uint16Array;
  /** [nnz] the weights. */
  readonly values: Float32Array;

  constructor(starts: Uint32Array, lanes: Uint16Array, values: Float32Array) {
    this.starts = starts;
    this.lanes = lanes;
    this.values = values;
  }

  /**
   * Rebuilds weights from what a model file holds.
   *
   * @param counts [D] how many weights each feature has.
   * @param problems number of lanes in use, P.
   * @throws Error with one sentence when the arrays do not fit each other.
   */
  static unpack(
    counts: Uint16Array,
    lanes: Uint16Array,
    values: Float32Array,
    problems: number,
  ): SparseWeights {
    const starts = new Uint32Array(counts.length + 1);
    for (let f = 0; f < counts.length; f++) starts[f + 1] = starts[f] + counts[f];
    const total = starts[counts.length];
    if (lanes.length !== total || values.length !== total) {
      throw new Error(`expected ${total} weights, found ${values.length} in ${lanes.length} lanes`);
    }
    const alien = lanes.find((lane) => lane >= problems);
    if (alien !== undefined) throw new Error(`expected lanes below ${problems}, found ${alien}`);
    return new SparseWeights(starts, lanes, values);
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
    const { starts, lanes, values } = this;
    for (let j = starts[feature]; j < starts[feature + 1]; j++) if (lanes[j] === lane) return values[j];
    return 0;
  }

  /** Adds a feature's weights to `out[at … at + K − 1]`, rounding to float32. */
  addTo(feature: number, out: Float32Array, at: number): void {
    const { starts, lanes, values } = this;
    const end = starts[feature + 1];
    for (let j = starts[feature]; j < end; j++) out[at + lanes[j]] += values[j];
  }
}
