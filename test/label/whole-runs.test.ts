import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinWhole, mayCut } from '../../src/label/whole-runs.js';

const PIECES = [
  'a',
  'é',
  'Ｗ',
  '1',
  '９',
  '犬',
  '的',
  ' ',
  '!',
  '👨‍👩‍👧',
  '👍🏽',
  '🇩🇪',
  'e\u0301',
  '❤️',
  '各\u200d',
  '한',
  '\u1112\u1161\u11ab',
];

describe('words of characters', () => {
  it('never end inside of a grapheme cluster, and may end between all others but in runs', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const starts = new Set(Array.from(segmenter.segment(text), ({ index }) => index));
        const characters = [...text];
        let offset = 0;
        for (let t = 1; t < characters.length; t++) {
          offset += characters[t - 1].length;
          if (!starts.has(offset)) expect(mayCut(characters, t, [])).toBe(false);
          else if (characters[t - 1] !== '\u200d') expect(mayCut(characters, t, [])).toBe(true);
        }
      }),
    );
  });

  it('are joined in runs, and keep the type of the first', () => {
    const of = (text: string, ...starts: number[]) => {
      const characters = [...text];
      const spans = starts.map((start, i) => ({
        start,
        end: starts[i + 1] ?? characters.length,
        type: `T${i}`,
      }));
      return joinWhole(characters, spans).map(
        ({ start, end, type }) => `${characters.slice(start, end).join('')}/${type}`,
      );
    };
    expect(of('hello健身', 0, 4, 5, 6)).toEqual(['hello/T0', '健/T2', '身/T3']);
    expect(of('在2000年', 0, 1, 2, 3, 5)).toEqual(['在/T0', '2000/T1', '年/T4']);
    expect(of('ab12', 0, 1, 2, 3)).toEqual(['ab/T0', '12/T2']);
    expect(
      joinWhole(
        ['a', 'b'],
        [
          { start: 0, end: 1, type: '' },
          { start: 1, end: 2, type: '' },
        ],
        ['digits'],
      ),
    ).toHaveLength(2);
  });
});
