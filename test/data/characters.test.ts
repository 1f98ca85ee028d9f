import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import type { UnitFormat } from '../../src/data/formats/input-formats.js';
import { UNIT_FORMATS } from '../../src/data/formats/input-formats.js';
import type { InputUnit } from '../../src/data/formats/input-unit.js';

function read(format: UnitFormat, text: string, columns = ['word', 'segment']): InputUnit[] {
  const reader = UNIT_FORMATS[format].read({ source: 'f', columns, tokens: 'characters' });
  reader.push(encodeUtf8(text));
  reader.end();
  const units: InputUnit[] = [];
  for (let unit = reader.next(); unit; unit = reader.next()) units.push(unit);
  return units;
}

/** Words of each sentence, with `/TAG` where they have a type. */
const wordsOf = (units: readonly InputUnit[]) =>
  units.flatMap(({ sentences }) =>
    sentences.map(({ sentence, spans = [] }) =>
      spans.map(({ start, end, type }) => {
        const word = sentence.words.slice(start, end).join('');
        return type === '' ? word : `${word}/${type}`;
      }),
    ),
  );

describe('segmented text', () => {
  it('has code points as tokens and words as chunks', () => {
    const [unit] = read('segmented', '𠀀字  ＡB\u3000。\r\n');
    const [{ sentence, spans, lines }] = unit.sentences;
    expect(sentence.words).toEqual(['𠀀', '字', 'Ａ', 'B', '。']);
    expect([...sentence.tokens]).toEqual([0, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    expect(spans?.map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [2, 4],
      [4, 5],
    ]);
    expect(lines).toEqual([1, 1, 1, 1, 1]);
  });

  it('has no sentences in empty lines and lines of blanks', () => {
    expect(wordsOf(read('segmented', '\n \u3000\n我 爱'))).toEqual([['我', '爱']]);
  });

  it('refuses word/TAG text, but no word with a slash', () => {
    expect(wordsOf(read('segmented', '是 km/h\nkm/h\n'))).toEqual([['是', 'km/h'], ['km/h']]);
    const [unit] = read('segmented', '他/r  [说/v  话/n]v\n');
    expect(unit.problem?.message).toBe(
      'f:1: expected words without tags, found WORD/TAG throughout, such as "[说/v"; --input-format tagged reads it',
    );
  });
});

describe('word/TAG text', () => {
  const line = '19980101-01-001-002/m  [中央/n  电台/n]nt  //w  １/m  [/w  他/r  ]/w\n';

  it('leaves out article numbers and brackets around compounds', () => {
    expect(wordsOf(read('tagged', line))).toEqual([['中央', '电台', '/', '１', '[', '他', ']']]);
    const tagged = ['中央/n', '电台/n', '//w', '１/m', '[/w', '他/r', ']/w'];
    expect(wordsOf(read('tagged', line, ['word', 'pos']))).toEqual([tagged]);
  });

  it('names the line of a token without a tag', () => {
    const [, unit] = read('tagged', '他/r\n他/r 说\n');
    expect(unit.problem?.message).toBe('f:2: expected WORD/TAG, found "说"');
  });
});

describe('raw text of characters', () => {
  it('is parted at blanks, with offsets in the whole text', () => {
    const sentences = read('text', '他𠀀 说\r\n\n好').flatMap((unit) => unit.sentences);
    expect(
      sentences.map(({ sentence: { text, start, startCodePoint } }) => [text, start, startCodePoint]),
    ).toEqual([
      ['他𠀀', 0, 0],
      ['说', 4, 3],
      ['好', 8, 7],
    ]);
  });
});

describe('CoNLL-U with characters as tokens', () => {
  it('has words as chunks, with their parts of speech where these are wanted', () => {
    const text = '1\t看見\t_\tVERB\tVV\t_\t0\t_\t_\t_\n2\t他\t_\tPRON\tPRP\t_\t1\t_\t_\t_\n\n';
    expect(wordsOf(read('conllu', text))).toEqual([['看見', '他']]);
    expect(wordsOf(read('conllu', text, ['word', 'pos']))).toEqual([['看見/VV', '他/PRP']]);
  });
});
