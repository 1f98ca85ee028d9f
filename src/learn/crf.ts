import { grown } from '../base/growable.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Vector } from './lbfgs.js';
import type { SequenceLearner, SequenceProblem } from './learner.js';
import { type Likelihood, logLinearOptions, trainLogLinear } from './log-linear.js';

/**
 * First-order linear-chain conditional random field (Lafferty et al. 2001): P(y | x) = exp s(x, y) / Σ exp s(x, y′)
 * over all label sequences y′, s being the sum of the scores of tokens and of what labels before them add.
 */
export const crf: SequenceLearner = {
  kind: 'sequence',
  name: 'crf',
  help: 'first-order conditional random field by L-BFGS',
  link: 'identity',
  decoders: ['viterbi'],
  options: logLinearOptions({ l2: 1 }),
  train: (problem, options, onIteration) =>
    trainLogLinear(problem, new ChainLikelihood(problem), options, onIteration),
};

/**
 * Forward–backward over every sentence, in 64 bits. Each token's forward values are scaled to sum to 1, and its
 * scores are taken relative to the highest, so that nothing underflows however long the sentence is.
 *
 * With E(c) = exp of token t's score of label c and M(p, c) = exp of what label p before c adds,
 *
 *   α_t(c) = E(c) Σ_p α_{t−1}(p) M(p, c) / z_t,   u_t(c) = E(c) β_t(c) / z_t,   β_{t−1}(p) = Σ_c M(p, c) u_t(c),
 *
 * z_t making Σ α_t = 1; then P(c at t) = α_t(c) β_t(c), P(p at t − 1, c at t) = α_{t−1}(p) M(p, c) u_t(c) and
 * log Z = Σ log z_t.
 */
export class ChainLikelihood implements Likelihood {
  private readonly problem: SequenceProblem;
  private readonly width: number;
  /** [D] number of a feature that joins label₋₁ with the token, from 1; 0 for the others. */
  private readonly joinedIds: Uint32Array;
  /** Whether there are any. */
  private readonly joins: boolean;
  /** [(L + 1) × L] exp of what label₋₁ alone adds. */
  private readonly factors: Float64Array;
  /** [(J + 1) × W] exp of what joined features add. */
  private readonly joinedFactors: Float64Array;
  /** [(L + 1) × L] expected less gold counts of label pairs. */
  private readonly pairs: Float64Array;
  /** [(L + 1) × L] gold counts. */
  private readonly goldPairs: Float64Array;
  /** [(J + 1) × W] expected less gold counts of joined features. */
  private readonly joined: Float64Array;
  /** [(J + 1) × W] gold counts. */
  private readonly goldJoined: Float64Array;
  /** [L] β, or what becomes α. */
  private readonly row: Float64Array;
  /** [L × L] M of a token that features join in. */
  private readonly matrix: Float64Array;
  /** [T × L] E, then u. */
  private emissions = new Float64Array(1024);
  /** [T × L] α */
  private forward = new Float64Array(1024);
  /** [T] z */
  private scales = new Float64Array(64);

  constructor(problem: SequenceProblem) {
    const { labelCount, labels, starts, rows, history } = problem;
    const { offsets, indices } = history.joined;
    const width = laneCount(labelCount);
    const cells = (labelCount + 1) * labelCount;
    this.problem = problem;
    this.width = width;
    this.joinedIds = new Uint32Array(rows.features);
    let count = 0;
    for (let j = 0; j < indices.length; j++) {
      if (this.joinedIds[indices[j]] === 0) this.joinedIds[indices[j]] = ++count;
    }
    this.joins = count > 0;
    this.factors = new Float64Array(cells);
    this.joinedFactors = new Float64Array((count + 1) * width);
    this.pairs = new Float64Array(cells);
    this.goldPairs = new Float64Array(cells);
    this.joined = new Float64Array((count + 1) * width);
    this.goldJoined = new Float64Array((count + 1) * width);
    this.row = new Float64Array(labelCount);
    this.matrix = new Float64Array(labelCount * labelCount);
    for (let s = 0; s + 1 < starts.length; s++) {
      let previous = labelCount;
      for (let n = starts[s]; n < starts[s + 1]; n++) {
        this.goldPairs[previous * labelCount + labels[n]]++;
        for (let j = offsets[n]; j < offsets[n + 1]; j++) {
          const f = indices[j];
          if (history.previous[f] === previous) this.goldJoined[this.joinedIds[f] * width + labels[n]]++;
        }
        previous = labels[n];
      }
    }
  }

  residuals(weights: Vector, scores: Float32Array): number {
    const { problem, width, joinedIds, joins, factors, joinedFactors } = this;
    const { pairs, goldPairs, joined, goldJoined } = this;
    const { labelCount: L, history, starts } = problem;
    let loss = 0;
    for (let p = 0; p <= L; p++) {
      const from = history.alone[p] * width;
      for (let c = 0; c < L; c++) {
        const added = from < weights.length ? weights[from + c] : 0;
        factors[p * L + c] = Math.exp(added);
        loss -= goldPairs[p * L + c] * added;
      }
    }
    for (let f = 0; joins && f < joinedIds.length; f++) {
      const to = joinedIds[f] * width;
      if (to === 0) continue;
      for (let c = 0; c < L; c++) {
        const added = weights[f * width + c];
        joinedFactors[to + c] = Math.exp(added);
        loss -= goldJoined[to + c] * added;
      }
    }
    pairs.fill(0);
    joined.fill(0);
    for (let s = 0; s + 1 < starts.length; s++) loss += this.sentence(starts[s], starts[s + 1], scores);
    for (let i = 0; i < pairs.length; i++) {
      // Where M is the same for all tokens, sentences leave this factor to the end.
      if (!joins && i < L * L) pairs[i] *= factors[i];
      pairs[i] -= goldPairs[i];
    }
    for (let i = 0; i < joined.length; i++) joined[i] -= goldJoined[i];
    return loss;
  }

  addGradient(gradient: Vector): void {
    const { problem, width, pairs, joins, joinedIds, joined } = this;
    const { labelCount: L, history } = problem;
    for (let p = 0; p <= L; p++) {
      const to = history.alone[p] * width;
      for (let c = 0; to < gradient.length && c < L; c++) gradient[to + c] += pairs[p * L + c];
    }
    for (let f = 0; joins && f < joinedIds.length; f++) {
      const from = joinedIds[f] * width;
      for (let c = 0; from > 0 && c < L; c++) gradient[f * width + c] += joined[from + c];
    }
  }

  /**
   * Turns the scores of rows `first` … `end` − 1 into residuals; returns log Z less the scores of the gold labels
   * without history.
   */
  private sentence(first: number, end: number, scores: Float32Array): number {
    const { problem, width, factors, pairs, row, joins } = this;
    const { labels, labelCount: L } = problem;
    const length = end - first;
    this.emissions = grown(this.emissions, length * L);
    this.forward = grown(this.forward, length * L);
    this.scales = grown(this.scales, length);
    const { emissions, forward, scales } = this;
    let loss = 0;
    for (let t = 0; t < length; t++) {
      const scoreAt = (first + t) * width;
      const at = t * L;
      let highest = scores[scoreAt];
      for (let c = 1; c < L; c++) if (scores[scoreAt + c] > highest) highest = scores[scoreAt + c];
      for (let c = 0; c < L; c++) emissions[at + c] = Math.exp(scores[scoreAt + c] - highest);
      const matrix = joins ? this.joinMatrix(first + t, t === 0) : factors;
      row.fill(0);
      if (t === 0) {
        const start = joins ? 0 : L * L;
        for (let c = 0; c < L; c++) row[c] = matrix[start + c];
      } else {
        for (let p = 0; p < L; p++) {
          const value = forward[at - L + p];
          for (let c = 0, from = p * L; c < L; c++, from++) row[c] += value * matrix[from];
        }
      }
      let scale = 0;
      for (let c = 0; c < L; c++) {
        row[c] *= emissions[at + c];
        scale += row[c];
      }
      for (let c = 0; c < L; c++) forward[at + c] = row[c] / scale;
      scales[t] = scale;
      loss += highest + Math.log(scale) - scores[scoreAt + labels[first + t]];
    }

    row.fill(1);
    for (let t = length - 1; t >= 0; t--) {
      const scoreAt = (first + t) * width;
      const at = t * L;
      const scale = scales[t];
      for (let c = 0; c < L; c++) {
        scores[scoreAt + c] = forward[at + c] * row[c];
        emissions[at + c] *= row[c] / scale;
      }
      if (t === 0) {
        for (let c = 0; c < L; c++) pairs[L * L + c] += forward[c] * row[c];
      } else if (joins) {
        const matrix = this.joinMatrix(first + t, false);
        for (let p = 0; p < L; p++) {
          const value = forward[at - L + p];
          let sum = 0;
          for (let c = 0, from = p * L; c < L; c++, from++) {
            const product = matrix[from] * emissions[at + c];
            sum += product;
            pairs[from] += value * product;
          }
          row[p] = sum;
        }
      } else {
        for (let p = 0; p < L; p++) {
          const value = forward[at - L + p];
          let sum = 0;
          for (let c = 0, from = p * L; c < L; c++, from++) {
            const next = emissions[at + c];
            sum += factors[from] * next;
            pairs[from] += value * next;
          }
          row[p] = sum;
        }
      }
      if (joins) this.countJoined(first + t, t);
      scores[scoreAt + labels[first + t]] -= 1;
    }
    return loss;
  }

  /** M of the token of row n: [L × L], or its first row [L] where nothing is before it. */
  private joinMatrix(n: number, isFirst: boolean): Float64Array {
    const { problem, width, factors, joinedFactors, joinedIds, matrix } = this;
    const { labelCount: L, history } = problem;
    const { offsets, indices } = history.joined;
    const firstLabel = isFirst ? L : 0;
    const cells = isFirst ? L : L * L;
    for (let i = 0, from = firstLabel * L; i < cells; i++, from++) matrix[i] = factors[from];
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      const p = history.previous[indices[j]];
      if ((p === L) !== isFirst) continue;
      const from = joinedIds[indices[j]] * width;
      const to = (p - firstLabel) * L;
      for (let c = 0; c < L; c++) matrix[to + c] *= joinedFactors[from + c];
    }
    return matrix;
  }

  /** Adds what joined features of row n, token t, are expected to count; `matrix` holds its M, and `row` β if t is 0. */
  private countJoined(n: number, t: number): void {
    const { problem, width, joinedIds, joined, matrix, forward, emissions, row } = this;
    const { labelCount: L, history } = problem;
    const { offsets, indices } = history.joined;
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      const p = history.previous[indices[j]];
      const to = joinedIds[indices[j]] * width;
      if (t === 0 && p === L) {
        for (let c = 0; c < L; c++) joined[to + c] += forward[c] * row[c];
      } else if (t > 0 && p < L) {
        const value = forward[(t - 1) * L + p];
        for (let c = 0; c < L; c++) joined[to + c] += value * matrix[p * L + c] * emissions[t * L + c];
      }
    }
  }
}
