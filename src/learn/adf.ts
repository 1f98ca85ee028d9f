import { Random } from '../base/random.js';
import { laneCount } from '../kernels/lane-count.js';
import { Chain } from './chain.js';
import { ChainLikelihood } from './chain-likelihood.js';
import { restore } from './checkpoint.js';
import type { IterationReport, SequenceProblem } from './learner.js';
import { notFinite } from './not-finite.js';

/** Rate of every feature at first. */
const FIRST_RATE = 0.1;
/** By what a rate is multiplied after a window in which its feature is in no sentence, and in every one. */
const RARE = 0.995;
const FREQUENT = 0.6;
/** Windows per pass. */
const WINDOWS = 10;
/** A probability this close to its target moves no weight: the step would vanish in a float32 near 1. */
const NEGLIGIBLE = 1e-6;

/**
 * Trains the model of `crf` sentence by sentence, each feature with a rate of its own that falls faster the more often the
 * feature is met (Sun, Li, Wang & Lu 2014, "Feature-Frequency-Adaptive On-line Training for Fast and Accurate
 * Natural Language Processing"). After a window of q sentences, feature k having been met v_k times,
 *
 *   γ_k ← γ_k (α − u (α − β)),   u = min(1, v_k / q),
 *
 * and the share of l2/2 ‖w‖² that falls to the window is taken into account.
 *
 * @param l2 weight of the squared weights, l2/2 ‖w‖².
 * @param iterations passes over the training data.
 * @returns [D × W] weights.
 */
export function trainStochastically(
  problem: SequenceProblem,
  l2: number,
  iterations: number,
  onIteration?: (report: IterationReport) => void,
): Float32Array {
  const { rows, starts, labelCount, history, initial } = problem;
  const width = laneCount(labelCount);
  const chain = new Chain(problem);
  const { weights } = chain;
  const likelihood = new ChainLikelihood(problem);
  const sentences = starts.length - 1;
  const order = Uint32Array.from({ length: sentences }, (_, s) => s);
  const random = new Random(problem.seed);
  /** [D] γ */
  const rates = new Float64Array(rows.features).fill(FIRST_RATE);
  /** [D] v */
  const met = new Uint32Array(rows.features);
  /** Labels of a token that are off their target. */
  const off = new Uint16Array(labelCount);

  const visit = (s: number) => {
    const length = chain.score(s);
    const { scores } = chain;
    const loss = likelihood.sentenceResiduals(s, weights, scores);
    likelihood.descend(s, weights, rates);
    for (let t = 0; t < length; t++) {
      const n = starts[s] + t;
      let count = 0;
      for (let c = 0; c < labelCount; c++) if (Math.abs(scores[t * width + c]) > NEGLIGIBLE) off[count++] = c;
      for (let j = rows.offsets[n]; j < rows.offsets[n + 1]; j++) {
        const f = rows.indices[j];
        met[f]++;
        const rate = rates[f];
        for (let i = 0; i < count; i++) weights[f * width + off[i]] -= rate * scores[t * width + off[i]];
      }
      for (let j = history.joined.offsets[n]; j < history.joined.offsets[n + 1]; j++) {
        met[history.joined.indices[j]]++;
      }
    }
    for (let p = 0; p <= labelCount; p++) {
      if (history.alone[p] < rows.features) met[history.alone[p]] += p === labelCount ? 1 : length;
    }
    return loss;
  };
  const endWindow = (size: number) => {
    const decay = (l2 * size) / sentences;
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
  };

  const done = new Uint32Array(1);
  const state = { weights, rates, order, random: random.state, done };
  restore(problem.checkpoint, state);
  for (let iteration = done[0] + 1; iteration <= iterations; iteration++) {
    random.shuffle(order);
    let loss = 0;
    for (let window = 0; window < WINDOWS; window++) {
      const from = Math.floor((sentences * window) / WINDOWS);
      const to = Math.floor((sentences * (window + 1)) / WINDOWS);
      for (let i = from; i < to; i++) loss += visit(order[i]);
      if (to > from) endWindow(to - from);
    }
    if (!Number.isFinite(loss)) throw notFinite(iteration, loss);
    onIteration?.({ iteration, iterations, measures: { loss } });
    done[0] = iteration;
    problem.checkpoint?.keep(state);
  }
  // A part of the kernels' memory would keep all of it.
  return weights.slice();
}
