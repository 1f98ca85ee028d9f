import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenText } from '../../src/text/text-sentence.js';
import { TOKENIZERS, type TokenizerName } from '../../src/text/tokenizers.js';

const words = (name: TokenizerName, text: string) => TOKENIZERS[name].split(text).map((own) => own.words);

describe.each(Object.keys(TOKENIZERS) as TokenizerName[])('tokenizer %s', (name) => {
  it('puts every character but blanks into one token, and says where', () => {
    const part = fc.constantFrom(
      'a',
      'Ab',
      '12',
      '.',
      '。',
      ' ',
      '\n',
      '犬',
      '🦊',
      "'",
      'é',
      'e\u0301',
      '-',
      '!',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        let found = '';
        for (const sentence of TOKENIZERS[name].split(text)) {
          expect(text.slice(sentence.start, sentence.start + sentence.text.length)).toBe(sentence.text);
          expect(sentence.startCodePoint).toBe([...text.slice(0, sentence.start)].length);
          expect(sentence.tokens[0]).toBe(0);
          expect(sentence.words).toHaveLength(sentence.tokens.length / 2);
          expect(sentence.words.length).toBeGreaterThan(0);
          found += sentence.words.map((_, t) => tokenText(sentence, t)).join('');
        }
        expect(found.replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
      }),
    );
  });
});

describe('tokenizers', () => {
  it('cut as their names say', () => {
    expect(words('letters', 'IL-2-dependent #Oslo. It ran 50mg.')).toEqual([
      ['IL', '-', '2', '-', 'dependent', '#', 'Oslo', '.'],
      ['It', 'ran', '50', 'mg', '.'],
    ]);
    expect(words('characters', '李雷去。他 e\u0301👨‍👩‍👧🇩🇪\nb')).toEqual([
      ['李', '雷', '去', '。'],
      ['他', 'e\u0301', '👨‍👩‍👧', '🇩🇪'],
      ['b'],
    ]);
    expect(words('blanks', "do n't 3.5\n x ")).toEqual([['do', "n't", '3.5'], ['x']]);
    expect(words('unicode', 'aspirin, 50 mg')[0]).toEqual(['aspirin', ',', '50', 'mg']);
  });
});
