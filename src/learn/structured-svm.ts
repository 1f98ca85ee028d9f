import { grown } from '../base/growable.js';
import { Random } from '../base/random.js';
import { laneCount } from '../kernels/lane-count.js';
import { Chain } from './chain.js';
import { restore, type TrainingState } from './checkpoint.js';
import type { SequenceLearner, SequenceProblem } from './learner.js';

/**
 * Structured support vector machine over first-order label sequences, by dual coordinate descent with a cache of
 * violated outputs per sentence (Chang & Yih 2013, "Dual Coordinate Descent Algorithms for Efficient Large Margin
 * Structured Prediction"):
 *
 *   min over w, ξ   ½ ‖w‖² + C Σ ξᵢ²,   w · φᵢ(y) ≥ Δ(yᵢ, y) − ξᵢ for all sentences i and label sequences y,
 *
 * with φᵢ(y) = Φ(yᵢ) − Φ(y) and Δ the number of wrong labels. In the dual w = Σ α φ, ξᵢ = Σ_y αᵢ(y) / 2C, α ≥ 0; the step
 * of one α is (Δ − w·φ − ξᵢ) / (‖φ‖² + 1/2C), cut off where α would fall below 0.
 */
export const structuredSvm: SequenceLearner = {
  kind: 'sequence',
  name: 'structured-svm',
  help: 'structured SVM by dual coordinate descent, first order',
  link: 'identity',
  // Weights, counts, and a copy of the weights at the end.
  memory: { weights: 3, scores: 0, entries: 1 },
  gives: 'first-order',
  options: [
    {
      name: 'C',
      kind: 'number',
      default: 0.02,
      above: 0,
      help: 'weight of training errors: larger values fit the data more closely',
    },
    { name: 'epochs', kind: 'integer', default: 8, min: 1, help: 'most passes over the training data' },
    {
      name: 'sweeps',
      kind: 'integer',
      default: 5,
      min: 0,
      help: 'optimisation sweeps over the label sequences found so far, after each pass',
    },
    {
      name: 'epsilon',
      kind: 'number',
      default: 0.01,
      above: 0,
      help: 'stopping tolerance: largest violation of a margin',
    },
  ],
  train(problem, options, onIteration) {
    const { starts } = problem;
    const iterations = options.epochs as number;
    const epsilon = options.epsilon as number;
    const dual = new StructuredDual(problem, options.C as number);
    const order = Uint32Array.from({ length: starts.length - 1 }, (_, s) => s);
    const random = new Random(problem.seed);
    const done = new Uint32Array(1);
    const { checkpoint } = problem;
    const state = { order, random: random.state, done };
    if (restore(checkpoint, state)) dual.restore(checkpoint?.kept as TrainingState);
    for (let iteration = done[0] + 1; iteration <= iterations; iteration++) {
      random.shuffle(order);
      let gap = 0;
      for (let i = 0; i < order.length; i++) gap = Math.max(gap, dual.visit(order[i], epsilon));
      for (let sweep = 0; sweep < (options.sweeps as number); sweep++) {
        random.shuffle(order);
        for (let i = 0; i < order.length; i++) dual.revisit(order[i]);
      }
      onIteration?.({ iteration, iterations, measures: { gap, sequences: dual.size } });
      done[0] = gap <= epsilon ? iterations : iteration;
      checkpoint?.keep({ ...state, ...dual.state });
      if (gap <= epsilon) break;
    }
    // A part of the kernels' memory would keep all of it.
    return dual.chain.weights.slice();
  },
};

/** The dual problem: label sequences found to violate their margin, each with its α, and w = Σ α φ. */
class StructuredDual {
  readonly chain: Chain;
  /** Number of label sequences in the cache. */
  size = 0;
  private readonly problem: SequenceProblem;
  /** 1 / 2C */
  private readonly diagonal: number;
  /** [S] the cached sequence found last, −1 for none. */
  private readonly newest: Int32Array;
  /** [S] Σ α */
  private readonly sums: Float64Array;
  /** [size] the one found before it for the same sentence, −1 for none. */
  private older = new Int32Array(1024);
  /** [size] α */
  private alphas = new Float64Array(1024);
  /** [size] ‖φ‖² */
  private norms = new Float64Array(1024);
  /** [size] Δ */
  private losses = new Uint32Array(1024);
  /** [size] where its labels start in the pool. */
  private labelsAt = new Uint32Array(1024);
  private pool = new Uint16Array(1024);
  private pooled = 0;
  /** [N] room for the label sequence found last. */
  private readonly found: Uint16Array;
  /** [D × W] zeros, used to count places. */
  private readonly counts: Float32Array;

  constructor(problem: SequenceProblem, cost: number) {
    const sentences = problem.starts.length - 1;
    this.problem = problem;
    this.chain = new Chain(problem);
    this.diagonal = 1 / (2 * cost);
    this.newest = new Int32Array(sentences).fill(-1);
    this.sums = new Float64Array(sentences);
    this.found = new Uint16Array(problem.labels.length);
    this.counts = new Float32Array(this.chain.weights.length);
  }

  /** The arrays that it consists of. */
  get state(): TrainingState {
    const { chain, newest, sums, older, alphas, norms, losses, labelsAt, pool, size, pooled } = this;
    return {
      weights: chain.weights,
      newest,
      sums,
      older: older.subarray(0, size),
      alphas: alphas.subarray(0, size),
      norms: norms.subarray(0, size),
      losses: losses.subarray(0, size),
      labelsAt: labelsAt.subarray(0, size),
      pool: pool.subarray(0, pooled),
    };
  }

  /** Takes over what {@link state} was. */
  restore(kept: TrainingState): void {
    this.size = kept.alphas.length;
    this.pooled = kept.pool.length;
    this.older = grown(this.older, this.size);
    this.alphas = grown(this.alphas, this.size);
    this.norms = grown(this.norms, this.size);
    this.losses = grown(this.losses, this.size);
    this.labelsAt = grown(this.labelsAt, this.size);
    this.pool = grown(this.pool, this.pooled);
    restore({ kept }, this.state);
  }

  /**
   * Finds the label sequence that most violates the margin of sentence s, puts it into the cache if it does so by
   * more than `epsilon`, and takes a step for every cached one.
   *
   * @returns by how much the margin is violated.
   */
  visit(s: number, epsilon: number): number {
    const { chain, found, problem } = this;
    const { starts, labels } = problem;
    const first = starts[s];
    const length = chain.score(first, starts[s + 1]);
    const width = laneCount(problem.labelCount);
    // One for every label but the gold one: the same as one less for the gold one.
    for (let t = 0; t < length; t++) chain.scores[t * width + labels[first + t]] -= 1;
    chain.decode(found);
    let loss = 0;
    for (let t = 0; t < length; t++) if (found[t] !== labels[first + t]) loss++;
    const count = chain.differences(first, labels.subarray(first, first + length), found);
    const violation = loss - this.project(count) - this.sums[s] * this.diagonal;
    if (violation > epsilon) this.remember(s, length, loss, count);
    this.revisit(s);
    return violation;
  }

  /** Takes a step for every cached label sequence of sentence s, the last found first. */
  revisit(s: number): void {
    const { chain, problem, alphas, norms, losses, labelsAt, older, pool, sums, diagonal } = this;
    const { starts, labels } = problem;
    const gold = labels.subarray(starts[s], starts[s + 1]);
    for (let k = this.newest[s]; k >= 0; k = older[k]) {
      const other = pool.subarray(labelsAt[k], labelsAt[k] + gold.length);
      const count = chain.differences(starts[s], gold, other);
      const slack = losses[k] - this.project(count) - sums[s] * diagonal;
      const alpha = Math.max(0, alphas[k] + slack / (norms[k] + diagonal));
      const step = alpha - alphas[k];
      if (step === 0) continue;
      alphas[k] = alpha;
      sums[s] += step;
      const { weights, places, signs } = chain;
      for (let j = 0; j < count; j++) weights[places[j]] += step * signs[j];
    }
  }

  /** w · φ of the differences found last. */
  private project(count: number): number {
    const { weights, places, signs } = this.chain;
    let sum = 0;
    for (let j = 0; j < count; j++) sum += weights[places[j]] * signs[j];
    return sum;
  }

  /** Puts the label sequence found last into the cache. */
  private remember(s: number, length: number, loss: number, count: number): void {
    const k = this.size++;
    this.older = grown(this.older, k + 1);
    this.alphas = grown(this.alphas, k + 1);
    this.norms = grown(this.norms, k + 1);
    this.losses = grown(this.losses, k + 1);
    this.labelsAt = grown(this.labelsAt, k + 1);
    this.pool = grown(this.pool, this.pooled + length);
    this.older[k] = this.newest[s];
    this.newest[s] = k;
    this.losses[k] = loss;
    this.norms[k] = this.squaredNorm(count);
    this.labelsAt[k] = this.pooled;
    this.pool.set(this.found.subarray(0, length), this.pooled);
    this.pooled += length;
  }

  /** ‖φ‖² of the differences found last, whose places may come more than once. */
  private squaredNorm(count: number): number {
    const { counts, chain } = this;
    const { places, signs } = chain;
    let sum = 0;
    for (let j = 0; j < count; j++) counts[places[j]] += signs[j];
    for (let j = 0; j < count; j++) {
      sum += counts[places[j]] * counts[places[j]];
      counts[places[j]] = 0;
    }
    return sum;
  }
}
