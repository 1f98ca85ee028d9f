import type { BigramCounts } from './bigrams.js';

/** Told after each pass: how many words moved, and the average log2 probability of a token. */
export type PassListener = (pass: number, moved: number, bitsPerToken: number) => void;

/** x · ln x of the counts that occur most, so that few logarithms are taken. */
const TABLE_SIZE = 1 << 16;
const TABLE = Float64Array.from({ length: TABLE_SIZE }, (_, x) => (x === 0 ? 0 : x * Math.log(x)));

/** x · ln x; 0 of 0. */
export function entropyTerm(x: number): number {
  return x < TABLE_SIZE ? TABLE[x] : x * Math.log(x);
}

/**
 * Word classes by predictive exchange (Uszkoreit and Brants 2008): each word in turn is moved to the class for which the training
 * data are likeliest under P(w | class of w) · P(class of w | word before),
 *
 *   Σ N(v, c) ln N(v, c) − Σ N(c) ln N(c) + constant,
 *
 * N(v, c) being how often word v is followed by class c. N(v, ·) of words with many different successors is kept; that of others is
 * summed anew when it is needed, so that a pass takes time by different bigrams times the classes that follow their left words.
 */
export class Exchange {
  /** [V] class of each word. */
  readonly classes: Uint32Array;
  private readonly bigrams: BigramCounts;
  private readonly k: number;
  /** [k] N(c) */
  private readonly totals: Float64Array;
  /** [V] row of {@link dense} of each word, −1 for those summed anew. */
  private readonly rowOf: Int32Array;
  /** [rows × k] N(v, c) */
  private readonly dense: Uint32Array;
  /** [k] N(v, ·) of one word, and the classes where it is not 0. */
  private readonly sparse: Uint32Array;
  private readonly touched: Uint32Array;
  private readonly gains: Float64Array;
  /** [most pairs + 1] x ln x, and what one more adds to it. */
  private readonly terms: Float64Array;
  private readonly steps: Float64Array;

  /** @param classes [V] classes to start from; default words are dealt out by frequency. */
  constructor(bigrams: BigramCounts, k: number, classes?: Uint32Array) {
    const { words, counts, next } = bigrams;
    const V = words.length;
    this.bigrams = bigrams;
    this.k = k;
    this.classes = classes?.slice() ?? Uint32Array.from({ length: V }, (_, w) => w % k);
    this.totals = new Float64Array(k);
    for (let w = 0; w < V; w++) this.totals[this.classes[w]] += counts[w];
    this.rowOf = new Int32Array(V).fill(-1);
    let rows = 0;
    for (let v = 0; v < V; v++) if (next.starts[v + 1] - next.starts[v] > k / 2) this.rowOf[v] = rows++;
    this.dense = new Uint32Array(rows * k);
    for (let v = 0; v < V; v++) {
      if (this.rowOf[v] < 0) continue;
      for (let i = next.starts[v]; i < next.starts[v + 1]; i++) {
        this.dense[this.rowOf[v] * k + this.classes[next.others[i]]] += next.counts[i];
      }
    }
    this.sparse = new Uint32Array(k);
    this.touched = new Uint32Array(k);
    this.gains = new Float64Array(k);
    // No word is followed by more words than it occurs.
    const most = counts.reduce((a, b) => Math.max(a, b), 0) + 2;
    this.terms = Float64Array.from({ length: most }, (_, x) => entropyTerm(x));
    this.steps = this.terms.map((term, x) => (x + 1 < most ? this.terms[x + 1] : 0) - term);
  }

  /** Moves words until fewer than one in a thousand does, or so many passes are done. */
  run(passes: number, onPass?: PassListener): void {
    const { words } = this.bigrams;
    for (let pass = 1; pass <= passes; pass++) {
      let moved = 0;
      for (let w = 0; w < words.length; w++) if (this.exchange(w)) moved++;
      onPass?.(pass, moved, this.bitsPerToken());
      if (moved * 1000 < words.length) return;
    }
  }

  /** Moves a word to the best class; of equals it stays, else the first counts. */
  private exchange(w: number): boolean {
    const { classes, totals } = this;
    const { before, counts } = this.bigrams;
    const own = classes[w];
    const count = counts[w];
    if (count === 0) return false;
    totals[own] -= count;
    this.addTo(w, own, -1);
    const from = before.starts[w];
    const to = before.starts[w + 1];
    const gains = this.gainsOf(before.others.subarray(from, to), before.counts.subarray(from, to), w);
    let best = own;
    let most = gains[own] - entropyTerm(totals[own] + count) + entropyTerm(totals[own]);
    for (let c = 0; c < this.k; c++) {
      const gain = gains[c] - entropyTerm(totals[c] + count) + entropyTerm(totals[c]);
      if (gain > most + 1e-9) {
        most = gain;
        best = c;
      }
    }
    classes[w] = best;
    totals[best] += count;
    this.addTo(w, best, 1);
    return best !== own;
  }

  /**
   * The class that a word which is none of those here fits best.
   *
   * @param before [pairs] words before it, and how often each.
   */
  place(before: ArrayLike<number>, counts: ArrayLike<number>, count: number): number {
    const gains = this.gainsOf(before, counts, -1);
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < this.k; c++) {
      const gain = gains[c] - entropyTerm(this.totals[c] + count) + entropyTerm(this.totals[c]);
      if (gain <= most) continue;
      most = gain;
      best = c;
    }
    return best;
  }

  /** [k] how much Σ N(v, c) ln N(v, c) grows with a word in each class, all the same left out. @param w the word, −1 for none here. */
  private gainsOf(before: ArrayLike<number>, counts: ArrayLike<number>, w: number): Float64Array {
    const { k, rowOf, dense, gains, sparse, touched, classes } = this;
    const { next } = this.bigrams;
    gains.fill(0);
    for (let i = 0; i < before.length; i++) {
      const v = before[i];
      const n = counts[i];
      const alone = entropyTerm(n);
      if (rowOf[v] >= 0) {
        this.addRow(dense.subarray(rowOf[v] * k, (rowOf[v] + 1) * k), n);
        continue;
      }
      let found = 0;
      for (let j = next.starts[v]; j < next.starts[v + 1]; j++) {
        // Where a word follows itself, it is not in its class while it is looked at.
        if (next.others[j] === w) continue;
        const c = classes[next.others[j]];
        if (sparse[c] === 0) touched[found++] = c;
        sparse[c] += next.counts[j];
      }
      for (let j = 0; j < found; j++) {
        const c = touched[j];
        gains[c] += entropyTerm(sparse[c] + n) - entropyTerm(sparse[c]) - alone;
        sparse[c] = 0;
      }
    }
    return gains;
  }

  /** Adds to the gains what n more words after a word of a row bring; without a branch, since these loops take most of the time. */
  private addRow(row: Uint32Array, n: number): void {
    const { gains, terms, steps } = this;
    if (n === 1) {
      for (let c = 0; c < row.length; c++) gains[c] += steps[row[c]];
      return;
    }
    const alone = terms[n];
    for (let c = 0; c < row.length; c++) gains[c] += terms[row[c] + n] - terms[row[c]] - alone;
  }

  /** Adds a word to its class in the rows that are kept, or takes it away. */
  private addTo(w: number, c: number, sign: 1 | -1): void {
    const { k, rowOf, dense } = this;
    const { before } = this.bigrams;
    for (let i = before.starts[w]; i < before.starts[w + 1]; i++) {
      const row = rowOf[before.others[i]];
      if (row >= 0) dense[row * k + c] += sign * before.counts[i];
    }
  }

  /** Average of −log2 P(class | word before) P(word | class). */
  bitsPerToken(): number {
    const { classes, sparse, touched, totals } = this;
    const { counts, next, words } = this.bigrams;
    let sum = 0;
    let tokens = 0;
    for (let v = 0; v < words.length; v++) {
      let found = 0;
      let all = 0;
      for (let j = next.starts[v]; j < next.starts[v + 1]; j++) {
        const c = classes[next.others[j]];
        if (sparse[c] === 0) touched[found++] = c;
        sparse[c] += next.counts[j];
        all += next.counts[j];
      }
      for (let j = 0; j < found; j++) {
        sum += entropyTerm(sparse[touched[j]]);
        sparse[touched[j]] = 0;
      }
      sum += entropyTerm(counts[v]) - entropyTerm(all);
      tokens += counts[v];
    }
    for (const total of totals) sum -= entropyTerm(total);
    return -sum / tokens / Math.LN2;
  }
}
