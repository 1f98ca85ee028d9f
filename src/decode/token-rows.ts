import type { KernelMemory } from '../kernels/kernels.js';
import { type Arrays, float32, uint32 } from '../kernels/layout.js';
import { addHistory, type HistorySum, type JoinedFeatures } from '../kernels/token-history.js';
import type { TokenHistory } from './token-kinds.js';

/** Scores that one token brings together with the label at −1: rows `[W]` by that label, filled when they are asked for. */
export class TokenRows {
  /** `[(L+1) × W]` rows of the token at hand; those not asked for are of others. */
  readonly rows: Float32Array;
  private readonly source: TokenHistory;
  private readonly sum: { -readonly [N in keyof HistorySum]: HistorySum[N] };
  private readonly add: () => void;
  private readonly width: number;
  private readonly labels: number;
  /** `[runs × 2]` runs of features of the token. */
  private readonly runs: Uint32Array;
  /** `[key size]` */
  private readonly key: Uint32Array;
  private position = 0;
  /** Number of the token among all that were moved to. */
  private move = 0;
  /** `[L+1]` move that filled each row. */
  private readonly filledAt: Float64Array;
  /** Move that filled all rows but that of the start. */
  private rowsAt = -1;
  /** Move that the runs are of. */
  private runsAt = -1;

  /**
   * Arrays for so many labels and lanes.
   *
   * @hidden
   */
  static layout({ baseRuns, ownRuns }: TokenHistory, labels: number, width: number) {
    return { rows: float32((labels + 1) * width), runs: uint32(2 * (baseRuns + ownRuns)) };
  }

  /**
   * @param features of the source, packed.
   * @param arrays of the memory.
   */
  constructor(
    source: TokenHistory,
    features: JoinedFeatures,
    memory: KernelMemory,
    width: number,
    arrays: Arrays<ReturnType<typeof TokenRows.layout>>,
  ) {
    this.source = source;
    this.width = width;
    this.rows = arrays.rows;
    this.runs = arrays.runs;
    this.labels = arrays.rows.length / width - 1;
    this.key = new Uint32Array(source.keySize);
    this.filledAt = new Float64Array(this.labels + 1);
    const { runs, rows: out } = arrays;
    const count = runs.length / 2;
    this.sum = { features, runs, runsAt: 0, count, first: 0, labels: 0, width, out, at: 0 };
    this.add = memory.bindTo(addHistory, this.sum);
  }

  /** Makes the token at `t`, in reading order, the one at hand. */
  moveTo(t: number): void {
    this.position = t;
    this.move++;
  }

  /** Fills the row for a label at −1, and returns where it starts. */
  rowOf(previous: number): number {
    const { width, rows, filledAt, move } = this;
    const at = previous * width;
    if (filledAt[previous] !== move) {
      filledAt[previous] = move;
      rows.fill(0, at, at + width);
      this.addRuns(previous, 1, at);
    }
    return at;
  }

  /** Fills the rows for all labels at −1. */
  fill(): void {
    const { rows, labels, width, filledAt, move } = this;
    if (this.rowsAt === move) return;
    this.rowsAt = move;
    rows.fill(0, 0, labels * width);
    this.addRuns(0, labels, 0);
    filledAt.fill(move, 0, labels);
  }

  /** Adds what the token brings to its rows for some labels, which are in the rows from `at` on. */
  private addRuns(first: number, labels: number, at: number): void {
    const { source, runs, key, sum, move } = this;
    if (this.runsAt !== move) {
      source.writeKeys(this.position, 1, key, 1);
      source.writeRuns(key, 0, 0, sum.count, runs, 0);
      this.runsAt = move;
    }
    sum.first = first;
    sum.labels = labels;
    sum.at = at;
    // One row is less work than the call of a twin.
    if (labels === 1) addHistory.plain(sum);
    else this.add();
  }
}
