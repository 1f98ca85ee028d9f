import type { Rows } from '../data/dataset.js';
import type { Bound } from '../kernels/kernel.js';
import { createMemory, type KernelName } from '../kernels/kernels.js';
import { float32, uint32 } from '../kernels/layout.js';
import { sumRows } from '../kernels/score-rows.js';
import type { Vector } from './lbfgs.js';

/** Occurrences of a feature that are summed in 32 bits before they go to a sum in 64 bits. */
const RUN = 128;
/** Runs that are summed at a time. */
const BATCH = 1 << 14;

const KERNELS = { sumRows };

/**
 * The two products with a matrix of binary rows that gradient methods need: scores = rows × weights, and
 * gradient = rowsᵀ × residuals, one lane per label. The second runs over the features, each with the list of its
 * rows, so that every sum is taken in the order of the rows.
 *
 * Shapes: N rows, D features, W lanes (a multiple of 4).
 */
export class RowProducts {
  /** [D × W] the caller's to fill. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** [N × W] scores of the rows; the caller turns them into residuals. */
  readonly scores: Float32Array<ArrayBuffer>;
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly width: number;
  /** [N + 1] */
  private readonly offsets: Uint32Array;
  /** [nnz] features of each row. */
  private readonly indices: Uint32Array;
  /** [nnz] rows of each feature. */
  private readonly columns: Uint32Array;
  /** [runs + 1] where each run of at most RUN rows starts. */
  private readonly runs: Uint32Array;
  /** [runs] feature of each run, ascending. */
  private readonly featureOf: Uint32Array;
  /** [BATCH × W] */
  private readonly sums: Float32Array;

  constructor(rows: Rows, width: number, kernels?: KernelName | undefined) {
    const { offsets, indices, features } = rows;
    const ends = new Uint32Array(features + 1);
    for (let j = 0; j < indices.length; j++) ends[indices[j] + 1]++;
    let runs = 0;
    for (let f = 0; f < features; f++) {
      runs += Math.ceil(ends[f + 1] / RUN);
      ends[f + 1] += ends[f];
    }
    const count = offsets.length - 1;
    const { arrays, bind } = createMemory(
      {
        offsets: uint32(offsets.length),
        indices: uint32(indices.length),
        columns: uint32(indices.length),
        runs: uint32(runs + 1),
        weights: float32(features * width),
        scores: float32(count * width),
        sums: float32(BATCH * width),
      },
      kernels,
    );
    this.kernels = bind(KERNELS);
    this.width = width;
    this.offsets = arrays.offsets;
    this.offsets.set(offsets);
    this.indices = arrays.indices;
    this.indices.set(indices);
    this.columns = arrays.columns;
    this.runs = arrays.runs;
    this.weights = arrays.weights;
    this.scores = arrays.scores;
    this.sums = arrays.sums;
    this.featureOf = new Uint32Array(runs);
    let run = 0;
    for (let f = 0; f < features; f++) {
      for (let at = ends[f]; at < ends[f + 1]; at += RUN) {
        this.runs[run] = at;
        this.featureOf[run++] = f;
      }
    }
    this.runs[runs] = indices.length;
    // Filling moves each start to where the feature's rows end.
    for (let n = 0; n < count; n++) {
      for (let j = offsets[n]; j < offsets[n + 1]; j++) this.columns[ends[indices[j]]++] = n;
    }
  }

  /** Fills {@link scores} from {@link weights}. */
  score(): void {
    const { weights, width, indices, offsets, scores } = this;
    this.kernels.sumRows({
      matrix: weights,
      width,
      rows: indices,
      starts: offsets,
      first: 0,
      tokens: offsets.length - 1,
      out: scores,
    });
  }

  /** Writes the gradient [D × W] from the residuals that {@link scores} now holds. */
  gradient(out: Vector): void {
    const { kernels, width, columns, runs, featureOf, scores, sums } = this;
    const total = new Float64Array(width);
    let current = -1;
    out.fill(0);
    for (let first = 0; first < featureOf.length; first += BATCH) {
      const count = Math.min(BATCH, featureOf.length - first);
      kernels.sumRows({
        matrix: scores,
        width,
        rows: columns,
        starts: runs,
        first,
        tokens: count,
        out: sums,
      });
      for (let i = 0; i < count; i++) {
        const feature = featureOf[first + i];
        if (feature !== current) {
          current = feature;
          total.fill(0);
        }
        const from = i * width;
        const to = feature * width;
        for (let k = 0; k < width; k++) {
          total[k] += sums[from + k];
          out[to + k] = total[k];
        }
      }
    }
  }
}
