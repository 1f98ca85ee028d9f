import type { OptionValues } from '../base/options.js';
import { Random } from '../base/random.js';
import { laneCount } from '../kernels/lane-count.js';
import { restore } from './checkpoint.js';
import type { IterationReport, MulticlassLearner, MulticlassProblem } from './learner.js';

/** Below this an example's labels are as good as balanced. */
const BALANCED = 1e-6;

/**
 * Multiclass support vector machine of Crammer and Singer (2001), by sequential dual descent (Keerthi et al. 2008):
 *
 *   min over w   ½ Σ_m ‖w_m‖² + C Σ_n max_m (e_m + w_m·x − w_gold·x),   e_m = 0 for the gold label, else 1
 *
 * In the dual every example has α_m per label with w_m = Σ α_m x, Σ_m α_m = 0, α_gold ≤ C and α_m ≤ 0 for the others.
 * One example after the other, its α become the best with all others fixed.
 */
export const crammerSinger: MulticlassLearner = {
  kind: 'multiclass',
  name: 'crammer-singer',
  help: 'multiclass SVM (Crammer & Singer 2001) by sequential dual descent',
  link: 'log-softmax',
  memory: { weights: 1, scores: 1, entries: 0 },
  gives: 'margins',
  options: [
    {
      name: 'C',
      kind: 'number',
      default: 0.1,
      above: 0,
      help: 'weight of training errors: larger values fit the data more closely',
    },
    { name: 'epochs', kind: 'integer', default: 10, min: 1, help: 'most passes over the training data' },
    {
      name: 'epsilon',
      kind: 'number',
      default: 0.01,
      above: 0,
      help: 'stopping tolerance: largest violation of optimality',
    },
  ],
  train,
};

function train(
  { rows, labels, labelCount, seed, initial, checkpoint }: MulticlassProblem,
  options: OptionValues,
  onIteration?: (report: IterationReport) => void,
): Float32Array {
  const { offsets, indices, features } = rows;
  const cost = options.C as number;
  const iterations = options.epochs as number;
  const epsilon = options.epsilon as number;
  const examples = labels.length;
  const width = laneCount(labelCount);
  /** [D × W] */
  const weights = initial?.slice() ?? new Float32Array(features * width);
  /** [N × W] */
  const alphas = new Float32Array(examples * width);
  /** [W] w_m·x + e_m */
  const gradient = new Float64Array(width);
  /** [W] what its α change by */
  const steps = new Float32Array(width);
  // As α have it, in 32 bits.
  const bound = Math.fround(cost);
  const solver = new ExampleSolver(labelCount, bound);
  const order = Uint32Array.from({ length: examples }, (_, n) => n);
  const random = new Random(seed);
  const done = new Uint32Array(1);
  const state = { weights, alphas, order, random: random.state, done };
  restore(checkpoint, state);
  for (let iteration = done[0] + 1; iteration <= iterations; iteration++) {
    random.shuffle(order);
    let violation = 0;
    let moved = 0;
    for (let i = 0; i < examples; i++) {
      const n = order[i];
      const gold = labels[n];
      const start = offsets[n];
      const end = offsets[n + 1];
      if (start === end) continue;
      const alphaRow = n * width;
      gradient.fill(1);
      gradient[gold] = 0;
      for (let j = start; j < end; j++) {
        const at = indices[j] * width;
        for (let m = 0; m < labelCount; m++) gradient[m] += weights[at + m];
      }
      // At the optimum no label has a larger gradient than one whose α may still grow.
      let largest = -Infinity;
      let smallest = Infinity;
      for (let m = 0; m < labelCount; m++) {
        if (gradient[m] > largest) largest = gradient[m];
        const alpha = alphas[alphaRow + m];
        if (alpha < (m === gold ? bound : 0) && gradient[m] < smallest) smallest = gradient[m];
      }
      violation = Math.max(violation, largest - smallest);
      if (largest - smallest <= BALANCED) continue;
      if (!solver.solve(gradient, alphas, alphaRow, gold, end - start, steps)) continue;
      moved++;
      for (let j = start; j < end; j++) {
        const at = indices[j] * width;
        for (let m = 0; m < labelCount; m++) weights[at + m] += steps[m];
      }
    }
    onIteration?.({ iteration, iterations, measures: { violation, moved } });
    done[0] = violation <= epsilon ? iterations : iteration;
    checkpoint?.keep(state);
    if (violation <= epsilon) break;
  }
  return weights;
}

/** Finds the best α of one example. */
class ExampleSolver {
  private readonly labels: number;
  private readonly cost: number;
  /** [L] */
  private readonly bounds: Float64Array;
  /** [L] */
  private readonly sorted: Float64Array;

  constructor(labels: number, cost: number) {
    this.labels = labels;
    this.cost = cost;
    this.bounds = new Float64Array(labels);
    this.sorted = new Float64Array(labels);
  }

  /**
   * Replaces the α `[L]` at `alphas[row …]` and writes what they change by into `steps` `[≥ L]`.
   *
   * @param gradient [L] w_m·x + e_m with the α as they are.
   * @param square ‖x‖².
   * @returns false if nothing changes.
   */
  solve(
    gradient: Float64Array,
    alphas: Float32Array,
    row: number,
    gold: number,
    square: number,
    steps: Float32Array,
  ): boolean {
    const { labels, cost, bounds, sorted } = this;
    for (let m = 0; m < labels; m++) {
      bounds[m] = gradient[m] - square * alphas[row + m];
      sorted[m] = bounds[m];
    }
    sorted[gold] += square * cost;
    sorted.sort();
    let level = sorted[labels - 1] - square * cost;
    let taken = 1;
    while (taken < labels && level / taken < sorted[labels - 1 - taken]) {
      level += sorted[labels - 1 - taken];
      taken++;
    }
    level /= taken;
    let changed = false;
    for (let m = 0; m < labels; m++) {
      const next = Math.min(m === gold ? cost : 0, (level - bounds[m]) / square);
      const before = alphas[row + m];
      alphas[row + m] = next;
      // What weights get must be what α say.
      steps[m] = alphas[row + m] - before;
      if (steps[m] !== 0) changed = true;
    }
    return changed;
  }
}
