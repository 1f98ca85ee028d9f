import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { CharacterKnowledge } from '../../src/features/derived-kind.js';
import { FoldedCharacters } from '../../src/features/folded-characters.js';
import { Lexicon } from '../../src/features/lexicon.js';

function match(knowledge: CharacterKnowledge, text: string, sentence?: number) {
  const numbers = new FoldedCharacters();
  const lexicon = new Lexicon(knowledge, numbers);
  const characters = Uint32Array.from([...text], (character) => numbers.find(character));
  const { length } = characters;
  const out = new Uint8Array(3 * length);
  lexicon.match(characters, length, out, sentence);
  return [0, 1, 2].map((row) => [...out.subarray(row * length, (row + 1) * length)]);
}

describe('FoldedCharacters', () => {
  it('numbers full-width forms as ASCII, also in bytes', () => {
    const numbers = new FoldedCharacters();
    const one = numbers.add('１');
    expect(numbers.add('1')).toBe(one);
    expect(numbers.add('中')).not.toBe(one);
    const bytes = encodeUtf8('１1Ａ');
    expect(numbers.findBytes(bytes, 0, 3)).toBe(one);
    expect(numbers.findBytes(bytes, 3, 4)).toBe(one);
    expect(numbers.findBytes(bytes, 4, 7)).toBe(0);
  });
});

describe('Lexicon', () => {
  it('finds the longest words that begin, end and go on at each character', () => {
    const words = ['中国', '中国人民', '人民', '民', '很长很长很长的'];
    expect(match({ words }, '中国人民很')).toEqual([
      [4, 0, 2, 0, 0],
      [0, 2, 0, 4, 0],
      [0, 4, 4, 0, 0],
    ]);
  });

  it('reads full-width forms as ASCII', () => {
    const words = ['１９９８', 'ab'];
    expect(match({ words }, '1９98')[0]).toEqual([4, 0, 0, 0]);
    expect(match({ words }, 'ａb')[0]).toEqual([2, 0]);
  });

  it('hides words that only one part of the training data has from that part', () => {
    // Ten sentences, a part each.
    const sentences = Array.from({ length: 10 }, (_, s) => (s < 2 ? ['大家'] : s === 5 ? ['世纪'] : ['他']));
    const knowledge = { words: [], sentences };
    expect(match(knowledge, '世纪', 5)[0]).toEqual([0, 0]);
    expect(match(knowledge, '世纪', 4)[0]).toEqual([2, 0]);
    expect(match(knowledge, '大家', 0)[0]).toEqual([2, 0]);
  });

  it('says what looking at every substring says', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '中'), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 8 }), (sentence, words) => {
        const expected = [0, 1, 2].map(() => new Array<number>(sentence.length).fill(0));
        for (let start = 0; start < sentence.length; start++) {
          for (let end = start + 2; end <= Math.min(sentence.length, start + 6); end++) {
            if (!words.includes(sentence.slice(start, end))) continue;
            for (let t = start; t < end; t++) {
              const row = t === start ? 0 : t === end - 1 ? 1 : 2;
              expected[row][t] = Math.max(expected[row][t], end - start);
            }
          }
        }
        expect(match({ words }, sentence)).toEqual(expected);
      }),
    );
  });
});
