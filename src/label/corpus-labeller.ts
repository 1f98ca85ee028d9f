import { type Corpus, columnIndex, columnStrings, selectSentences } from '../data/corpus.js';
import { documentStarts } from '../data/documents.js';
import type { Model } from '../model/model.js';
import { Tagger } from '../tag/tagger.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import { SCHEMES, type SchemeName } from '../tags/scheme.js';
import type { Pipeline } from './pipeline.js';

/** Sentences whose strings are made at a time. */
const BATCH = 256;

/**
 * Labels sentences of a corpus. The tagger or pipeline is given its input columns only; what a pipeline fills in itself is not
 * read from the corpus.
 *
 * @param each called after each sentence with its number; it is then the labeller's last one.
 * @param sentences their numbers; default all.
 * @throws OptionError where the corpus lacks an input column.
 */
export function labelCorpus(
  labeller: Tagger | Pipeline,
  corpus: Corpus,
  each: (sentence: number) => void,
  sentences: readonly number[] = [...corpus.starts.subarray(1).keys()],
): void {
  const inputs = labeller.inputColumns.map((name) => [name, columnIndex(corpus, name)] as const);
  const tagger = labeller instanceof Tagger ? labeller : labeller.last;
  const documents = tagger.readsDocuments
    ? documentStarts(selectSentences(corpus, sentences), tagger.documentSize)
    : undefined;
  let document = 0;
  for (let from = 0; from < sentences.length; ) {
    const to = documents ? documents[++document] : from + BATCH;
    const numbers = sentences.slice(from, to);
    from = to;
    const columns = numbers.map((sentence) =>
      Object.fromEntries(inputs.map(([name, column]) => [name, columnStrings(corpus, column, sentence)])),
    );
    labeller.decodeSentences(columns, (i) => each(numbers[i]));
  }
}

/**
 * The scheme in which a model's tags are to be compared with those in the last column of a corpus: the one that these are
 * in, whatever the training file had.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function schemeOfGold({ training }: Model, corpus: Corpus): SchemeName {
  checkTags(corpus, training.fileScheme);
  return new GoldTags(corpus, training.fileScheme).schemeOf(training.fileScheme);
}

/**
 * Tags of all sentences of a corpus, as {@link labelCorpus} labels them.
 *
 * @param scheme what they are written in; `token` for labels of single tokens, and only for these.
 * @param each called with the number of each sentence and its tags [T].
 */
export function tagCorpus(
  labeller: Tagger | Pipeline,
  corpus: Corpus,
  scheme: SchemeName,
  each: (sentence: number, tags: readonly string[]) => void,
): void {
  const { starts } = corpus;
  labelCorpus(labeller, corpus, (s) => {
    each(s, SCHEMES[scheme].encode(labeller.spans(), starts[s + 1] - starts[s]));
  });
}

/** Tags [S][T] of all sentences of a corpus; else as {@link tagCorpus}. */
export function corpusTags(labeller: Tagger | Pipeline, corpus: Corpus, scheme: SchemeName): string[][] {
  const tags: string[][] = [];
  tagCorpus(labeller, corpus, scheme, (sentence, own) => {
    tags[sentence] = [...own];
  });
  return tags;
}
