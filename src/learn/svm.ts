import type { OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';
import { type DualState, dualEpoch, dualStretch } from '../kernels/dual-epoch.js';
import { createMemory } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { float32, int32, uint16, uint32 } from '../kernels/layout.js';
import { restore } from './checkpoint.js';
import type { BinaryLearner, EpochReport, LaneProblem } from './learner.js';
import { type SeenRows, seenRows } from './seen-rows.js';

/**
 * Linear support vector machine by dual coordinate descent (Hsieh et al. 2008), all problems of a block in one pass
 * over the rows. Primal objective per problem, the bias being a feature like the others:
 *
 *   ½ ‖w‖² + C Σ max(0, 1 − y w·x)²     (loss l2; l1 without the square)
 */
export const svm: BinaryLearner = {
  kind: 'binary',
  name: 'svm',
  help: 'linear SVM by dual coordinate descent',
  link: 'log-sigmoid',
  memory: { weights: 1, scores: 1, entries: 1 },
  options: [
    {
      name: 'C',
      kind: 'number',
      default: 0.1,
      above: 0,
      help: 'weight of training errors: larger values fit the data more closely',
    },
    {
      name: 'loss',
      kind: 'choice',
      default: 'l2',
      choices: ['l2', 'l1'],
      help: 'squared hinge loss (l2) or hinge loss (l1)',
    },
    { name: 'epochs', kind: 'integer', default: 10, min: 1, help: 'most passes over the training data' },
    {
      name: 'epsilon',
      kind: 'number',
      default: 0.01,
      above: 0,
      help: 'stopping tolerance of each problem: largest violation of optimality in a pass',
    },
  ],
  trainBlock,
};

function trainBlock(
  problem: LaneProblem,
  options: OptionValues,
  onEpoch?: (report: EpochReport) => void,
): Float32Array {
  const { problems } = problem;
  const epochs = options.epochs as number;
  const epsilon = options.epsilon as number;
  const seen = seenRows(problem);
  const { examples } = seen;
  const { state, visit } = makeState(problem, options, seen);
  const forgetThresholds = () => {
    state.shrinkAbove.fill(Infinity);
    state.shrinkBelow.fill(-Infinity);
  };

  const random = new Random(problem.seed, problem.block);
  let active = examples;
  forgetThresholds();
  /** Epochs done, and examples active after them. */
  const progress = Uint32Array.of(0, active);
  const { weights, alphas, order, resting, shrinkAbove, shrinkBelow } = state;
  const kept = { weights, alphas, order, resting, shrinkAbove, shrinkBelow, random: random.state, progress };
  if (restore(problem.checkpoint, kept)) active = progress[1];
  for (let epoch = progress[0] + 1; epoch <= epochs; epoch++) {
    const whole = active === examples;
    random.shuffle(state.order, active);
    active = dualEpoch(visit, state, active);
    let gap = 0;
    for (let k = 0; k < problems; k++) {
      if (state.resting[k] !== 0) continue;
      const laneGap = Math.max(0, state.largest[k]) - Math.min(0, state.smallest[k]);
      gap = Math.max(gap, laneGap);
      if (whole && laneGap <= epsilon) state.resting[k] = -1;
      state.shrinkAbove[k] = state.largest[k] > 0 ? state.largest[k] : Infinity;
      state.shrinkBelow[k] = state.smallest[k] < 0 ? state.smallest[k] : -Infinity;
    }
    onEpoch?.({ epoch, epochs, gap, active });
    if (gap <= epsilon && !whole) {
      // Converged on what shrinking left: look at everything again before believing it.
      active = examples;
      forgetThresholds();
    }
    const converged = gap <= epsilon && whole;
    progress[0] = converged ? epochs : epoch;
    progress[1] = active;
    problem.checkpoint?.keep(kept);
    if (converged) break;
  }
  return widened(weights, problem, seen);
}

/** Arrays of a block in the kernels' memory, filled in, and the kernel that visits examples. */
function makeState(
  { labelCount, signs, problems, initial, rows, kernels }: LaneProblem,
  options: OptionValues,
  seen: SeenRows,
) {
  const { examples, entries } = seen;
  const cost = options.C as number;
  const features = seen.features?.length ?? rows.features;
  const width = laneCount(problems);
  const { arrays, bind } = createMemory(
    {
      offsets: uint32(examples + 1),
      indices: uint32(entries),
      labels: uint16(examples),
      signs: float32(labelCount * width),
      weights: float32(features * width),
      alphas: float32(examples * width),
      order: uint32(examples),
      resting: int32(width),
      shrinkAbove: float32(width),
      shrinkBelow: float32(width),
      largest: float32(width),
      smallest: float32(width),
    },
    kernels,
  );
  const state: DualState = {
    ...arrays,
    width,
    diagonal: options.loss === 'l2' ? 1 / (2 * cost) : 0,
    upper: options.loss === 'l2' ? Infinity : cost,
  };
  state.resting.fill(-1, problems);
  seen.fill(state.offsets, state.indices, state.labels);
  if (initial && seen.features) {
    seen.features.forEach((f, own) => {
      state.weights.set(initial.subarray(f * width, (f + 1) * width), own * width);
    });
  } else if (initial) state.weights.set(initial);
  for (let i = 0; i < examples; i++) state.order[i] = i;
  for (let label = 0; label < labelCount; label++) {
    for (let k = 0; k < problems; k++) state.signs[label * width + k] = signs[label * problems + k];
  }
  return { state, visit: bind({ dualStretch }).dualStretch };
}

/** [features × W] the weights of all features: those that no example has stay as they were. */
function widened(
  weights: Float32Array,
  { rows, problems, initial }: LaneProblem,
  seen: SeenRows,
): Float32Array {
  const width = laneCount(problems);
  if (seen.features) {
    const all = initial?.slice() ?? new Float32Array(rows.features * width);
    seen.features.forEach((f, own) => {
      all.set(weights.subarray(own * width, (own + 1) * width), f * width);
    });
    return all;
  }
  // A part of the kernels' memory would keep all of it.
  return weights.byteLength < weights.buffer.byteLength ? weights.slice() : weights;
}
