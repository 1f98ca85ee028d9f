import type { Corpus } from '../data/corpus.js';
import type { Tagger } from '../tag/tagger.js';
import { GoldTags } from '../tags/gold-tags.js';
import { labelCorpus } from './corpus-labeller.js';
import type { Pipeline } from './pipeline.js';

/** Gold chunks that the limits of a model of whole chunks leave no way to find. */
export interface UnreachableChunks {
  /** Number of chunks. */
  readonly chunks: number;
  /** Number of sentences that have such a chunk. */
  readonly sentences: number;
}

/** Counts the chunks of a corpus' last column that a model cannot find whatever it scores; none for models of labels. */
export function unreachableChunks(tagger: Tagger | Pipeline, corpus: Corpus): UnreachableChunks {
  const last = 'last' in tagger ? tagger.last : tagger;
  const goldTags = new GoldTags(corpus, last.model.training.fileScheme);
  let chunks = 0;
  let sentences = 0;
  if (!last.scoresChunks) return { chunks, sentences };
  labelCorpus(tagger, corpus, (s) => {
    const missed = last.unreachable(goldTags.spans(s));
    chunks += missed;
    if (missed > 0) sentences++;
  });
  return { chunks, sentences };
}
