import { describe, expect, it } from 'vitest';
import { analyseErrors } from '../../src/evaluate/error-analysis.js';
import { errorReport } from '../../src/report/error-report.js';
import { reportToText } from '../../src/report/report.js';

/** Each fate once: correct NP, type, boundary, both, missed; and a spurious PP. */
const output = {
  name: 'system',
  words: ['a b c d e f g h i j k'.split(' '), ['a', 'z']],
  gold: ['B-NP B-VP B-NP I-NP B-NP O B-PP I-PP B-VP I-VP O'.split(' '), ['B-NP', 'I-NP']],
  predicted: ['B-NP B-PP B-NP O O B-PP B-VP O O O O'.split(' '), ['B-NP', 'I-NP']],
  lines: [1, 13],
};

describe('analyseErrors', () => {
  const analysis = analyseErrors(output, new Set('abcdefghijk'));

  it('tells what became of every span', () => {
    expect(Object.fromEntries(analysis.fates)).toEqual({
      NP: { correct: 2, type: 0, boundary: 1, both: 0, missed: 1, spurious: 0 },
      PP: { correct: 0, type: 0, boundary: 0, both: 1, missed: 0, spurious: 1 },
      VP: { correct: 0, type: 1, boundary: 0, both: 0, missed: 1, spurious: 0 },
    });
  });

  it('counts tokens by gold and predicted type', () => {
    expect(analysis.types).toEqual(['NP', 'PP', 'VP', 'O']);
    expect(analysis.confusions).toEqual([
      [4, 0, 0, 2],
      [0, 0, 1, 1],
      [0, 1, 0, 2],
      [0, 1, 0, 1],
    ]);
  });

  it('counts by length, by word and by whether words were seen', () => {
    expect(analysis.lengths).toEqual([
      { length: 1, gold: 3, predicted: 5, correct: 1 },
      { length: 2, gold: 4, predicted: 1, correct: 1 },
    ]);
    expect(analysis.words[0]).toEqual({ word: 'b', count: 1, wrong: 1 });
    expect(analysis.seen).toEqual({
      seenTokens: { all: 12, right: 4 },
      unseenTokens: { all: 1, right: 1 },
      seenChunks: { all: 6, right: 1 },
      chunksWithUnseen: { all: 1, right: 1 },
    });
  });

  it('lists sentences with errors, and agrees with the scores', () => {
    expect(analysis.sentences).toHaveLength(1);
    expect(analysis.sentences[0]).toMatchObject({ sentence: 0, line: 1, errors: 9 });
    const { gold, predicted, correct } = analysis.scores;
    expect(gold + predicted - 2 * correct).toBe(9);
  });

  it('tells a type called O from what is outside', () => {
    const [gold, predicted] = [
      ['B-O', 'O', 'O', 'B-O'],
      ['B-O', 'B-O', 'O', 'O'],
    ];
    const own = analyseErrors({
      name: 'o',
      words: [['a', 'b', 'c', 'd']],
      gold: [gold],
      predicted: [predicted],
    });
    expect(own.confusions).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('takes labels of single tokens for types', () => {
    const tags = analyseErrors({
      name: 'pos',
      scheme: 'token',
      words: [['a', 'b']],
      gold: [['DT', 'NN']],
      predicted: [['DT', 'VB']],
    });
    expect(tags.types).toEqual(['DT', 'NN', 'VB']);
    expect(tags.confusions).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  });

  it('becomes a report that marks what differs', () => {
    const text = reportToText(errorReport(analysis, { sentences: 1, rows: 2 }));
    expect(text).toContain('line 1  [NP a] *[VP b]* *[NP c d]* *[NP e]* f *[PP g h]* *[VP i j]* k\n');
    expect(text).toContain('        [NP a] *[PP b]* *[NP c]* d e *[PP f]* *[VP g]* h i j k\n');
  });
});
