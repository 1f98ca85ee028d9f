import { type Corpus, columnStrings } from '../data/corpus.js';
import { checkTags } from '../model/check-tags.js';
import type { Tagger } from '../model/tagger.js';
import { ChunkScorer, type ChunkScores } from '../score/conlleval.js';
import { labelCorpus } from './corpus-labeller.js';
import type { Pipeline } from './pipeline.js';

/**
 * Labels the sentences of a corpus and scores them against its last column; output is compared in the scheme of the
 * model's training file.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreModel(tagger: Tagger | Pipeline, corpus: Corpus): ChunkScores {
  const { fileScheme } = tagger.model.training;
  checkTags(corpus, fileScheme);
  const scorer = new ChunkScorer(fileScheme);
  const goldColumn = corpus.columns.length - 1;
  labelCorpus(tagger, corpus, (s) => {
    scorer.add(columnStrings(corpus, goldColumn, s), tagger.tagStrings(tagger.spans()));
  });
  return scorer.scores();
}
