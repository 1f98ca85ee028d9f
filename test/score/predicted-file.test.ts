import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { ChunkScorer } from '../../src/score/conlleval.js';
import { PredictedFileScorer } from '../../src/score/predicted-file.js';

function score(text: string, pieceSize = text.length * 3 + 1) {
  const scorer = new PredictedFileScorer('p.txt');
  const bytes = encodeUtf8(text);
  for (let at = 0; at < bytes.length; at += pieceSize) scorer.push(bytes.subarray(at, at + pieceSize));
  return scorer.finish();
}

describe('PredictedFileScorer', () => {
  const text = 'a DT B-NP B-NP\r\nb NN I-NP O\r\n\r\n-DOCSTART- O O\n\nc VB B-VP B-VP\nd x O I-NP';

  it('scores the last two columns, whatever stands before them, in any pieces', () => {
    const expected = new ChunkScorer();
    expected.add(['B-NP', 'I-NP'], ['B-NP', 'O']);
    expected.add(['B-VP', 'O'], ['B-VP', 'I-NP']);
    expect(score(text)).toEqual(expected.scores());
    expect(score(text, 1)).toEqual(expected.scores());
    expect(score(text)).toMatchObject({ tokens: 4, sentences: 2, gold: 2, predicted: 3, correct: 1 });
  });

  it.each([
    ['', 'p.txt: expected sentences, found none: the input is empty'],
    ['\n-DOCSTART- O O\n', 'p.txt: expected sentences, found none: the input is empty'],
    ['a O O\n\nb\n', 'p.txt:3: expected at least 2 columns, found 1'],
    ['a O O\n\nb O O\nc X-NN O\n', 'p.txt:4: expected a gold tag such as B-NP or O, found "X-NN"'],
    ['a B-NP NN\n', 'p.txt:1: expected a predicted tag such as B-NP or O, found "NN"'],
  ])('refuses %j', (text, message) => {
    expect(() => score(text)).toThrow(InputError);
    expect(() => score(text)).toThrow(message);
  });
});
