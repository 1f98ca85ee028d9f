import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { compileRegex } from '../../src/features/linear-regex.js';

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\p{Lu}', '犬', '\\u{1f600}', '\\.');
const place = fc.constantFrom('^', '$', '\\b', '\\B');
const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}', '{0,2}?');
const { source } = fc.letrec<{ source: string; term: string }>((tie) => ({
  source: fc
    .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((terms) => terms.join('')).join('|')),
  term: fc.oneof(
    { maxDepth: 2 },
    fc.tuple(atom, quantifier).map((parts) => parts.join('')),
    place,
    tie('source').map((inner) => `(${inner})`),
    // What may be empty and is repeated is left out: rounds that take nothing count differently.
    fc.tuple(atom, tie('source'), quantifier).map(([one, inner, times]) => `(?:${one}(?:${inner}))${times}`),
  ),
}));

describe('compileRegex', () => {
  it('finds what JavaScript finds', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'A', '.', '犬', ' '), { maxLength: 6 });
    fc.assert(
      fc.property(source, text, (expression, characters) => {
        const whole = characters.join('');
        const found = new RegExp(expression, 'su').exec(whole)?.[0];
        expect(compileRegex(expression).find(whole)).toBe(found);
        expect(compileRegex(expression, 0).find(whole)).toBe(found);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to the text, whatever the expression', () => {
    for (const expression of [
      '^(a+)+$',
      '(a|aa)+$',
      '(a*)*b',
      '(.*a){20}b',
      '(?:a?){50}a{50}b',
      '\\w*\\w*\\w*\\w*!',
    ]) {
      expect(compileRegex(expression).find(`${'a'.repeat(20_000)}~`)).toBeUndefined();
    }
    expect(compileRegex('\\u{1f600}.$', 0).find('a😀😀')).toBe('😀😀');
    expect(compileRegex('a(b+)c').find(`${'ab'.repeat(50_000)}bbc`)).toBe('abbbc');
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?:a{1000}){1000}',
    `${'('.repeat(600)}${')'.repeat(600)}`,
  ])('refuses %s', (expression) => {
    expect(() => compileRegex(expression)).toThrow(OptionError);
    expect(() => compileRegex(expression)).toThrow('expected a regular expression with ');
  });
});
