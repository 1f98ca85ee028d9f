import { grown } from '../base/growable.js';
import { createMemory } from '../kernels/kernels.js';
import { laneCount } from '../kernels/lane-count.js';
import { float32, uint32 } from '../kernels/layout.js';
import { type RowSum, sumRows } from '../kernels/score-rows.js';
import type { SequenceProblem } from './learner.js';

/**
 * The sentences of a problem under weights that change as they are visited: the best label sequence of one, and steps
 * along the features of one. For learners that go from sentence to sentence.
 */
export class Chain {
  /** [D × W] */
  readonly weights: Float32Array<ArrayBuffer>;
  /** [T × W] scores, without history, of the sentence scored last; the caller may add to them. */
  readonly scores: Float32Array;
  /** Places in [D × W] of the features that {@link differences} found. */
  places = new Uint32Array(1024);
  /** +1 or −1 for each of them. */
  signs = new Int32Array(1024);
  private readonly problem: SequenceProblem;
  private readonly width: number;
  /** Rows of the piece at hand, and how they are summed. */
  private readonly rowSum: { -readonly [N in keyof RowSum]: RowSum[N] };
  private readonly sumRows: () => void;
  /** [N + 1] */
  private readonly offsets: Uint32Array;
  /** [nnz] */
  private readonly indices: Uint32Array;
  /** [(L + 1) × L] what label₋₁ alone adds. */
  private readonly transitions: Float64Array;
  /** [(L + 1) × L] that, and what the token at hand joins in. */
  private readonly joined: Float64Array;
  /** [L] scores of the best paths to the token at hand, and to the one before. */
  private best: Float64Array;
  private before: Float64Array;
  /** [T × L] best predecessors. */
  private backPointers = new Uint16Array(1024);
  private first = 0;
  private length = 0;

  constructor(problem: SequenceProblem) {
    const { rows, starts, labelCount } = problem;
    const { offsets, indices, features } = rows;
    const width = laneCount(labelCount);
    let longest = 0;
    for (let s = 0; s + 1 < starts.length; s++) longest = Math.max(longest, starts[s + 1] - starts[s]);
    const { arrays, bindTo } = createMemory(
      {
        weights: float32(features * width),
        scores: float32(longest * width),
        offsets: uint32(offsets.length),
        indices: uint32(indices.length),
      },
      problem.kernels,
    );
    this.problem = problem;
    this.width = width;
    this.weights = arrays.weights;
    if (problem.initial) this.weights.set(problem.initial);
    this.scores = arrays.scores;
    this.offsets = arrays.offsets;
    this.offsets.set(offsets);
    this.indices = arrays.indices;
    this.indices.set(indices);
    this.rowSum = {
      matrix: this.weights,
      width,
      rows: this.indices,
      starts: this.offsets,
      first: 0,
      tokens: 0,
      out: this.scores,
    };
    this.sumRows = bindTo(sumRows, this.rowSum);
    this.transitions = new Float64Array((labelCount + 1) * labelCount);
    this.joined = new Float64Array((labelCount + 1) * labelCount);
    this.best = new Float64Array(labelCount);
    this.before = new Float64Array(labelCount);
  }

  /** Scores the rows from `first` to `end` − 1, a sentence or a piece of one; returns how many they are, T. */
  score(first: number, end: number): number {
    const { problem, rowSum, weights, width, transitions } = this;
    const { labelCount, history } = problem;
    this.first = first;
    this.length = end - first;
    rowSum.first = first;
    rowSum.tokens = this.length;
    this.sumRows();
    for (let p = 0; p <= labelCount; p++) {
      const from = history.alone[p] * width;
      if (from === weights.length) continue;
      for (let c = 0; c < labelCount; c++) transitions[p * labelCount + c] = weights[from + c];
    }
    return this.length;
  }

  /**
   * The label sequence of highest score of the sentence scored last, by Viterbi's algorithm; of equals the lowest
   * labels from the end.
   *
   * @param out `[≥ T]`
   * @param labelBefore label of the token before, where a piece of a sentence was scored; default that of a sentence's start.
   * @returns its score.
   */
  decode(out: Uint16Array, labelBefore = this.problem.labelCount): number {
    const { problem, width, scores, first, length } = this;
    const { labelCount: L } = problem;
    if (length === 0) return 0;
    this.backPointers = grown(this.backPointers, length * L);
    const { backPointers } = this;
    for (let t = 0; t < length; t++) {
      const added = this.historyOf(first + t);
      const { best: before, before: best } = this;
      this.before = before;
      this.best = best;
      const at = t * L;
      if (t === 0) {
        for (let c = 0; c < L; c++) best[c] = added[labelBefore * L + c];
      } else {
        for (let c = 0; c < L; c++) {
          best[c] = before[0] + added[c];
          backPointers[at + c] = 0;
        }
        for (let p = 1; p < L; p++) {
          const path = before[p];
          for (let c = 0, from = p * L; c < L; c++, from++) {
            const extended = path + added[from];
            if (extended > best[c]) {
              best[c] = extended;
              backPointers[at + c] = p;
            }
          }
        }
      }
      for (let c = 0; c < L; c++) best[c] += scores[t * width + c];
    }
    const { best } = this;
    let label = 0;
    for (let c = 1; c < L; c++) if (best[c] > best[label]) label = c;
    const total = best[label];
    for (let t = length - 1; t >= 0; t--) {
      out[t] = label;
      label = backPointers[t * L + label];
    }
    return total;
  }

  /**
   * Lists the features in which two label sequences differ that begin with row `first`, Φ(labels) − Φ(other), in {@link places} and
   * {@link signs}; a place may come more than once.
   *
   * @param before as for {@link decode}.
   * @returns how many there are.
   */
  differences(
    first: number,
    labels: Uint16Array,
    other: Uint16Array,
    before = this.problem.labelCount,
  ): number {
    const { problem, width } = this;
    const { length } = labels;
    const { rows, history } = problem;
    const { alone, joined, previous } = history;
    let count = 0;
    let labelBefore = before;
    let otherBefore = before;
    for (let t = 0; t < length; t++) {
      const n = first + t;
      const label = labels[t];
      const rival = other[t];
      const start = rows.offsets[n];
      const end = rows.offsets[n + 1];
      const joinedStart = joined.offsets[n];
      const joinedEnd = joined.offsets[n + 1];
      const most = count + 2 * (end - start + 1 + joinedEnd - joinedStart);
      if (most > this.places.length) {
        this.places = grown(this.places, most);
        this.signs = grown(this.signs, most);
      }
      const { places, signs } = this;
      if (label !== rival) {
        for (let j = start; j < end; j++) {
          const at = rows.indices[j] * width;
          places[count] = at + label;
          signs[count++] = 1;
          places[count] = at + rival;
          signs[count++] = -1;
        }
      }
      if (label !== rival || labelBefore !== otherBefore) {
        if (alone[labelBefore] < rows.features) {
          places[count] = alone[labelBefore] * width + label;
          signs[count++] = 1;
        }
        if (alone[otherBefore] < rows.features) {
          places[count] = alone[otherBefore] * width + rival;
          signs[count++] = -1;
        }
        for (let j = joinedStart; j < joinedEnd; j++) {
          const f = joined.indices[j];
          if (previous[f] === labelBefore) {
            places[count] = f * width + label;
            signs[count++] = 1;
          }
          if (previous[f] === otherBefore) {
            places[count] = f * width + rival;
            signs[count++] = -1;
          }
        }
      }
      labelBefore = label;
      otherBefore = rival;
    }
    return count;
  }

  /** [(L + 1) × L] what the label before adds to the scores of row n. */
  private historyOf(n: number): Float64Array {
    const { problem, width, weights, transitions, joined: added } = this;
    const { labelCount: L, history } = problem;
    const { offsets, indices } = history.joined;
    if (offsets[n] === offsets[n + 1]) return transitions;
    added.set(transitions);
    for (let j = offsets[n]; j < offsets[n + 1]; j++) {
      const f = indices[j];
      const to = history.previous[f] * L;
      for (let c = 0; c < L; c++) added[to + c] += weights[f * width + c];
    }
    return added;
  }
}
