import type { ChunkCandidates } from './chunk-candidates.js';

/** Result of {@link chunkMarginals}. */
export interface ChunkMarginals {
  /** [C] the probability that a segmentation holds each candidate. */
  readonly marginals: Float64Array;
  /** log Σ exp(score / temperature) over all segmentations. */
  readonly total: number;
}

/**
 * Probabilities of candidate chunks where a segmentation has probability exp(score) / Σ exp(score of each), by the
 * forward-backward algorithm over the same states as `SemiMarkov`, in logarithms.
 *
 * @param bigrams [n × (T + 1) × T] as `SemiMarkov.decode` has them.
 * @param temperature what scores are divided by.
 */
export function chunkMarginals(
  candidates: ChunkCandidates,
  bigrams: Float64Array,
  types: number,
  temperature = 1,
): ChunkMarginals {
  const { length, starts, ends, types: typeOf, scores } = candidates;
  const rows = types + 1;
  /** [(n + 1) × (T + 1)] log sums of what ends before a token with a type, and of what can follow it. */
  const before = new Float64Array((length + 1) * rows).fill(-Infinity);
  const after = new Float64Array((length + 1) * rows).fill(-Infinity);
  /** [n × T] log sums of what comes before a chunk of a type that begins at a token. */
  const begins = new Float64Array(length * types).fill(-Infinity);
  before[types] = 0;
  for (let b = 0; b < length; b++) {
    for (let previous = 0; previous <= types; previous++) {
      const sum = before[b * rows + previous];
      if (sum === -Infinity) continue;
      for (let t = 0; t < types; t++) {
        const at = b * types + t;
        begins[at] = logAdd(begins[at], sum + bigrams[(b * rows + previous) * types + t] / temperature);
      }
    }
    for (let c = starts[b]; c < starts[b + 1]; c++) {
      const at = ends[c] * rows + typeOf[c];
      before[at] = logAdd(before[at], begins[b * types + typeOf[c]] + scores[c] / temperature);
    }
  }
  after.fill(0, length * rows);
  /** [T] log sums of the chunks of a type that begin at a token, with what follows them. */
  const chunks = new Float64Array(types);
  for (let b = length - 1; b >= 0; b--) {
    chunks.fill(-Infinity);
    for (let c = starts[b]; c < starts[b + 1]; c++) {
      chunks[typeOf[c]] = logAdd(
        chunks[typeOf[c]],
        scores[c] / temperature + after[ends[c] * rows + typeOf[c]],
      );
    }
    for (let previous = 0; previous <= types; previous++) {
      const at = b * rows + previous;
      for (let t = 0; t < types; t++)
        after[at] = logAdd(after[at], bigrams[at * types + t] / temperature + chunks[t]);
    }
  }
  const total = after[types];
  const marginals = new Float64Array(starts[length]);
  for (let b = 0; b < length; b++) {
    for (let c = starts[b]; c < starts[b + 1]; c++) {
      const t = typeOf[c];
      marginals[c] = Math.exp(
        begins[b * types + t] + scores[c] / temperature + after[ends[c] * rows + t] - total,
      );
    }
  }
  return { marginals, total };
}

/** log(exp a + exp b). */
function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}
