import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreSegmentedTexts } from '../../src/label/score-segmented.js';
import { WordScorer, wordTable } from '../../src/score/word-scores.js';

const score = (gold: string, predicted: string, vocabulary?: Set<string>) =>
  scoreSegmentedTexts(
    { source: 'gold', text: gold },
    { source: 'predicted', text: predicted },
    { vocabulary },
  );

describe('WordScorer', () => {
  it('counts words by where they start and end', () => {
    // Right: 我, 京. Wrong: 北 | 京大 for 北京 | 大, which also misses one boundary and adds another.
    const scores = score('我 爱 北京 大', '我爱 北 京大', new Set(['我', '北京', '大']));
    expect(scores).toMatchObject({ sentences: 1, tokens: 5, gold: 4, predicted: 3, correct: 0, f1: 0 });
    expect(scores).toMatchObject({ oovRate: 25, recallOov: 0, recallIv: 0 });
    // Both begin a word at 我 and 北; at 爱, 京 and 大 only one of them does.
    expect(scores.accuracy).toBeCloseTo(40);
  });

  it('tells words outside the word list from those in it, letter for letter', () => {
    const scores = score(
      '１９９８年 1998年 他 说',
      '１９９８年 1998 年 他 说',
      new Set(['１９９８年', '他']),
    );
    expect(scores.precision).toBeCloseTo(60);
    expect(scores.recall).toBeCloseTo(75);
    expect(scores.f1).toBeCloseTo(200 / 3);
    expect(scores).toMatchObject({ oovRate: 50, recallOov: 50, recallIv: 100 });
  });

  it('is what comparing sets of spans says', () => {
    const cuts = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
    const wordsOf = (before: readonly boolean[]) => {
      const words: string[] = [];
      before.forEach((isCut, i) => {
        // Every other character is two UTF-16 units long.
        const character = i % 2 === 0 ? '字' : '𠀀';
        if (isCut || i === 0) words.push(character);
        else words[words.length - 1] += character;
      });
      return words;
    };
    const spansOf = (words: readonly string[]) => {
      let start = 0;
      return words.map((word) => `${start}-${(start += word.length)}`);
    };
    fc.assert(
      fc.property(cuts, cuts, (left, right) => {
        const [gold, predicted] = [wordsOf(left), wordsOf(right)];
        const scorer = new WordScorer();
        scorer.add({ words: gold }, { words: predicted });
        const found = new Set(spansOf(predicted));
        const correct = spansOf(gold).filter((span) => found.has(span)).length;
        const agreeing = left.filter((isCut, i) => i === 0 || isCut === right[i]).length;
        expect(scorer.scores()).toMatchObject({ correct, tokens: 12 });
        expect(scorer.scores().accuracy).toBeCloseTo((100 * agreeing) / 12);
      }),
    );
  });

  it('counts words with their parts of speech beside words', () => {
    const scorer = new WordScorer();
    scorer.add({ words: ['他', '说话'], tags: ['r', 'v'] }, { words: ['他', '说话'], tags: ['r', 'n'] });
    const scores = scorer.scores();
    expect(scores.f1).toBe(100);
    expect(scores.tagged).toMatchObject({ correct: 1, precision: 50, recall: 50, f1: 50 });
    expect(wordTable(scores)).toContain('words + tags: recall 50.00%; precision 50.00%; F 50.00');
  });
});

describe('scoreSegmentedTexts', () => {
  it.each([
    ['我 爱\n他 说', '我 爱\n她 说', /^predicted:2: character 1: expected "他".*found "她"/],
    ['我 爱', '我', /^predicted:1: character 2: expected "爱".*found the end of the line/],
    [
      '我\n\n爱',
      '我\n',
      /^gold:3: expected the same lines in both files, found none for this one in predicted/,
    ],
    [
      '我\n',
      '我\n爱\n',
      /^predicted:2: expected the same lines in both files, found none for this one in gold/,
    ],
  ])('names the first difference of %j and %j', (gold, predicted, message) => {
    expect(() => score(gold, predicted)).toThrow(message);
  });
});
