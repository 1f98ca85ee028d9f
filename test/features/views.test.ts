import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { parseView, TOKEN_TYPES, VIEW_KINDS } from '../../src/features/views.js';

const see = (view: string, value: string) => parseView(view).apply(value);

describe('parseView', () => {
  it('keeps the name and finds the column', () => {
    const view = parseView('word.suffix3', ['word', 'pos']);
    expect(view).toMatchObject({ name: 'word.suffix3', column: 'word' });
    expect(Object.isFrozen(view)).toBe(true);
  });

  it.each([
    ['word', 'Bank', 'Bank'],
    ['word', '', ''],
    ['word.lower', 'ÉTÉ', 'été'],
    ['word.prefix1', 'Bank', 'B'],
    ['word.prefix4', 'Bank', 'Bank'],
    ['word.prefix5', 'Bank', undefined],
    ['word.prefix10', '0123456789ab', '0123456789'],
    ['word.suffix1', 'Bank', 'k'],
    ['word.suffix4', 'Bank', 'Bank'],
    ['word.suffix5', 'Bank', undefined],
    ['word.suffix1', '', undefined],
    ['word.prefix1', '', undefined],
    ['word.prefix2', '𠮷野家', '𠮷野'],
    ['word.prefix1', '𠮷野家', '𠮷'],
    ['word.prefix4', '𠮷野家', undefined],
    ['word.suffix2', '野𠮷家', '𠮷家'],
    ['word.suffix1', '野家𠮷', '𠮷'],
    ['word.suffix2', '𠮷', undefined],
    ['word.lower.suffix3', 'RUNNING', 'ing'],
    ['word.suffix3.lower', 'NG', undefined],
    ['word.fold', '１', '1'],
    ['word.fold', 'Ａ！～', 'A!~'],
    ['word.fold', '中', '中'],
    ['word.character-type', '９', 'digit'],
    ['word.character-type', '两', 'numeral'],
    ['word.character-type', '月', 'date'],
    ['word.character-type', 'Ｚ', 'latin'],
    ['word.character-type', '《', 'punctuation'],
    ['word.character-type', '國', 'other'],
    ['word.shape', 'Washington', 'Xxx'],
    ['word.shape', 'U.S.', 'X.X.'],
    ['word.shape', '1990s', 'ddx'],
    ['word.shape', 'B2B-Éa', 'XdX-Xx'],
    ['word.shape', '.....', '..'],
    ['word.shape', '𠮷𠮷𠮷A', '𠮷𠮷X'],
    ['word.shape', `É${'é'.repeat(4e6)}`, 'Xxx'],
    ['word.shape', 's'.repeat(4e6), 'xx'],
    ['word.test("^\\\\d+$")', '1990', 'true'],
    ['word.test("^\\\\d+$")', '1990s', 'false'],
    ['word.test("^.$")', '𠮷', 'true'],
    ['word.match("[a-z. ]+")', 'Ab. c', 'b. c'],
    ['word.match("[a-z]+")', 'ABC', undefined],
    ['word.match("z*")', 'ABC', ''],
    ['word.match("[A-Z]+").lower', 'xABCx', 'abc'],
    ['word.match("[A-Z]+").lower', 'x', undefined],
  ])('%s of %j is %j', (view, value, expected) => {
    expect(see(view, value)).toBe(expected);
  });

  it('takes affixes by code points, as a spread string does', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '𠮷', '👍', '\ud800', '\udc00'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 10 }), (value, count) => {
        const characters = [...value];
        const enough = characters.length >= count;
        expect(see(`w.prefix${count}`, value)).toBe(enough ? characters.slice(0, count).join('') : undefined);
        expect(see(`w.suffix${count}`, value)).toBe(enough ? characters.slice(-count).join('') : undefined);
      }),
    );
  });

  it('repeats itself: a regular expression keeps no state between values', () => {
    const view = parseView('word.test("a")');
    expect([view.apply('ba'), view.apply('ba'), view.apply('ab')]).toEqual(['true', 'true', 'true']);
  });

  it.each([
    ['wrd', /view "wrd": expected the column word or pos, found "wrd"/],
    [
      'word.sufix3',
      /expected the kind lower, prefixN, suffixN, shape, type, fold, character-type, classes, clusterN, test\("REGEX"\) or .*"sufix3"/,
    ],
    ['word.suffix0', /found "suffix0"/],
    ['word.suffix100', /found "suffix100"/],
    ['word.lower.nothing', /found "nothing"/],
    ['word.toString', /found "toString"/],
    ['word.classes.classes', /expected the kind classes once/],
    ['word.', /expected COLUMN or COLUMN\.KIND, found "word\."/],
    ['word..lower', /expected COLUMN or COLUMN\.KIND/],
    ['', /expected the column word or pos, found ""/],
    ['word.test("a)', /expected COLUMN or COLUMN\.KIND/],
    ['word.test(a)', /expected a regular expression, found "a"/],
    ['word.test(1)', /expected a regular expression in quotes, found "1"/],
    ['word.match("(")', /expected a regular expression, found .*(Unterminated group)/],
  ])('refuses %j', (name, message) => {
    const parse = () => parseView(name, ['word', 'pos']);
    expect(parse).toThrow(OptionError);
    expect(parse).toThrow(message);
  });

  it('refuses column names that the text form of templates cannot hold', () => {
    for (const name of ['my word', 'word[0]', 'word#']) expect(() => parseView(name)).toThrow(/column name/);
  });

  it('has help for every kind, and a spelling that its own text form shows', () => {
    for (const [form, kind] of Object.entries(VIEW_KINDS)) {
      expect(kind.help).not.toBe('');
      expect(kind.spelling.test(form.replace('N', '1'))).toBe(true);
    }
  });
});

describe('the orthographic type', () => {
  const members: Record<string, string[]> = {
    lower: ['bank', 'été'],
    'single-capital': ['A'],
    capitalised: ['Bank', 'It', 'Été'],
    'all-caps': ['IBM', 'US'],
    'mixed-case': ['McDonald', 'iPhone', 'USAir'],
    letters: ['中国', 'ひ', 'עברית'],
    'four-digits': ['1990'],
    number: ['1', '12', '1,000', '12:30', '3/4', '3\\/4', '.5', '-3.14', '10000'],
    percent: ['50%', '1.5%'],
    ordinal: ['1st', '22ND', '11th'],
    decade: ['1990s', "'90s"],
    initials: ['J.', 'U.S.'],
    abbreviation: ['Mr.', 'a.m.', 'Corp.'],
    'hyphenated-digits': ['10-year', '1-2', 'mid-1990s', 'F-14'],
    'hyphenated-capital': ['Anglo-Saxon', 'U.S.-based'],
    hyphenated: ['well-known', 'up-to-date'],
    apostrophe: ["'s", "n't", "O'Brien", '’ll'],
    'digits-and-letters': ['A4', '5c', '3Com'],
    punctuation: ['.', ',', '--', '``', "''", '(', '%', '&', '。'],
    symbol: ['$', '+', '€', '=)'],
    other: ['', '$5', '👍x', ' '],
  };

  it('puts each of these where it belongs', () => {
    for (const [type, values] of Object.entries(members)) {
      for (const value of values) expect([value, see('word.type', value)]).toEqual([value, type]);
    }
  });

  it('is tried here for every type of the table', () => {
    expect(Object.keys(members)).toEqual([...TOKEN_TYPES.map(([type]) => type), 'other']);
  });

  it('is for strings of ASCII what the patterns say of all strings', () => {
    const types = TOKEN_TYPES.map(
      ([type, members, flags = '']) => [type, new RegExp(members, `${flags}u`)] as const,
    );
    const ascii = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 2 }),
      fc.string({ unit: fc.constantFrom(..."aZ0.,-'/\\%stndrh"), maxLength: 7 }),
    );
    fc.assert(
      fc.property(ascii, (value) => {
        const expected = types.find(([, members]) => members.test(value))?.[0] ?? 'other';
        expect([value, see('word.type', value)]).toEqual([value, expected]);
      }),
      { numRuns: 5000 },
    );
    for (let code = 0; code < 128; code++) {
      const value = String.fromCharCode(code);
      const expected = types.find(([, members]) => members.test(value))?.[0] ?? 'other';
      expect([value, see('word.type', value)]).toEqual([value, expected]);
    }
  });

  it('is one of the set for any string at all', () => {
    const types = Object.keys(members);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(types).toContain(see('word.type', value));
      }),
    );
  });
});
