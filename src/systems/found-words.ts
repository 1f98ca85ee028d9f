import { checkArgument } from '../base/arguments.js';
import { OptionError } from '../base/errors.js';
import { type Corpus, columnIndex, columnStrings } from '../data/corpus.js';
import { wordsOfSpans } from '../data/span.js';
import { labelCorpus } from '../label/corpus-labeller.js';
import { joinWhole } from '../label/whole-runs.js';
import type { Model, UnknownWordThresholds } from '../model/model.js';
import { WordScorer, type WordScores } from '../score/word-scores.js';
import { spanConfidence } from '../tag/labelling.js';
import type { Tagger } from '../tag/tagger.js';
import { checkTags } from '../tags/check-tags.js';
import { GoldTags } from '../tags/gold-tags.js';
import { UnknownWords } from './unknown-words.js';

/** The words that a model finds in a sentence. */
export interface FoundWords {
  /** [W] the words. */
  readonly words: readonly string[];
  /** [W] how sure it is of each: that of its least sure character, 0 … 1. */
  readonly confidences: readonly number[];
}

/** A sentence of labelled data with the words found in it. */
export interface GoldWords extends FoundWords {
  /** The words that the data give it. */
  readonly gold: readonly string[];
}

/** The words that a model of characters finds in a sentence. @param characters [T] */
export function findWords(tagger: Tagger, characters: readonly string[]): FoundWords {
  tagger.decodeSentence({ word: characters });
  return lastWords(tagger, characters);
}

/** Those in the sentence that was labelled last. */
function lastWords(tagger: Tagger, characters: readonly string[]): FoundWords {
  const spans = joinWhole(characters, tagger.spans());
  const confidences = tagger.confidences();
  return {
    words: wordsOfSpans(characters, spans),
    confidences: spans.map((span) => spanConfidence(span, confidences)),
  };
}

/**
 * The words that a model finds in some sentences of a corpus, and those of its last column.
 *
 * @throws InputError naming file and line of a gold label that is no tag.
 */
export function findCorpusWords(tagger: Tagger, corpus: Corpus, sentences: Iterable<number>): GoldWords[] {
  checkTags(corpus, tagger.model.tagSet.scheme);
  const column = columnIndex(corpus, 'word');
  const goldTags = new GoldTags(corpus);
  const found: GoldWords[] = [];
  const take = (s: number) => {
    const characters = columnStrings(corpus, column, s);
    const gold = wordsOfSpans(characters, goldTags.spans(s));
    found.push({ ...lastWords(tagger, characters), gold });
  };
  labelCorpus(tagger, corpus, take, [...sentences]);
  return found;
}

/**
 * Scores words after unknown ones are joined, which are those of all these sentences.
 *
 * @param thresholds absent: nothing is joined.
 */
export function scoreJoinedWords(
  sentences: readonly GoldWords[],
  vocabulary: ReadonlySet<string>,
  thresholds: UnknownWordThresholds | undefined,
): WordScores {
  const scorer = new WordScorer(vocabulary);
  const unknown = thresholds && new UnknownWords(vocabulary, thresholds);
  for (const { words, confidences } of sentences) unknown?.add(words, confidences);
  for (const { words, gold } of sentences)
    scorer.add({ words: gold }, { words: unknown?.join(words) ?? words });
  return scorer.scores();
}

/**
 * A model's thresholds and training words.
 *
 * @throws OptionError where it has none.
 */
export function unknownWordsOf(model: Model): UnknownWords {
  checkArgument('model', model, 'model');
  const {
    unknownWords,
    knowledge: { words },
  } = model;
  if (unknownWords === undefined || words === undefined) {
    throw new OptionError(
      'join-unknown',
      '--join-unknown: expected a model of words with thresholds for it, which train --join-unknown fits, found none',
    );
  }
  return new UnknownWords(words, unknownWords);
}
