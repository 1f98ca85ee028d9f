/**
 * Keeps the `capacity` best of a stream of scored candidates: higher scores first, of equal scores the lower key.
 * A binary heap with the worst kept candidate at its root.
 */
export class BestCandidates {
  /** `[capacity]`: scores; falling after {@link sort}. */
  readonly scores: Float64Array;
  /** `[capacity]`: keys, beside the scores. */
  readonly keys: Uint32Array;
  /** Number of candidates kept. */
  count = 0;

  constructor(capacity: number) {
    this.scores = new Float64Array(capacity);
    this.keys = new Uint32Array(capacity);
  }

  /** Score that a candidate of a higher key must exceed to be kept; −Infinity while there is room. */
  floor(): number {
    return this.count < this.scores.length ? -Infinity : this.scores[0];
  }

  /** Keeps a candidate, and drops the worst if there is no room, or ignores it if it is the worst. */
  offer(score: number, key: number): void {
    const { scores, keys } = this;
    if (this.count === scores.length) {
      if (!isWorse(scores[0], keys[0], score, key)) return;
      this.sink(score, key);
      return;
    }
    let slot = this.count++;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (!isWorse(score, key, scores[parent], keys[parent])) break;
      scores[slot] = scores[parent];
      keys[slot] = keys[parent];
      slot = parent;
    }
    scores[slot] = score;
    keys[slot] = key;
  }

  /** Puts the best first and returns how many there are; the next candidates then start from none. */
  sort(): number {
    const { scores, keys } = this;
    const kept = this.count;
    while (this.count > 1) {
      const last = --this.count;
      const score = scores[last];
      const key = keys[last];
      scores[last] = scores[0];
      keys[last] = keys[0];
      this.sink(score, key);
    }
    this.count = 0;
    return kept;
  }

  /** Replaces the root. */
  private sink(score: number, key: number): void {
    const { scores, keys, count } = this;
    let slot = 0;
    for (let child = 1; child < count; child = 2 * slot + 1) {
      if (child + 1 < count && isWorse(scores[child + 1], keys[child + 1], scores[child], keys[child]))
        child++;
      if (!isWorse(scores[child], keys[child], score, key)) break;
      scores[slot] = scores[child];
      keys[slot] = keys[child];
      slot = child;
    }
    scores[slot] = score;
    keys[slot] = key;
  }
}

function isWorse(score: number, key: number, thanScore: number, thanKey: number): boolean {
  return score < thanScore || (score === thanScore && key > thanKey);
}
