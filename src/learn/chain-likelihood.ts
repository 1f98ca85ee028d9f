import { grown } from '../base/growable.js';
import { laneCount } from '../kernels/lane-count.js';
import type { Vector } from './lbfgs.js';
import type { SequenceProblem } from './learner.js';
import type { Likelihood } from './likelihood.js';
import { type Pieces, wholeSentences } from './pieces.js';

/**
 * The likelihood of a first-order linear chain, by forward–backward over every sentence, or piece of one, in 64 bits. Each token's forward
 * values are scaled to sum to 1, and its scores are taken relative to the highest, so that nothing underflows however
 * long a sentence is.
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
  private readonly pieces: Pieces;
  private readonly width: number;
  /** [D] number of a feature that joins label₋₁ with the token, from 1; 0 for the others. */
  private readonly joinedIds: Uint32Array;
  /** [(L + 1) × L] what label₋₁ alone adds. */
  private readonly added: Float64Array;
  /** [(L + 1) × L] exp of that. */
  private readonly factors: Float64Array;
  /** [(J + 1) × W] exp of what joined features add. */
  private readonly joinedFactors: Float64Array;
  /** [(L + 1) × L] expected less gold counts of label pairs. */
  private readonly pairs: Float64Array;
  /** [(J + 1) × W] expected less gold counts of joined features. */
  private readonly joined: Float64Array;
  /** [L] what becomes α, then β. */
  private readonly row: Float64Array;
  /** [L × L] M of a token that features join in. */
  private readonly matrix: Float64Array;
  /** [T × L] E, then u. */
  private emissions = new Float64Array(1024);
  /** [T × L] α */
  private forward = new Float64Array(1024);
  /** [T] z */
  private scales = new Float64Array(64);

  /** @param pieces what is taken for a sentence; default whole sentences. */
  constructor(problem: SequenceProblem, pieces: Pieces = wholeSentences(problem.starts)) {
    const { labelCount, rows, history } = problem;
    const { indices } = history.joined;
    const cells = (labelCount + 1) * labelCount;
    this.problem = problem;
    this.pieces = pieces;
    this.width = laneCount(labelCount);
    this.joinedIds = new Uint32Array(rows.features);
    let count = 0;
    for (let j = 0; j < indices.length; j++) {
      if (this.joinedIds[indices[j]] === 0) this.joinedIds[indices[j]] = ++count;
    }
    this.added = new Float64Array(cells);
    this.factors = new Float64Array(cells);
    this.joinedFactors = new Float64Array((count + 1) * this.width);
    this.pairs = new Float64Array(cells);
    this.joined = new Float64Array((count + 1) * this.width);
    this.row = new Float64Array(labelCount);
    this.matrix = new Float64Array(labelCount * labelCount);
  }

  residuals(weights: Vector, scores: Float32Array): number {
    const { pieces, width, joinedIds, joined } = this;
    const { starts, isCut } = pieces;
    this.readPairs(weights);
    joined.fill(0);
    for (let f = 0; f < joinedIds.length; f++) if (joinedIds[f] > 0) this.readJoined(f, weights);
    let loss = 0;
    for (let i = 0; i < isCut.length; i++) {
      loss += this.piece(starts[i], starts[i + 1], isCut[i] === 1, weights, scores, starts[i] * width);
    }
    return loss;
  }

  addGradient(gradient: Vector): void {
    const { problem, width, pairs, joinedIds, joined } = this;
    const { labelCount: L, history } = problem;
    for (let p = 0; p <= L; p++) {
      const to = history.alone[p] * width;
      for (let c = 0; to < gradient.length && c < L; c++) gradient[to + c] += pairs[p * L + c];
    }
    for (let f = 0; f < joinedIds.length; f++) {
      const from = joinedIds[f] * width;
      for (let c = 0; from > 0 && c < L; c++) gradient[f * width + c] += joined[from + c];
    }
  }

  /**
   * As {@link residuals} for one sentence or piece of one, the rows from `first` to `end` − 1, whose scores `scores`
   * [T × W] holds.
   *
   * @param isCut whether it begins inside a sentence.
   */
  pieceResiduals(first: number, end: number, isCut: boolean, weights: Vector, scores: Float32Array): number {
    const { offsets, indices } = this.problem.history.joined;
    this.readPairs(weights);
    for (let j = offsets[first]; j < offsets[end]; j++) this.readJoined(indices[j], weights);
    return this.piece(first, end, isCut, weights, scores, 0);
  }

  /**
   * Moves the weights of features that read the label before down their gradient, after {@link pieceResiduals} of the
   * same rows.
   *
   * @param rates [D] length of the step along each feature.
   */
  descend(first: number, end: number, weights: Vector, rates: Float64Array): void {
    const { problem, width, pairs, joinedIds, joined } = this;
    const { labelCount: L, history } = problem;
    const { offsets, indices } = history.joined;
    for (let p = 0; p <= L; p++) {
      const to = history.alone[p] * width;
      if (to === weights.length) continue;
      const rate = rates[history.alone[p]];
      for (let c = 0; c < L; c++) weights[to + c] -= rate * pairs[p * L + c];
    }
    for (let j = offsets[first]; j < offsets[end]; j++) {
      const f = indices[j];
      const from = joinedIds[f] * width;
      for (let c = 0; c < L; c++) {
        weights[f * width + c] -= rates[f] * joined[from + c];
        joined[from + c] = 0;
      }
    }
  }

  /** Takes over the weights of label pairs and zeroes their counts. */
  private readPairs(weights: Vector): void {
    const { problem, width, added, factors, pairs } = this;
    const { labelCount: L, history } = problem;
    for (let p = 0; p <= L; p++) {
      const from = history.alone[p] * width;
      if (from === weights.length) continue;
      for (let c = 0; c < L; c++) added[p * L + c] = weights[from + c];
    }
    for (let i = 0; i < added.length; i++) factors[i] = Math.exp(added[i]);
    pairs.fill(0);
  }

  /** Takes over the weights of a joined feature. */
  private readJoined(f: number, weights: Vector): void {
    const { problem, width, joinedIds, joinedFactors } = this;
    const to = joinedIds[f] * width;
    for (let c = 0; c < problem.labelCount; c++) joinedFactors[to + c] = Math.exp(weights[f * width + c]);
  }

  /**
   * Turns the scores of the rows from `first` to `end` − 1, which stand from `scoresAt` on, into residuals, adds to the
   * counts and returns −log P(gold labels).
   */
  private piece(
    first: number,
    end: number,
    isCut: boolean,
    weights: Vector,
    scores: Float32Array,
    scoresAt: number,
  ): number {
    const { labelCount: L } = this.problem;
    const length = end - first;
    this.emissions = grown(this.emissions, length * L);
    this.forward = grown(this.forward, length * L);
    this.scales = grown(this.scales, length);
    const loss = this.goForward(first, length, isCut, scores, scoresAt);
    return this.goBackward(first, length, isCut, weights, scores, scoresAt, loss);
  }

  /** Forward pass; returns log Z less the scores of the gold labels. */
  private goForward(
    first: number,
    length: number,
    isCut: boolean,
    scores: Float32Array,
    scoresAt: number,
  ): number {
    const { problem, width, factors, row, emissions, forward, scales } = this;
    const { labels, labelCount: L, history } = problem;
    const { offsets } = history.joined;
    let loss = 0;
    for (let t = 0; t < length; t++) {
      const scoreAt = scoresAt + t * width;
      const at = t * L;
      let highest = scores[scoreAt];
      for (let c = 1; c < L; c++) if (scores[scoreAt + c] > highest) highest = scores[scoreAt + c];
      for (let c = 0; c < L; c++) emissions[at + c] = Math.exp(scores[scoreAt + c] - highest);
      const joins = offsets[first + t] < offsets[first + t + 1] && !(isCut && t === 0);
      const matrix = joins ? this.joinMatrix(first + t, t === 0) : factors;
      if (t === 0) {
        const start = joins ? 0 : L * L;
        for (let c = 0; c < L; c++) row[c] = isCut ? 1 : matrix[start + c];
      } else {
        row.fill(0);
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
    return loss;
  }

  /** Backward pass: writes residuals and adds to the counts; returns the loss less what the gold labels' history scores. */
  private goBackward(
    first: number,
    length: number,
    isCut: boolean,
    weights: Vector,
    scores: Float32Array,
    scoresAt: number,
    forwardLoss: number,
  ): number {
    const { problem, width, factors, added, pairs, row, emissions, forward, scales } = this;
    const { labels, labelCount: L, history } = problem;
    const { offsets } = history.joined;
    let loss = forwardLoss;
    row.fill(1);
    for (let t = length - 1; t >= 0; t--) {
      const n = first + t;
      const scoreAt = scoresAt + t * width;
      const at = t * L;
      const scale = scales[t];
      const gold = labels[n];
      const before = t === 0 ? L : labels[n - 1];
      const knowsBefore = !(isCut && t === 0);
      const joins = offsets[n] < offsets[n + 1] && knowsBefore;
      for (let c = 0; c < L; c++) {
        const probability = forward[at + c] * row[c];
        scores[scoreAt + c] = probability;
        emissions[at + c] *= row[c] / scale;
        if (t === 0 && knowsBefore) pairs[L * L + c] += probability;
      }
      scores[scoreAt + gold] -= 1;
      if (!knowsBefore) break;
      pairs[before * L + gold] -= 1;
      loss -= added[before * L + gold];
      if (joins) loss -= this.countJoinedGold(n, before, gold, weights);
      if (t === 0) {
        if (joins) this.countJoinedStart(n);
        break;
      }
      const matrix = joins ? this.joinMatrix(n, false) : factors;
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
      if (joins) this.countJoined(n, at);
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

  /** Takes the gold label of row n off the counts of joined features; returns what they add to its score. */
  private countJoinedGold(n: number, before: number, gold: number, weights: Vector): number {
    const { problem, width, joinedIds, joined } = this;
    const { offsets, indices } = problem.history.joined;
    let score = 0;
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      const f = indices[j];
      if (problem.history.previous[f] !== before) continue;
      joined[joinedIds[f] * width + gold] -= 1;
      score += weights[f * width + gold];
    }
    return score;
  }

  /** Adds what joined features of row n, first of a sentence, are expected to count; `row` is its β. */
  private countJoinedStart(n: number): void {
    const { problem, width, joinedIds, joined, forward, row } = this;
    const { labelCount: L, history } = problem;
    const { offsets, indices } = history.joined;
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      if (history.previous[indices[j]] !== L) continue;
      const to = joinedIds[indices[j]] * width;
      for (let c = 0; c < L; c++) joined[to + c] += forward[c] * row[c];
    }
  }

  /** The same for another row, whose M is in `matrix` and whose u starts at `at`. */
  private countJoined(n: number, at: number): void {
    const { problem, width, joinedIds, joined, matrix, forward, emissions } = this;
    const { labelCount: L, history } = problem;
    const { offsets, indices } = history.joined;
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      const p = history.previous[indices[j]];
      if (p === L) continue;
      const to = joinedIds[indices[j]] * width;
      const value = forward[at - L + p];
      for (let c = 0; c < L; c++) joined[to + c] += value * matrix[p * L + c] * emissions[at + c];
    }
  }
}
