import type { ChunkLimits } from '../decode/chunk-limits.js';
import type { ChunkIndex } from '../features/chunk-index.js';
import type { SparseWeights } from './sparse-weights.js';

/** Part of a model that scores whole chunks, besides its tokens' features. */
export interface ChunkModel {
  /** Features of whole chunks. */
  readonly index: ChunkIndex;
  /** Their weights by type, or by type before and type. */
  readonly weights: SparseWeights;
  /** Limits of the chunks seen in training. */
  readonly limits: ChunkLimits;
}
