/** Heights of rows, guessed until they are measured, with sums from the first row on in logarithmic time. */
export class RowHeights {
  /** Number of rows. */
  readonly length: number;
  private readonly heights: Float64Array;
  private readonly sums: Float64Array;

  /** @param guess height of a row that is not measured. */
  constructor(length: number, guess: (row: number) => number) {
    this.length = length;
    this.heights = new Float64Array(length);
    this.sums = new Float64Array(length + 1);
    for (let row = 0; row < length; row++) {
      this.heights[row] = guess(row);
      this.sums[row + 1] += this.heights[row];
      const parent = row + 1 + ((row + 1) & -(row + 1));
      if (parent <= length) this.sums[parent] += this.sums[row + 1];
    }
  }

  /** Sets a measured height; by how much it differs. */
  set(row: number, height: number): number {
    const change = height - this.heights[row];
    if (change === 0) return 0;
    this.heights[row] = height;
    for (let i = row + 1; i <= this.length; i += i & -i) this.sums[i] += change;
    return change;
  }

  /** Where a row begins. */
  top(row: number): number {
    let sum = 0;
    for (let i = row; i > 0; i -= i & -i) sum += this.sums[i];
    return sum;
  }

  /** Height of all rows. */
  get total(): number {
    return this.top(this.length);
  }

  /** The row at a height. */
  rowAt(height: number): number {
    let row = 0;
    let rest = height;
    for (let step = 1 << Math.floor(Math.log2(Math.max(1, this.length))); step > 0; step >>= 1) {
      if (row + step > this.length || this.sums[row + step] > rest) continue;
      row += step;
      rest -= this.sums[row];
    }
    return Math.min(row, this.length - 1);
  }
}
