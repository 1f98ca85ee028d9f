import type { ChunkLimits } from '../decode/chunk-limits.js';
import type { ChunkIndex } from '../features/chunk-index.js';
import type { SparseWeights } from './sparse-weights.js';

/** What a model that scores whole chunks knows besides the weights of its tokens' features. */
export interface ChunkModel {
  /** Features of whole chunks. */
  readonly index: ChunkIndex;
  /** Their weights by type, or by type before and type. */
  readonly weights: SparseWeights;
  /** What chunks training saw. */
  readonly limits: ChunkLimits;
}
