/**
 * The paths that reach the token before, the best first; equal ones in the order in which they were added. What
 * dynamic programming extends, in the order that makes pruning exact and ties settled.
 */
export class FallingPaths {
  /** Number of paths. */
  count = 0;
  /** `[count]`: path scores, falling. */
  readonly scores: Float64Array;
  /** `[count]`: last label of each path. */
  readonly previous: Uint16Array;
  /** `[count]`: the label before it; L for none, or where it does not matter. */
  readonly beforePrevious: Uint16Array;

  /** @param capacity most paths that will be added. */
  constructor(capacity: number) {
    this.scores = new Float64Array(capacity);
    this.previous = new Uint16Array(capacity);
    this.beforePrevious = new Uint16Array(capacity);
  }

  /** Adds a path unless its score is −Infinity. Insertion sort: a few dozen entries at most. */
  add(score: number, previous: number, beforePrevious: number): void {
    if (score === -Infinity) return;
    const scores = this.scores;
    let slot = this.count++;
    for (; slot > 0 && scores[slot - 1] < score; slot--) {
      scores[slot] = scores[slot - 1];
      this.previous[slot] = this.previous[slot - 1];
      this.beforePrevious[slot] = this.beforePrevious[slot - 1];
    }
    scores[slot] = score;
    this.previous[slot] = previous;
    this.beforePrevious[slot] = beforePrevious;
  }
}
