import type { OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';
import { laneCount } from '../kernels/lane-count.js';
import { restore } from './checkpoint.js';
import type { BinaryLearner, EpochReport, LaneProblem } from './learner.js';
import { seenLanes } from './seen-lanes.js';

/**
 * L2-regularised logistic regression by dual coordinate descent (Yu, Huang and Lin 2011), all problems of a block in one
 * pass over the rows. Primal and dual objective per problem, the bias being a feature like the others:
 *
 *   min over v   ½ ‖v‖² + C Σ log(1 + exp(−y v·x))
 *   min over α   ½ ‖v‖² + Σ α log α + (C − α) log(C − α),   0 < α < C,   v = Σ α y x
 *
 * The weights returned are w = v / 2: a margin f = w·x is half the log odds, so that the link's σ(2f) is σ(v·x), the very
 * probability whose likelihood was maximised.
 */
export const logistic: BinaryLearner = {
  kind: 'binary',
  name: 'logistic',
  help: 'logistic regression by dual coordinate descent',
  link: 'log-sigmoid',
  memory: { weights: 1, scores: 1, entries: 0 },
  options: [
    {
      name: 'C',
      kind: 'number',
      default: 30,
      above: 0,
      max: 1e6,
      help: 'weight of training errors: larger values fit the data more closely',
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
  const { rows, labels, signs, problems } = problem;
  const { offsets, indices } = rows;
  const cost = options.C as number;
  const epochs = options.epochs as number;
  const epsilon = options.epsilon as number;
  const examples = labels.length;
  const width = laneCount(problems);
  /** [D × W] v */
  const weights = new Float32Array(rows.features * width);
  for (let i = 0; problem.initial && i < weights.length; i++) weights[i] = 2 * problem.initial[i];
  /** [N × problems] log(α / (C − α)), which unlike α is exact at both ends; −∞ is the start, α = 0. */
  const logits = new Float32Array(examples * problems).fill(-Infinity);
  /** [problems] v·x, then what is added to the weights of x. */
  const values = new Float64Array(problems);
  /** [problems] largest |α / C − σ(−y v·x)| met in the epoch: at the optimum all are 0. */
  const violations = new Float64Array(problems);
  /** [problems] 1 where a problem has converged. */
  const resting = new Uint8Array(problems);
  const order = Uint32Array.from({ length: examples }, (_, n) => n);
  const random = new Random(problem.seed, problem.block);

  const done = new Uint32Array(1);
  const state = { weights, logits, resting, order, random: random.state, done };
  restore(problem.checkpoint, state);

  for (let epoch = done[0] + 1; epoch <= epochs; epoch++) {
    const lanesOf = seenLanes(problem, resting);
    random.shuffle(order);
    violations.fill(0);
    for (let i = 0; i < examples; i++) {
      const n = order[i];
      const lanes = lanesOf[labels[n]];
      const count = lanes.length;
      if (count === 0) continue;
      const start = offsets[n];
      const end = offsets[n + 1];
      const signRow = labels[n] * problems;
      values.fill(0);
      for (let j = start; j < end; j++) {
        const at = indices[j] * width;
        for (let l = 0; l < count; l++) values[lanes[l]] += weights[at + lanes[l]];
      }
      for (let l = 0; l < count; l++) {
        const k = lanes[l];
        const sign = signs[signRow + k];
        const margin = sign * values[k];
        const old = logits[n * problems + k];
        const share = sigmoid(old);
        const violation = Math.abs(share - sigmoid(-margin));
        if (violation > violations[k]) violations[k] = violation;
        const next = Math.fround(bestLogit(margin, old, end - start, cost));
        logits[n * problems + k] = next;
        values[k] = sign * cost * (sigmoid(next) - share);
      }
      for (let j = start; j < end; j++) {
        const at = indices[j] * width;
        for (let l = 0; l < count; l++) weights[at + lanes[l]] += values[lanes[l]];
      }
    }
    let gap = 0;
    for (let k = 0; k < problems; k++) {
      if (violations[k] <= epsilon) resting[k] = 1;
      gap = Math.max(gap, violations[k]);
    }
    onEpoch?.({ epoch, epochs, gap, active: examples });
    done[0] = gap <= epsilon ? epochs : epoch;
    problem.checkpoint?.keep(state);
    if (gap <= epsilon) break;
  }
  for (let i = 0; i < weights.length; i++) weights[i] /= 2;
  return weights;
}

/** Steps of Newton's method end when they are this short: the next would be about its square. */
const SHORT = 1e-3;
const MOST_STEPS = 100;

/**
 * The best α of one example, others being fixed, as u = log(α / (C − α)): the root of
 *
 *   F(u) = u + y v·x + ‖x‖² (C σ(u) − α)
 *
 * where v and α are those of before. F rises, and is convex below 0: there Newton's method gets to the right of the root in
 * one step and nears it from there without fail; no root is beyond `most`, where the sum without its positive term is 0. A
 * root above 0 is found as that of −F(−u), which has the same form.
 */
function bestLogit(margin: number, old: number, squaredNorm: number, cost: number): number {
  const side = margin + squaredNorm * cost * (0.5 - sigmoid(old)) > 0 ? 1 : -1;
  const curvature = squaredNorm * cost;
  const constant = side * margin - curvature * sigmoid(side * old);
  const most = Math.min(0, -constant);
  let u = side * old > -Infinity ? Math.min(side * old, most) : most;
  for (let step = 0; step < MOST_STEPS; step++) {
    const probability = sigmoid(u);
    const newton =
      (u + constant + curvature * probability) / (1 + curvature * probability * (1 - probability));
    u = Math.min(u - newton, most);
    if (!(Math.abs(newton) > SHORT)) break;
  }
  return side * u;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
