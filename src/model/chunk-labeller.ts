import { grown } from '../base/growable.js';
import { SpanwrightError } from '../base/errors.js';
import { ChunkCandidates } from '../decode/chunk-candidates.js';
import { type Pruning, UNPRUNED } from '../decode/chunk-limits.js';
import { ChunkScorer } from '../decode/chunk-scorer.js';
import type { Scorer } from '../decode/scorer.js';
import { SemiMarkov } from '../decode/semi-markov.js';
import { PADDING } from '../features/layout.js';
import type { SentenceTuples } from '../features/sentence-tuples.js';
import { ChunkRoles } from '../tags/chunk-roles.js';
import { type ChunkModel, chunkRows } from './chunk-model.js';
import type { Model } from './model.js';

/** Labels sentences by their best segmentation into chunks. */
export class ChunkLabeller {
  private readonly roles: ChunkRoles;
  private readonly tuples: SentenceTuples;
  private readonly pruning: Pruning;
  /** View that limits on values are of. */
  private readonly dictionary: number;
  private readonly candidates: ChunkCandidates;
  private readonly scorer: ChunkScorer;
  private readonly search: SemiMarkov;
  private path = new Uint32Array(64);

  /** @param tuples where the values of each sentence are. */
  constructor(model: Model, chunks: ChunkModel, tuples: SentenceTuples, pruning: Pruning) {
    const { features, tagSet, configuration } = model;
    this.roles = new ChunkRoles(tagSet);
    this.tuples = tuples;
    this.dictionary = Math.max(0, features.layout.views.indexOf(String(configuration.options.dictionary)));
    this.pruning = pruning;
    this.candidates = new ChunkCandidates(chunks.limits, this.roles.alwaysSingle);
    this.scorer = new ChunkScorer(chunks.index, this.roles, chunks.limits, chunkRows(chunks));
    this.search = new SemiMarkov(this.roles.count, 1);
  }

  /** As `Decode` does. */
  decode({ fixed, lanes }: Scorer, length: number, out: Uint16Array): number {
    if (length === 0) return 0;
    const { search } = this;
    this.tryAll(fixed, lanes, length, this.pruning);
    // Where no segmentation is as those of the training data were, any will do.
    if (search.found === 0) this.tryAll(fixed, lanes, length, UNPRUNED);
    if (search.found === 0) throw new SpanwrightError('no-legal-path', 'expected a segmentation, found none');
    this.path = grown(this.path, length);
    const { candidates, path, roles } = this;
    const count = search.path(candidates, 0, path);
    for (let i = 0; i < count; i++) {
      const begin = candidates.begins[path[i]];
      const end = candidates.ends[path[i]];
      for (let t = begin; t < end; t++) out[t] = roles.labelOf(candidates.types[path[i]], begin, end, t);
    }
    return search.scores[0];
  }

  private tryAll(fixed: Float32Array, lanes: number, length: number, pruning: Pruning): void {
    const { candidates, scorer, tuples, search } = this;
    candidates.list(length, tuples.values, this.dictionary * tuples.stride + PADDING, pruning);
    scorer.score(tuples, fixed, lanes, candidates, pruning.bigrams);
    search.decode(candidates, scorer.bigrams);
  }
}
