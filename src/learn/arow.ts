import type { OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';
import { laneCount } from '../kernels/lane-count.js';
import { restore } from './checkpoint.js';
import type { BinaryLearner, EpochReport, LaneProblem } from './learner.js';
import { seenLanes } from './seen-lanes.js';

/**
 * Adaptive regularisation of weights (Crammer, Kulesza and Dredze 2009), all problems of a block in one pass over the rows.
 * Weights are normally distributed, with mean w and diagonal covariance Σ, at first 0 and the identity; each example in turn
 * moves them to the least of
 *
 *   KL(N(w', Σ') ‖ N(w, Σ)) + 1/2r max(0, 1 − y w'·x)² + 1/2r xᵀ Σ' x
 *
 * of which the diagonal of Σ' is kept. The result is w.
 */
export const arow: BinaryLearner = {
  kind: 'binary',
  name: 'arow',
  help: 'adaptive regularisation of weights (AROW); one pass is enough',
  link: 'log-sigmoid',
  memory: { weights: 2, scores: 0, entries: 0 },
  options: [
    {
      name: 'r',
      kind: 'number',
      default: 0.3,
      min: 1e-6,
      help: 'regularisation: larger values make smaller updates',
    },
    { name: 'epochs', kind: 'integer', default: 1, min: 1, help: 'passes over the training data' },
  ],
  trainBlock,
};

function trainBlock(
  problem: LaneProblem,
  options: OptionValues,
  onEpoch?: (report: EpochReport) => void,
): Float32Array {
  const { rows, labels, signs, problems } = problem;
  const { offsets, indices } = rows;
  const r = options.r as number;
  const epochs = options.epochs as number;
  const examples = labels.length;
  const width = laneCount(problems);
  /** [D × W] w */
  const weights = problem.initial?.slice() ?? new Float32Array(rows.features * width);
  /** [D × W] the diagonal of Σ */
  const variances = new Float32Array(rows.features * width).fill(1);
  /** [problems] w·x, then what w changes by in units of Σ. */
  const values = new Float64Array(problems);
  /** [problems] xᵀ Σ x, then β = 1 / (xᵀ Σ x + r), or 0 where the margin is wide enough. */
  const spreads = new Float64Array(problems);
  const lanesOf = seenLanes(problem);
  const order = Uint32Array.from({ length: examples }, (_, n) => n);
  const random = new Random(problem.seed, problem.block);

  const done = new Uint32Array(1);
  const state = { weights, variances, order, random: random.state, done };
  restore(problem.checkpoint, state);

  for (let epoch = done[0] + 1; epoch <= epochs; epoch++) {
    random.shuffle(order);
    let gap = 0;
    for (let i = 0; i < examples; i++) {
      const n = order[i];
      const lanes = lanesOf[labels[n]];
      const count = lanes.length;
      if (count === 0) continue;
      const start = offsets[n];
      const end = offsets[n + 1];
      const signRow = labels[n] * problems;
      values.fill(0);
      spreads.fill(0);
      for (let j = start; j < end; j++) {
        const at = indices[j] * width;
        for (let l = 0; l < count; l++) {
          const k = lanes[l];
          values[k] += weights[at + k];
          spreads[k] += variances[at + k];
        }
      }
      let changed = false;
      for (let l = 0; l < count; l++) {
        const k = lanes[l];
        const sign = signs[signRow + k];
        const loss = Math.max(0, 1 - sign * values[k]);
        if (loss > gap) gap = loss;
        if (loss > 0) changed = true;
        spreads[k] = loss > 0 ? 1 / (spreads[k] + r) : 0;
        values[k] = sign * loss * spreads[k];
      }
      if (!changed) continue;
      for (let j = start; j < end; j++) {
        const at = indices[j] * width;
        for (let l = 0; l < count; l++) {
          const k = lanes[l];
          const variance = variances[at + k];
          weights[at + k] += values[k] * variance;
          variances[at + k] = variance - spreads[k] * variance * variance;
        }
      }
    }
    onEpoch?.({ epoch, epochs, gap, active: examples });
    done[0] = epoch;
    problem.checkpoint?.keep(state);
  }
  return weights;
}
