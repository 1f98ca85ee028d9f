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
import type { Kernel } from './kernel.js';

/** Arrays and numbers of a block of problems; shapes: N examples, D features, L labels, W lanes (a multiple of 4). */
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

/** A part of an epoch over the first `active` examples of the order. */
export interface DualStretch extends DualState {
  /** Place in the order of the first example that is visited. */
  from: number;
  /** Most examples that are visited. */
  count: number;
  /** Examples that are active before. */
  active: number;
}

/**
 * Visits active examples of `order` from a place on, at most `count`. Returns how many examples remain active; the others are moved
 * behind them in `order`.
 */
export const dualStretch: Kernel<DualStretch, number> = {
  name: 'dualStretch',
  plain(stretch) {
    const { order, largest, smallest, from, count } = stretch;
    let { active } = stretch;
    const group = { scores: new Float32Array(4), steps: new Float32Array(4) };
    if (from === 0) {
      largest.fill(-Infinity);
      smallest.fill(Infinity);
    }
    let position = from;
    for (let left = count; left > 0 && position < active; left--) {
      const example = order[position];
      if (visitExample(stretch, example, group)) {
        position++;
      } else {
        active--;
        order[position] = order[active];
        order[active] = example;
      }
    }
    return active;
  },
  parameters: {
    offsets: ['uint32', ({ offsets }) => offsets],
    indices: ['uint32', ({ indices }) => indices],
    labels: ['uint16', ({ labels }) => labels],
    signs: ['float32', ({ signs }) => signs],
    width: ['number', ({ width }) => width],
    weights: ['float32', ({ weights }) => weights],
    alphas: ['float32', ({ alphas }) => alphas],
    order: ['uint32', ({ order }) => order],
    diagonal: ['number', ({ diagonal }) => diagonal],
    upper: ['number', ({ upper }) => upper],
    resting: ['int32', ({ resting }) => resting],
    shrinkAbove: ['float32', ({ shrinkAbove }) => shrinkAbove],
    shrinkBelow: ['float32', ({ shrinkBelow }) => shrinkBelow],
    largest: ['float32', ({ largest }) => largest],
    smallest: ['float32', ({ smallest }) => smallest],
    from: ['number', ({ from }) => from],
    count: ['number', ({ count }) => count],
    before: ['number', ({ active }) => active],
  },
};

/** Examples of a stretch: the first calls of a twin run in code that the engine made in haste. */
const STRETCH = 4096;

/**
 * Visits the first `active` examples of `order` once.
 *
 * @param visit the kernel.
 * @param state for the memory that the kernel is of.
 * @returns how many of them remain active; the others are moved behind them in `order`.
 */
export function dualEpoch(visit: (stretch: DualStretch) => number, state: DualState, active: number): number {
  const stretch = { ...state, from: 0, count: 0, active };
  do {
    stretch.count = Math.min(STRETCH, stretch.active - stretch.from);
    const before = stretch.active;
    stretch.active = visit(stretch);
    // In the place of an example that went stands one that was not visited.
    stretch.from += stretch.count - (before - stretch.active);
  } while (stretch.from < stretch.active);
  return stretch.active;
}

/** Numbers of the four lanes of a group. */
interface Group {
  readonly scores: Float32Array;
  readonly steps: Float32Array;
}

/** Updates all lanes for an example; returns whether any lane still needs it. */
function visitExample(state: DualState, example: number, group: Group): boolean {
  const { width, offsets } = state;
  const start = offsets[example];
  const end = offsets[example + 1];
  let isNeeded = false;
  for (let first = 0; first < width; first += 4) {
    if (!isSeen(state, example, first)) continue;
    sumScores(state, start, end, first, group.scores);
    let isChanged = false;
    for (let lane = 0; lane < 4; lane++) {
      group.steps[lane] = 0;
      const needed = updateLane(state, example, first, lane, group);
      isNeeded ||= needed;
      isChanged ||= group.steps[lane] !== 0;
    }
    if (isChanged) addSteps(state, start, end, first, group.steps);
  }
  return isNeeded;
}

/** Whether any of the four lanes from `first` on sees an example and does not rest. */
function isSeen({ signs, labels, width, resting }: DualState, example: number, first: number): boolean {
  const row = labels[example] * width;
  return (
    (signs[row + first] !== 0 && resting[first] === 0) ||
    (signs[row + first + 1] !== 0 && resting[first + 1] === 0) ||
    (signs[row + first + 2] !== 0 && resting[first + 2] === 0) ||
    (signs[row + first + 3] !== 0 && resting[first + 3] === 0)
  );
}

/** Sums the weights of the features from `start` to `end` − 1 in four lanes. */
function sumScores(
  { indices, weights, width }: DualState,
  start: number,
  end: number,
  first: number,
  scores: Float32Array,
): void {
  const { fround } = Math;
  let score0 = fround(0);
  let score1 = fround(0);
  let score2 = fround(0);
  let score3 = fround(0);
  for (let j = start; j < end; j++) {
    const at = indices[j] * width + first;
    score0 = fround(score0 + weights[at]);
    score1 = fround(score1 + weights[at + 1]);
    score2 = fround(score2 + weights[at + 2]);
    score3 = fround(score3 + weights[at + 3]);
  }
  scores[0] = score0;
  scores[1] = score1;
  scores[2] = score2;
  scores[3] = score3;
}

/** Moves the α of an example in one lane; returns whether the lane still needs the example. */
function updateLane(state: DualState, example: number, first: number, own: number, group: Group): boolean {
  const { fround } = Math;
  const { signs, labels, width, resting, alphas, offsets, largest, smallest } = state;
  const lane = first + own;
  const sign = signs[labels[example] * width + lane];
  if (sign === 0 || resting[lane] !== 0) return false;
  const diagonal = fround(state.diagonal);
  const upper = fround(state.upper);
  const alpha = alphas[example * width + lane];
  const gradient = fround(fround(fround(sign * group.scores[own]) - 1) + fround(alpha * diagonal));
  let projected = gradient;
  if (alpha === 0) {
    if (gradient > state.shrinkAbove[lane]) return false;
    if (gradient > 0) projected = 0;
  } else if (alpha === upper) {
    if (gradient < state.shrinkBelow[lane]) return false;
    if (gradient < 0) projected = 0;
  }
  if (projected > largest[lane]) largest[lane] = projected;
  if (projected < smallest[lane]) smallest[lane] = projected;
  if (projected === 0) return true;
  const curvature = fround(fround(offsets[example + 1] - offsets[example]) + diagonal);
  const moved = fround(alpha - fround(gradient / curvature));
  const next = moved > 0 ? Math.min(moved, upper) : 0;
  const step = fround(fround(next - alpha) * sign);
  if (step === 0) return true;
  alphas[example * width + lane] = next;
  group.steps[own] = step;
  return true;
}

/** Adds the steps of four lanes to the weights of the features from `start` to `end` − 1. */
function addSteps(
  { indices, weights, width }: DualState,
  start: number,
  end: number,
  first: number,
  [step0, step1, step2, step3]: Float32Array,
): void {
  const { fround } = Math;
  for (let j = start; j < end; j++) {
    const at = indices[j] * width + first;
    weights[at] = fround(weights[at] + step0);
    weights[at + 1] = fround(weights[at + 1] + step1);
    weights[at + 2] = fround(weights[at + 2] + step2);
    weights[at + 3] = fround(weights[at + 3] + step3);
  }
}
