/**
 * One epoch of dual coordinate descent over a block of binary SVM problems that share their rows: the plain kernel,
 * oracle of its SIMD twin.
 *
 *   min over α   ½ ‖w‖² + (diagonal / 2) Σ α² − Σ α,   0 ≤ α ≤ upper,   w = Σ α y x     (per lane)
 *
 * with diagonal = 1/(2C), upper = ∞ for the L2 loss and diagonal = 0, upper = C for the L1 loss; Hsieh et al. 2008,
 * "A Dual Coordinate Descent Method for Large-scale Linear SVM", Algorithms 1 and 3 (shrinking). Features are
 * binary. The result is in `weights` and `alphas`.
 *
 * Lanes are independent, every operation is rounded to float32 and additions run in row order, so a twin that
 * works on four lanes at once gives the same bits. Shrinking removes an example only when no lane still needs it.
 */

/** What the kernel reads and changes; shapes: N examples, D features, L labels, W lanes (a multiple of 4). */
export interface DualState {
  /** [N + 1] CSR offsets. */
  readonly offsets: Uint32Array;
  /** [nnz] feature ids. */
  readonly indices: Uint32Array;
  /** [N] label ids. */
  readonly labels: Uint16Array;
  /** [L × W] +1, −1, or 0 where a lane does not see a label. */
  readonly signs: Float32Array;
  /** Lanes W. */
  readonly width: number;
  /** [D × W] */
  readonly weights: Float32Array;
  /** [N × W] */
  readonly alphas: Float32Array;
  /** [N] examples, the active ones first, in the order they are visited. */
  readonly order: Uint32Array;
  /** 1/(2C) or 0. */
  readonly diagonal: number;
  /** Upper bound of α. */
  readonly upper: number;
  /** [W] −1 (all bits set) where a lane has converged and rests, else 0. */
  readonly resting: Int32Array;
  /** [W] an α at 0 whose gradient is above this is left alone by shrinking; read. */
  readonly shrinkAbove: Float32Array;
  /** [W] an α at `upper` whose gradient is below this is left alone by shrinking; read. */
  readonly shrinkBelow: Float32Array;
  /** [W] largest projected gradient met; written. */
  readonly largest: Float32Array;
  /** [W] smallest projected gradient met; written. */
  readonly smallest: Float32Array;
}

/**
 * Visits the first `active` examples of `order` once.
 *
 * @returns how many of them remain active; the others are moved behind them in `order`.
 */
export function dualEpoch(state: DualState, active: number): number {
  const { offsets, indices, labels, signs, width, weights, alphas, order, resting } = state;
  const { shrinkAbove, shrinkBelow, largest, smallest } = state;
  const fround = Math.fround;
  const diagonal = fround(state.diagonal);
  const upper = fround(state.upper);
  const delta = new Float32Array(width);
  largest.fill(-Infinity);
  smallest.fill(Infinity);

  let position = 0;
  while (position < active) {
    const example = order[position];
    const start = offsets[example];
    const end = offsets[example + 1];
    const curvature = fround(fround(end - start) + diagonal);
    const signRow = labels[example] * width;
    const alphaRow = example * width;
    let needed = false;

    for (let group = 0; group < width; group += 4) {
      const seen =
        (signs[signRow + group] !== 0 && resting[group] === 0) ||
        (signs[signRow + group + 1] !== 0 && resting[group + 1] === 0) ||
        (signs[signRow + group + 2] !== 0 && resting[group + 2] === 0) ||
        (signs[signRow + group + 3] !== 0 && resting[group + 3] === 0);
      if (!seen) continue;
      let score0 = fround(0);
      let score1 = fround(0);
      let score2 = fround(0);
      let score3 = fround(0);
      for (let j = start; j < end; j++) {
        const at = indices[j] * width + group;
        score0 = fround(score0 + weights[at]);
        score1 = fround(score1 + weights[at + 1]);
        score2 = fround(score2 + weights[at + 2]);
        score3 = fround(score3 + weights[at + 3]);
      }
      let changed = false;
      for (let lane = group; lane < group + 4; lane++) {
        delta[lane] = 0;
        const sign = signs[signRow + lane];
        if (sign === 0 || resting[lane] !== 0) continue;
        const score =
          lane === group ? score0 : lane === group + 1 ? score1 : lane === group + 2 ? score2 : score3;
        const alpha = alphas[alphaRow + lane];
        const gradient = fround(fround(fround(sign * score) - 1) + fround(alpha * diagonal));
        let projected = gradient;
        if (alpha === 0) {
          if (gradient > shrinkAbove[lane]) continue;
          if (gradient > 0) projected = 0;
        } else if (alpha === upper) {
          if (gradient < shrinkBelow[lane]) continue;
          if (gradient < 0) projected = 0;
        }
        needed = true;
        if (projected > largest[lane]) largest[lane] = projected;
        if (projected < smallest[lane]) smallest[lane] = projected;
        if (projected === 0) continue;
        const moved = fround(alpha - fround(gradient / curvature));
        const next = moved > 0 ? Math.min(moved, upper) : 0;
        const step = fround(fround(next - alpha) * sign);
        if (step === 0) continue;
        alphas[alphaRow + lane] = next;
        delta[lane] = step;
        changed = true;
      }
      if (!changed) continue;
      const delta0 = delta[group];
      const delta1 = delta[group + 1];
      const delta2 = delta[group + 2];
      const delta3 = delta[group + 3];
      for (let j = start; j < end; j++) {
        const at = indices[j] * width + group;
        weights[at] = fround(weights[at] + delta0);
        weights[at + 1] = fround(weights[at + 1] + delta1);
        weights[at + 2] = fround(weights[at + 2] + delta2);
        weights[at + 3] = fround(weights[at + 3] + delta3);
      }
    }

    if (needed) {
      position++;
    } else {
      active--;
      order[position] = order[active];
      order[active] = example;
    }
  }
  return active;
}
