import type { Choose, Decide, Margins } from './reduction.js';

/** Least score of a chosen label: its log score still differs from those of the others, in a sum along a long path too. */
const LEAST = 2 ** -20;

/** Margins that are known. */
class KnownMargins implements Margins {
  /** [K] */
  values: Float32Array = new Float32Array(0);
  /** How many were looked at. */
  looked = 0;
  /** The smallest absolute margin met: how sure the least sure step was. */
  least = Infinity;

  /** Starts a token. */
  start(values: Float32Array): void {
    this.values = values;
    this.looked = 0;
    this.least = Infinity;
  }

  at(problem: number): number {
    const margin = this.values[problem];
    this.looked++;
    if (Math.abs(margin) < this.least) this.least = Math.abs(margin);
    return margin;
  }
}

/**
 * The decision rule of a strategy that only chooses: the label chosen gets the smallest absolute margin met on the way
 * to it, all others its negative.
 */
export function stepwise(choose: Choose): Decide {
  const reader = new KnownMargins();
  return (margins, legal, legalAt, out) => {
    reader.start(margins);
    const chosen = choose(reader, legal, legalAt);
    // A lone legal label is reached without a look.
    const sure = reader.looked > 0 ? Math.max(reader.least, LEAST) : 1;
    out.fill(-sure);
    out[chosen] = sure;
    return reader.looked;
  };
}
