import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import { ChunkScorer, type ChunkScores } from '../score/conlleval.js';
import { checkTags } from './check-tags.js';
import type { Tagger } from './tagger.js';

/**
 * Labels the sentences of a corpus and scores them against its last column. The tagger is given the input columns
 * only; output is compared in the scheme of the model's training file.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreModel(tagger: Tagger, corpus: Corpus): ChunkScores {
  checkTags(corpus);
  const scorer = new ChunkScorer(tagger.model.training.fileScheme);
  const inputs = tagger.inputColumns.map((name) => columnIndex(corpus, name));
  const goldColumn = corpus.columns.length - 1;
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    tagger.decodeSentence(
      Object.fromEntries(
        inputs.map((column, c) => [tagger.inputColumns[c], columnStrings(corpus, column, s)]),
      ),
    );
    const gold = columnStrings(corpus, goldColumn, s);
    scorer.add(gold, tagger.tagStrings(tagger.spans()));
  }
  return scorer.scores();
}
