import { grown } from '../base/growable.js';
import type { ChunkIndex } from '../features/chunk-index.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import type { ChunkRoles } from '../tags/chunk-roles.js';
import type { ChunkCandidates } from './chunk-candidates.js';
import type { ChunkLimits } from './chunk-limits.js';

/** Weights of chunk features. */
export interface ChunkFeatureWeights {
  /** Weights by type. */
  readonly rows: Float32Array;
  /** [features] where each feature's T weights are in `rows`; of no meaning for features that read the type before. */
  readonly rowStarts: Uint32Array;
  /** Adds the weights of a feature that reads the type before to `out[at …]`, by type before and type. */
  addTo(feature: number, out: Float64Array, at: number): void;
}

/**
 * Scores the candidate chunks of a sentence: the token scores of their roles, from prefix sums, so that a longer one does
 * not add up its tokens again, and the features of whole chunks, each looked up no more often than what it reads changes.
 */
export class ChunkScorer {
  /** [n × (T + 1) × T] score of a type after another by where it begins, as `SemiMarkov` reads it. */
  bigrams = new Float64Array(1024);
  private readonly index: ChunkIndex;
  private readonly roles: ChunkRoles;
  private readonly weights: ChunkFeatureWeights;
  /** [(n + 1) × T] sums of inside scores over the tokens before each. */
  private inside = new Float64Array(1024);
  /** [n × T] scores of features that read a chunk's end, by its last token. */
  private ends = new Float64Array(1024);
  /** [T] */
  private readonly begin: Float64Array;
  /** [(T + 1) × T] scores of a type after another, whatever the tokens. */
  private readonly previous: Float64Array;
  /** [2][(T + 1) × T] 0 where a type may follow another, −Infinity where not: without pruning, and with it. */
  private readonly legal: readonly Float64Array[];
  /** Features found. */
  private readonly found: Uint32Array;

  constructor(index: ChunkIndex, roles: ChunkRoles, limits: ChunkLimits, weights: ChunkFeatureWeights) {
    this.index = index;
    this.roles = roles;
    this.weights = weights;
    this.begin = new Float64Array(roles.count);
    this.found = new Uint32Array(index.templates.length);
    this.previous = new Float64Array((roles.count + 1) * roles.count);
    const { count, mayFollow } = roles;
    this.legal = [false, true].map((prune) =>
      Float64Array.from({ length: (count + 1) * count }, (_, i) => {
        const follows = mayFollow[Math.floor(i / count) * (count + 1) + (i % count)] !== 0;
        return follows && (!prune || limits.bigrams[i] !== 0) ? 0 : -Infinity;
      }),
    );
  }

  /**
   * Fills in the candidates' scores, and {@link bigrams}.
   *
   * @param tuples the sentence's values.
   * @param fixed [n × lanes] token scores by label.
   * @param pruneBigrams whether types that were never seen side by side are kept apart.
   */
  score(
    tuples: SentenceTuples,
    fixed: Float32Array,
    lanes: number,
    candidates: ChunkCandidates,
    pruneBigrams: boolean,
  ): void {
    const { index, roles, begin, found } = this;
    const { rows, rowStarts } = this.weights;
    const { length, starts, ends: endOf, types: typeOf, scores } = candidates;
    const types = roles.count;
    const { begin: beginLabels, end: endLabels, single } = roles;
    index.start(tuples);
    this.sumInside(fixed, lanes, length);
    this.sumEnds(length);
    this.sumBigrams(length, pruneBigrams);
    const { inside, ends } = this;
    for (let b = 0; b < length; b++) {
      begin.fill(0);
      this.addRows(begin, 0, index.find('begin', b, 0, found, 0));
      let end = 0;
      let count = 0;
      for (let c = starts[b]; c < starts[b + 1]; c++) {
        if (endOf[c] !== end) {
          end = endOf[c];
          count = index.find('both', b, end, found, 0);
          for (let i = 0; i < count; i++) found[i] = rowStarts[found[i]];
        }
        const t = typeOf[c];
        const tokens =
          end === b + 1
            ? fixed[b * lanes + single[t]]
            : fixed[b * lanes + beginLabels[t]] +
              (inside[(end - 1) * types + t] - inside[(b + 1) * types + t]) +
              fixed[(end - 1) * lanes + endLabels[t]];
        let both = 0;
        for (let i = 0; i < count; i++) both += rows[found[i] + t];
        scores[c] = tokens + begin[t] + ends[(end - 1) * types + t] + both;
      }
    }
  }

  private sumInside(fixed: Float32Array, lanes: number, length: number): void {
    const { inside: labels, count } = this.roles;
    this.inside = grown(this.inside, (length + 1) * count);
    const sums = this.inside;
    for (let t = 0; t < count; t++) sums[t] = 0;
    for (let i = 0; i < length; i++) {
      const at = i * count;
      for (let t = 0; t < count; t++) sums[at + count + t] = sums[at + t] + fixed[i * lanes + labels[t]];
    }
  }

  private sumEnds(length: number): void {
    const { count } = this.roles;
    this.ends = grown(this.ends, length * count);
    this.ends.fill(0, 0, length * count);
    for (let i = 0; i < length; i++) {
      this.addRows(this.ends, i * count, this.index.find('end', 0, i + 1, this.found, 0));
    }
  }

  private sumBigrams(length: number, prune: boolean): void {
    const { index, weights, found, previous } = this;
    previous.set(this.legal[prune ? 1 : 0]);
    const alone = index.find('previous', 0, 0, found, 0);
    for (let i = 0; i < alone; i++) weights.addTo(found[i], previous, 0);
    const width = previous.length;
    this.bigrams = grown(this.bigrams, length * width);
    const sums = this.bigrams;
    for (let b = 0; b < length; b++) {
      const at = b * width;
      sums.set(previous, at);
      const count = index.find('bigram', b, 0, found, 0);
      for (let i = 0; i < count; i++) weights.addTo(found[i], sums, at);
    }
  }

  /** Adds the weights of the features found, by type. */
  private addRows(sums: Float64Array, at: number, count: number): void {
    const { found, roles } = this;
    const { rows, rowStarts } = this.weights;
    for (let i = 0; i < count; i++) {
      const row = rowStarts[found[i]];
      for (let t = 0; t < roles.count; t++) sums[at + t] += rows[row + t];
    }
  }
}
