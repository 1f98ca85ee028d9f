import { checkArgument } from '../base/arguments.js';
import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import { type Span, wordsOfSpans } from '../data/span.js';
import type { Model } from '../model/model.js';
import { type SegmentedSentence, WordScorer, type WordScores } from '../score/word-scores.js';
import type { Tagger } from '../tag/tagger.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import { labelCorpus } from './corpus-labeller.js';
import { joinWhole } from './whole-runs.js';

/**
 * Segments the sentences of a corpus of characters and scores the words against those of its last column. A word is out of
 * vocabulary where the model's training data did not have it.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreWords(tagger: Tagger, corpus: Corpus): WordScores {
  checkArgument('tagger', tagger, 'labeller');
  checkArgument('corpus', corpus, 'corpus');
  const found: Span[][] = [];
  labelCorpus(tagger, corpus, (s) => {
    found[s] = joinWhole(columnStrings(corpus, columnIndex(corpus, 'word'), s), tagger.spans());
  });
  return scoreFoundWords(tagger.model, corpus, (s) => found[s]);
}

/**
 * {@link scoreWords} of words that the model has found before.
 *
 * @param spansOf the words found in each sentence.
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreFoundWords(
  { tagSet, knowledge: { words } }: Model,
  corpus: Corpus,
  spansOf: (sentence: number) => readonly Span[],
): WordScores {
  checkTags(corpus, tagSet.scheme);
  const scorer = new WordScorer(words);
  const column = columnIndex(corpus, 'word');
  const goldTags = new GoldTags(corpus);
  const hasTypes = tagSet.types.some((type) => type !== '');
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    const characters = columnStrings(corpus, column, s);
    scorer.add(
      segmented(characters, goldTags.spans(s), hasTypes),
      segmented(characters, spansOf(s), hasTypes),
    );
  }
  scorer.addMissed(corpus.missed?.length ?? 0);
  return scorer.scores();
}

function segmented(
  characters: readonly string[],
  spans: readonly Span[],
  hasTypes: boolean,
): SegmentedSentence {
  return {
    words: wordsOfSpans(characters, spans),
    ...(hasTypes && { tags: spans.map(({ type }) => type) }),
  };
}
