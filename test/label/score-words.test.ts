import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/data/corpus.js';
import { scoreFoundWords, scoreWords } from '../../src/label/score-words.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';

const corpusOf = (text: string) => readColumns(text, { columns: ['word', 'tag'], source: 'gold.txt' });
/** Lines of words as a column file of characters. */
const columnFile = (...lines: string[]) =>
  lines
    .map((line) =>
      line
        .split(' ')
        .flatMap((word) => [...word].map((character, i) => `${character} ${i === 0 ? 'B' : 'I'}\n`))
        .join(''),
    )
    .join('\n');

const training = columnFile(
  ...new Array<string>(6).fill('我們 學習 中文'),
  ...new Array<string>(6).fill('他 在 學校'),
);
const model = await train(
  corpusOf(training),
  configure({
    task: 'segmentation',
    preset: 'fast',
    columns: ['word', 'tag'],
    options: { 'cut-off': 1, scheme: 'iob2' },
  }),
);

describe('scoreWords', () => {
  it('scores what the model finds', () => {
    const gold = corpusOf(columnFile('我們 學習 中文', '他 在 學校'));
    expect(scoreWords(new Tagger(model), gold)).toMatchObject({
      ...{ sentences: 2, tokens: 10, gold: 6, predicted: 6, f1: 100 },
      ...{ oovRate: 0, recallIv: 100 },
    });
  });

  it('scores words found before, known and unknown ones apart', () => {
    const gold = corpusOf(columnFile('我們 學習', '他 貓'));
    const found = [
      [
        { start: 0, end: 2, type: '' },
        { start: 2, end: 3, type: '' },
        { start: 3, end: 4, type: '' },
      ],
      [{ start: 0, end: 2, type: '' }],
    ];
    const scores = scoreFoundWords(model, gold, (sentence) => found[sentence]);
    expect(scores.recallIv).toBeCloseTo(100 / 3);
    expect(scores).toMatchObject({
      gold: 4,
      predicted: 4,
      recall: 25,
      precision: 25,
      oovRate: 25,
      recallOov: 0,
    });
  });

  it('names the line of a gold label that is no tag', () => {
    expect(() => scoreWords(new Tagger(model), corpusOf('我 B\n們 I\n\n他 B\n在 ?\n'))).toThrow(
      /^gold\.txt:5: expected a tag in column tag: .* found "\?"$/,
    );
  });
});
