/** Labels of about equal confidence. */
export interface CalibrationBin {
  /** Lowest confidence that belongs to it. */
  readonly from: number;
  /** Where the next bin begins. */
  readonly to: number;
  /** How much is said so. */
  readonly count: number;
  /** Mean confidence. */
  readonly confidence: number;
  /** Share of it that is right. */
  readonly accuracy: number;
}

/** How well confidences tell how often something is right. */
export interface Calibration {
  /** How much was rated. */
  readonly count: number;
  /** Mean confidence, 0 … 1. */
  readonly confidence: number;
  /** Share that is right, 0 … 1. */
  readonly accuracy: number;
  /** Expected calibration error: the mean distance between confidence and accuracy of a bin, weighted by count. */
  readonly expectedError: number;
  /** Bins that hold something, ascending. */
  readonly bins: readonly CalibrationBin[];
}

/** Number of bins of equal width, as in Guo et al. (2017), On calibration of modern neural networks. */
const BINS = 15;

/** Counts what was said with which confidence, and whether it was right. */
export class CalibrationTally {
  private readonly counts = new Float64Array(BINS);
  private readonly rights = new Float64Array(BINS);
  private readonly sums = new Float64Array(BINS);

  /**
   * Counts one.
   *
   * @param confidence 0 … 1.
   */
  add(confidence: number, isRight: boolean): void {
    const bin = Math.min(BINS - 1, Math.floor(confidence * BINS));
    this.counts[bin]++;
    this.sums[bin] += confidence;
    if (isRight) this.rights[bin]++;
  }

  /** Calibration of all that was counted; zeros where nothing was. */
  calibration(): Calibration {
    const { counts, rights, sums } = this;
    const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
    const count = total(counts);
    const bins: CalibrationBin[] = [];
    let distance = 0;
    for (let bin = 0; bin < BINS; bin++) {
      if (counts[bin] === 0) continue;
      distance += Math.abs(sums[bin] - rights[bin]);
      bins.push({
        from: bin / BINS,
        to: (bin + 1) / BINS,
        count: counts[bin],
        confidence: sums[bin] / counts[bin],
        accuracy: rights[bin] / counts[bin],
      });
    }
    const share = (value: number) => (count === 0 ? 0 : value / count);
    return {
      count,
      confidence: share(total(sums)),
      accuracy: share(total(rights)),
      expectedError: share(distance),
      bins,
    };
  }
}
