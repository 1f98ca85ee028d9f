import type { OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';
import { type DualState, dualEpoch } from '../kernels/dual-epoch.js';
import { type EpochReport, type LaneProblem, type Learner, laneCount } from './learner.js';

/**
 * Linear support vector machine by dual coordinate descent (Hsieh et al. 2008), all problems of a block in one pass
 * over the rows. Primal objective per problem, the bias being a feature like the others:
 *
 *   ½ ‖w‖² + C Σ max(0, 1 − y w·x)²     (loss l2; l1 without the square)
 */
export const svm: Learner = {
  name: 'svm',
  help: 'linear SVM by dual coordinate descent',
  link: 'log-sigmoid',
  options: [
    { name: 'C', kind: 'number', default: 0.1, above: 0, help: 'weight of the training errors' },
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
      help: 'stop a problem when its projected gradients span less than this',
    },
  ],
  trainBlock,
};

function trainBlock(
  problem: LaneProblem,
  options: OptionValues,
  onEpoch?: (report: EpochReport) => void,
): Float32Array {
  const { rows, labels, labelCount, signs, problems } = problem;
  const cost = options.C as number;
  const epochs = options.epochs as number;
  const epsilon = options.epsilon as number;
  const examples = labels.length;
  const width = laneCount(problems);
  const paddedSigns = new Float32Array(labelCount * width);
  for (let label = 0; label < labelCount; label++) {
    for (let k = 0; k < problems; k++) paddedSigns[label * width + k] = signs[label * problems + k];
  }
  const state: DualState = {
    offsets: rows.offsets,
    indices: rows.indices,
    labels,
    signs: paddedSigns,
    width,
    weights: new Float32Array(rows.features * width),
    alphas: new Float32Array(examples * width),
    order: Uint32Array.from({ length: examples }, (_, i) => i),
    diagonal: options.loss === 'l2' ? 1 / (2 * cost) : 0,
    upper: options.loss === 'l2' ? Infinity : cost,
    resting: new Uint8Array(width).fill(1, problems),
    shrinkAbove: new Float32Array(width),
    shrinkBelow: new Float32Array(width),
    largest: new Float32Array(width),
    smallest: new Float32Array(width),
  };
  const forgetThresholds = () => {
    state.shrinkAbove.fill(Infinity);
    state.shrinkBelow.fill(-Infinity);
  };

  const random = new Random(problem.seed, problem.block);
  let active = examples;
  forgetThresholds();
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const whole = active === examples;
    random.shuffle(state.order, active);
    active = dualEpoch(state, active);
    let gap = 0;
    for (let k = 0; k < problems; k++) {
      if (state.resting[k] === 1) continue;
      const laneGap = Math.max(0, state.largest[k]) - Math.min(0, state.smallest[k]);
      gap = Math.max(gap, laneGap);
      if (whole && laneGap <= epsilon) state.resting[k] = 1;
      state.shrinkAbove[k] = state.largest[k] > 0 ? state.largest[k] : Infinity;
      state.shrinkBelow[k] = state.smallest[k] < 0 ? state.smallest[k] : -Infinity;
    }
    onEpoch?.({ epoch, epochs, gap, active });
    if (gap <= epsilon) {
      if (whole) break;
      // Converged on what shrinking left: look at everything again before believing it.
      active = examples;
      forgetThresholds();
    }
  }
  return state.weights;
}
