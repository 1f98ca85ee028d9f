import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnknownWords } from '../../src/systems/unknown-words.js';

const VOCABULARY = new Set(['北京', '上']);

/** Words noted with a confidence each. */
function noted(
  words: readonly (readonly [string, number])[],
  thresholds = { leastConfidence: 0.5, leastCount: 1 },
): UnknownWords {
  const unknown = new UnknownWords(VOCABULARY, thresholds);
  unknown.add(
    words.map(([word]) => word),
    words.map(([, confidence]) => confidence),
  );
  return unknown;
}

describe('UnknownWords', () => {
  it('joins the pieces of a word found elsewhere, the longest at each place', () => {
    const unknown = noted([
      ['王小明', 0.9],
      ['王小', 0.9],
      ['明天见', 0.9],
    ]);
    expect(unknown.join(['王', '小', '明', '天', '见'])).toEqual(['王小明', '天', '见']);
    expect(unknown.join(['王', '小', '北京'])).toEqual(['王小', '北京']);
    expect(unknown.join(['王小', '明'])).toEqual(['王小明']);
  });

  it.each([
    ['words of the training data', [['北京', 1]], ['北', '京']],
    ['words found with too little confidence', [['王小', 0.49]], ['王', '小']],
    ['words of more than eight characters', [['一二三四五六七八九', 1]], ['一二三四五', '六七八九']],
  ] as const)('leaves alone %s', (_, words, pieces) => {
    expect(noted(words).join(pieces)).toEqual(pieces);
  });

  it('counts characters beyond the basic plane as one', () => {
    const word = '𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇';
    expect(noted([[word, 1]]).join([...word])).toEqual([word]);
  });

  it('wants a word as often as it is told to', () => {
    const twice = { leastConfidence: 0.5, leastCount: 2 };
    const once = noted([['王小', 0.9]], twice);
    expect(once.join(['王', '小'])).toEqual(['王', '小']);
    once.add(['王小'], [0.6]);
    expect(once.join(['王', '小'])).toEqual(['王小']);
  });

  it('changes no character, and never cuts a word', () => {
    const word = fc.string({ unit: fc.constantFrom('甲', '乙', '丙'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.double({ min: 0, max: 1, noNaN: true }))),
        fc.array(word),
        (found, words) => {
          const joined = noted(found).join(words);
          const ends = (of: readonly string[]) => {
            let end = 0;
            return of.map((text) => (end += text.length));
          };
          expect(joined.join('')).toBe(words.join(''));
          expect(ends(words)).toEqual(expect.arrayContaining(ends(joined)));
        },
      ),
    );
  });
});
