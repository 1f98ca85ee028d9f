import { checkArgument } from '../base/arguments.js';
import { type Corpus, columnStrings } from '../data/corpus.js';
import { ChunkScorer, type ChunkScores } from '../score/conlleval.js';
import type { Tagger } from '../tag/tagger.js';
import { withPlainTags } from '../tags/spelling.js';
import { schemeOfGold, tagCorpus } from './corpus-labeller.js';
import type { Pipeline } from './pipeline.js';

/** How {@link scoreModel} scores. */
export interface ScoreOptions {
  /** Whether only chunks count whose tags are as the scheme writes them; see {@link ChunkScorer}. */
  readonly isStrict?: boolean | undefined;
  /** Told the gold and the predicted tags of each sentence. */
  readonly onSentence?: ((gold: readonly string[], predicted: readonly string[]) => void) | undefined;
}

/**
 * Labels the sentences of a corpus and scores them against its last column; both are compared in the scheme that this
 * is in.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreModel(
  tagger: Tagger | Pipeline,
  given: Corpus,
  { isStrict, onSentence }: ScoreOptions = {},
): ChunkScores {
  checkArgument('tagger', tagger, 'labeller');
  checkArgument('corpus', given, 'corpus');
  const corpus = withPlainTags(given, tagger.model.training.fileScheme);
  const scheme = schemeOfGold(tagger.model, corpus);
  const scorer = new ChunkScorer(scheme, isStrict);
  const goldColumn = corpus.columns.length - 1;
  tagCorpus(tagger, corpus, scheme, (s, tags) => {
    const gold = columnStrings(corpus, goldColumn, s);
    scorer.add(gold, tags);
    onSentence?.(gold, tags);
  });
  for (const { type } of corpus.missed ?? []) scorer.addMissed(type);
  return scorer.scores();
}
