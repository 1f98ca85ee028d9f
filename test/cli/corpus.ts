import { Random } from '../../src/base/random.js';

/** Words, their part of speech and their tag within a chunk. */
const NOUN_PHRASES = [
  'the DT B-NP|dog NN I-NP',
  'a DT B-NP|big JJ I-NP|cat NN I-NP',
  'she PRP B-NP',
  'old JJ B-NP|trees NNS I-NP',
  'Paris NNP B-NP',
];
const VERB_PHRASES = [
  'sees VBZ B-VP',
  'will MD B-VP|find VB I-VP',
  'gave VBD B-VP',
  'has VBZ B-VP|been VBN I-VP|to TO I-VP',
];
const PREPOSITIONS = ['in IN B-PP', 'with IN B-PP'];

/**
 * Sentences `[sentence][token]` of a small English, each token as `word pos tag` with tags in IOB2. Some have noun
 * phrases side by side, so that all tag schemes differ.
 */
export function corpus(sentences: number, seed = 1): string[][] {
  const random = new Random(seed);
  const pick = (phrases: readonly string[]) => phrases[random.below(phrases.length)];
  return Array.from({ length: sentences }, () => {
    const phrases = [pick(NOUN_PHRASES), pick(VERB_PHRASES), pick(NOUN_PHRASES)];
    if (random.below(3) === 0) phrases.push(pick(NOUN_PHRASES));
    if (random.below(2) === 0) phrases.push(pick(PREPOSITIONS), pick(NOUN_PHRASES));
    return [...phrases.join('|').split('|'), '. . O'];
  });
}

/** Sentences as a column file; `columns` picks and orders cells. */
export function corpusText(sentences: readonly (readonly string[])[], columns = [0, 1, 2]): string {
  return sentences
    .map((sentence) =>
      sentence.map((token) => `${columns.map((column) => token.split(' ')[column]).join(' ')}\n`).join(''),
    )
    .map((lines) => `${lines}\n`)
    .join('');
}
