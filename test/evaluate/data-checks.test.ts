import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import { sharedSentences, typesMissingInFolds, typesSeenOnce } from '../../src/evaluate/data-checks.js';
import { ChunkScorer } from '../../src/score/conlleval.js';

const read = (text: string) => readColumns(encodeUtf8(text), { columns: ['word', 'chunk'] });
const scores = (tags: string) => {
  const scorer = new ChunkScorer();
  scorer.add(tags.split(' '), tags.split(' '));
  return scorer.scores();
};

describe('checks of data', () => {
  it('count sentences that both corpora have, whatever their labels', () => {
    const training = read('a O\nb O\n\nc O\n');
    expect(sharedSentences(training, read('a B-X\nb O\n\na O\n\nc O\n\nc O\n'))).toBe(3);
    // The same letters in other words.
    expect(sharedSentences(training, read('ab O\n'))).toBe(0);
  });

  it('name types with a single example', () => {
    const text = 'a B-X\nb I-X\nc B-Y\n\nd B-X\ne O\nf B-Z\n';
    expect(typesSeenOnce(read(text), 'iob2')).toEqual(['Y', 'Z']);
    expect(typesSeenOnce(read('a DT\nb NN\nc NN\n'), 'token')).toEqual(['DT']);
  });

  it('name types that folds lack', () => {
    const folds = [scores('B-X B-Y'), scores('B-X O'), scores('O B-X')];
    expect([...typesMissingInFolds(folds)]).toEqual([['Y', 2]]);
    expect([...typesMissingInFolds([folds[0]])]).toEqual([]);
  });
});
