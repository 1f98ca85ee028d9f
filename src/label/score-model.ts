import { checkArgument } from '../base/arguments.js';
import { type Corpus, columnStrings } from '../data/corpus.js';
import { ChunkScorer, type ChunkScores } from '../score/conlleval.js';
import type { Tagger } from '../tag/tagger.js';
import { withPlainTags } from '../tags/spelling.js';
import { schemeOfGold, tagCorpus } from './corpus-labeller.js';
import type { Pipeline } from './pipeline.js';

/**
 * Labels the sentences of a corpus and scores them against its last column; both are compared in the scheme that this
 * is in.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreModel(tagger: Tagger | Pipeline, given: Corpus): ChunkScores {
  checkArgument('tagger', tagger, 'labeller');
  checkArgument('corpus', given, 'corpus');
  const corpus = withPlainTags(given, tagger.model.training.fileScheme);
  const scheme = schemeOfGold(tagger.model, corpus);
  const scorer = new ChunkScorer(scheme);
  const goldColumn = corpus.columns.length - 1;
  tagCorpus(tagger, corpus, scheme, (s, tags) => {
    scorer.add(columnStrings(corpus, goldColumn, s), tags);
  });
  for (const { type } of corpus.missed ?? []) scorer.addMissed(type);
  return scorer.scores();
}
