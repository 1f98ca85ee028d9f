import { Random } from '../base/random.js';
import { laneCount } from '../kernels/lane-count.js';
import { Chain } from './chain.js';
import { ChainLikelihood } from './chain-likelihood.js';
import { restore } from './checkpoint.js';
import type { IterationReport, SequenceProblem } from './learner.js';
import { notFinite } from './not-finite.js';
import { boundedPieces, randomPieces } from './pieces.js';

/** Rate of every feature at first. */
const FIRST_RATE = 0.1;
/** By what a rate is multiplied after a window in which its feature is in no sentence, and in every one. */
const RARE = 0.995;
const FREQUENT = 0.6;
/** Windows per pass. */
const WINDOWS = 10;
/** A probability this close to its target moves no weight: the step would vanish in a float32 near 1. */
const NEGLIGIBLE = 1e-6;

/** How {@link trainStochastically} trains. */
export interface StochasticOptions {
  /** Weight of the squared weights, l2/2 ‖w‖². */
  readonly l2: number;
  /** Passes over the training data. */
  readonly epochs: number;
  /** Mean length of the random pieces of sentences that each pass is over, drawn anew; default 0 for whole sentences. */
  readonly pieceLength?: number;
}

/**
 * Trains the model of `crf` sentence by sentence, each feature with a rate of its own that falls faster the more often the
 * feature is met (Sun, Li, Wang & Lu 2014, "Feature-Frequency-Adaptive On-line Training for Fast and Accurate
 * Natural Language Processing"). After a window of q sentences, feature k having been met v_k times,
 *
 *   γ_k ← γ_k (α − u (α − β)),   u = min(1, v_k / q),
 *
 * and the share of l2/2 ‖w‖² that falls to the window is taken into account.
 *
 * @returns [D × W] weights.
 */
export function trainStochastically(
  problem: SequenceProblem,
  { l2, epochs: iterations, pieceLength = 0 }: StochasticOptions,
  onIteration?: (report: IterationReport) => void,
): Float32Array {
  const { starts } = problem;
  const descent = new Descent(problem);
  let pieces = boundedPieces(starts);
  let order = identity(pieces.isCut.length);
  const random = new Random(problem.seed);
  const done = new Uint32Array(1);
  const { weights, rates } = descent;
  const fixed = { weights, rates, random: random.state, done };
  const state = pieceLength > 0 ? fixed : { ...fixed, order };
  restore(problem.checkpoint, state);
  for (let iteration = done[0] + 1; iteration <= iterations; iteration++) {
    if (pieceLength > 0) {
      pieces = randomPieces(starts, pieceLength, random);
      order = identity(pieces.isCut.length);
    }
    random.shuffle(order);
    let loss = 0;
    for (let window = 0; window < WINDOWS; window++) {
      const from = Math.floor((order.length * window) / WINDOWS);
      const to = Math.floor((order.length * (window + 1)) / WINDOWS);
      for (let i = from; i < to; i++) {
        const piece = order[i];
        loss += descent.visit(pieces.starts[piece], pieces.starts[piece + 1], pieces.isCut[piece] === 1);
      }
      if (to > from) descent.endWindow(to - from, (l2 * (to - from)) / order.length);
    }
    if (!Number.isFinite(loss)) throw notFinite(iteration, loss);
    onIteration?.({ iteration, iterations, measures: { loss } });
    done[0] = iteration;
    problem.checkpoint?.keep(state);
  }
  // A part of the kernels' memory would keep all of it.
  return weights.slice();
}

/** Weights that go down the loss piece by piece, and the features' rates. */
class Descent {
  /** [D × W] */
  readonly weights: Float32Array;
  /** [D] γ */
  readonly rates: Float64Array;
  private readonly problem: SequenceProblem;
  private readonly chain: Chain;
  private readonly likelihood: ChainLikelihood;
  /** [D] v */
  private readonly met: Uint32Array;
  /** Labels of a token that are off their target. */
  private readonly off: Uint16Array;

  constructor(problem: SequenceProblem) {
    const { features } = problem.rows;
    this.problem = problem;
    this.chain = new Chain(problem);
    this.weights = this.chain.weights;
    this.likelihood = new ChainLikelihood(problem);
    this.rates = new Float64Array(features).fill(FIRST_RATE);
    this.met = new Uint32Array(features);
    this.off = new Uint16Array(problem.labelCount);
  }

  /** Takes a step for the rows of a piece, from `first` to `end` − 1; returns its loss. */
  visit(first: number, end: number, isCut: boolean): number {
    const { chain, likelihood, weights, rates, met, off } = this;
    const { rows, labelCount, history } = this.problem;
    const width = laneCount(labelCount);
    const length = chain.score(first, end);
    const { scores } = chain;
    const loss = likelihood.pieceResiduals(first, end, isCut, weights, scores);
    likelihood.descend(first, end, weights, rates);
    for (let t = 0; t < length; t++) {
      const n = first + t;
      let count = 0;
      for (let c = 0; c < labelCount; c++) if (Math.abs(scores[t * width + c]) > NEGLIGIBLE) off[count++] = c;
      for (let j = rows.offsets[n]; j < rows.offsets[n + 1]; j++) {
        const f = rows.indices[j];
        met[f]++;
        const rate = rates[f];
        for (let i = 0; i < count; i++) weights[f * width + off[i]] -= rate * scores[t * width + off[i]];
      }
      if (isCut && t === 0) continue;
      for (let j = history.joined.offsets[n]; j < history.joined.offsets[n + 1]; j++) {
        met[history.joined.indices[j]]++;
      }
    }
    const begun = isCut ? 0 : 1;
    for (let p = 0; p <= labelCount; p++) {
      if (history.alone[p] < rows.features) met[history.alone[p]] += p === labelCount ? begun : length;
    }
    return loss;
  }

  /**
   * Shrinks weights and rates after a window.
   *
   * @param size pieces of the window.
   * @param decay share of l2 that falls to it.
   */
  endWindow(size: number, decay: number): void {
    const { weights, rates, met } = this;
    const { rows, labelCount, initial } = this.problem;
    const width = laneCount(labelCount);
    for (let f = 0; f < rows.features; f++) {
      const kept = Math.max(0, 1 - rates[f] * decay);
      if (initial === undefined) for (let at = f * width; at < (f + 1) * width; at++) weights[at] *= kept;
      else {
        for (let at = f * width; at < (f + 1) * width; at++) {
          weights[at] = initial[at] + (weights[at] - initial[at]) * kept;
        }
      }
      rates[f] *= RARE - Math.min(1, met[f] / size) * (RARE - FREQUENT);
    }
    met.fill(0);
  }
}

function identity(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, i) => i);
}
