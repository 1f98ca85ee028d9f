import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import { checkTags } from '../model/check-tags.js';
import type { Tagger } from '../model/tagger.js';
import { ChunkScorer, type ChunkScores } from '../score/conlleval.js';
import type { Pipeline } from './pipeline.js';

/**
 * Labels the sentences of a corpus and scores them against its last column. The tagger or pipeline is given its input
 * columns only (what a pipeline fills in itself is not read from the corpus); output is compared in the scheme of the model's training file.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function scoreModel(tagger: Tagger | Pipeline, corpus: Corpus): ChunkScores {
  const { fileScheme } = tagger.model.training;
  checkTags(corpus, fileScheme);
  const scorer = new ChunkScorer(fileScheme);
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
