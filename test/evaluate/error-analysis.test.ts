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
    expect(analysis.types).toEqual(['NP', 'PP', 'VP']);
    expect(analysis.confusions).toEqual([
      { gold: 'NP', predicted: 'NP', tokens: 4 },
      { gold: 'NP', predicted: null, tokens: 2 },
      { gold: 'VP', predicted: null, tokens: 2 },
      { gold: 'PP', predicted: 'VP', tokens: 1 },
      { gold: 'PP', predicted: null, tokens: 1 },
      { gold: 'VP', predicted: 'PP', tokens: 1 },
      { gold: null, predicted: 'PP', tokens: 1 },
      { gold: null, predicted: null, tokens: 1 },
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
      { gold: 'O', predicted: 'O', tokens: 1 },
      { gold: 'O', predicted: null, tokens: 1 },
      { gold: null, predicted: 'O', tokens: 1 },
      { gold: null, predicted: null, tokens: 1 },
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
      { gold: 'DT', predicted: 'DT', tokens: 1 },
      { gold: 'NN', predicted: 'VB', tokens: 1 },
    ]);
  });

  /** Rows of the table of the report under a heading. */
  const rowsUnder = (heading: string, options = {}) => {
    const { blocks } = errorReport(analysis, options);
    const at = blocks.findIndex((block) => block.kind === 'heading' && block.text === heading);
    const table = blocks.slice(at).find((block) => block.kind === 'table');
    return table?.kind === 'table' ? table.rows.map((row) => row.slice(0, 3).map(String)) : [];
  };

  it('becomes a report with every word, the worst first, and no more than are asked for', () => {
    const heading = 'Words whose tag is most often wrong';
    const words = rowsUnder(heading);
    // All words that have a wrong tag, none left out.
    const wrong = ['b', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    expect(words.map(([word]) => word)).toEqual(analysis.words.map(({ word }) => word));
    expect(words.map(([word]) => word).sort()).toEqual(wrong);
    for (const row of words) expect(row.slice(1)).toEqual(['1', '1']);
    expect(rowsUnder(heading, { rows: 3 })).toEqual(words.slice(0, 3));
    expect(rowsUnder(heading, { rows: 8 })).toEqual(words);
  });

  it('becomes a report with the confusions, most frequent first', () => {
    const confused = rowsUnder('Types taken for others');
    expect(confused.map((row) => row.join(' ')).sort()).toEqual([
      'NP O 2',
      'O PP 1',
      'PP O 1',
      'PP VP 1',
      'VP O 2',
      'VP PP 1',
    ]);
    const counts = confused.map((row) => Number(row[2]));
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(rowsUnder('Types taken for others', { rows: 2 })).toEqual(confused.slice(0, 2));
  });

  it('becomes a report of what becomes of chunks, and of seen and unseen words', () => {
    expect(rowsUnder('What becomes of chunks')).toEqual([
      ['NP', '4', '57.14'],
      ['PP', '1', '0.00'],
      ['VP', '2', '0.00'],
    ]);
    expect(rowsUnder('Words that training never saw')).toEqual([
      ['tokens whose word was seen', '12', '4'],
      ['tokens whose word was not', '1', '1'],
      ['gold chunks of seen words', '6', '1'],
      ['gold chunks with an unseen word', '1', '1'],
    ]);
    expect(rowsUnder('Sentences with most errors', { sentences: 1 })).toHaveLength(2);
    expect(rowsUnder('Sentences with most errors', { sentences: 0 })).toEqual([]);
  });

  it('takes memory for the confusions that occur, not for all that there may be', () => {
    const labels = (shift: number) => Array.from({ length: 30_000 }, (_, t) => `L${(t + shift) % 30_000}`);
    const words = Array.from({ length: 30_000 }, () => 'w');
    const many = analyseErrors({
      name: 'many',
      scheme: 'token',
      words: [words],
      gold: [labels(0)],
      predicted: [labels(1)],
    });
    expect(many.confusions).toHaveLength(30_000);
  });

  it('becomes a report that marks what differs', () => {
    const text = reportToText(errorReport(analysis, { sentences: 1, rows: 2 }));
    expect(text).toContain('line 1  [NP a] *[VP b]* *[NP c d]* *[NP e]* f *[PP g h]* *[VP i j]* k\n');
    expect(text).toContain('        [NP a] *[PP b]* *[NP c]* d e *[PP f]* *[VP g]* h i j k\n');
  });
});
