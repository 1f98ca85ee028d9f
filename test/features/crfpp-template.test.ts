import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { parseCrfppTemplates } from '../../src/features/crfpp-template.js';
import { label, type TokenNode, template, templateName, token } from '../../src/features/template.js';
import { parseView } from '../../src/features/views.js';

const COLUMNS = ['word', 'pos'];
const parse = (text: string) => parseCrfppTemplates(text, 'template', COLUMNS);
const names = (text: string) => parse(text).templates.map(templateName);

/** What a pattern of one macro sees of a value. */
function see(pattern: string, value: string): string | undefined {
  const node = parse(pattern).templates[0].nodes[0] as TokenNode;
  return parseView(node.view, COLUMNS).apply(value);
}

describe('CRF++ templates', () => {
  it('become the same conjunctions', () => {
    const text = [
      '# Unigram',
      'U00:%x[-2,0]',
      'U01:%x[0,0]',
      'U02:%x[+1,0]',
      'U03:%x[-1,0]/%x[0,0]',
      '',
      'U10:%x[0,1]',
      'U11:%x[-2,1]/%x[-1,1]/%x[0,1]',
      'U12:%x[-1,0]/%x[0,1]',
      '# Bigram',
      'B',
    ].join('\r\n');
    expect(parse(text)).toEqual({
      name: 'template',
      templates: [
        template(token('word', -2)),
        template(token('word', 0)),
        template(token('word', 1)),
        template(token('word', -1), token('word', 0)),
        template(token('pos', 0)),
        template(token('pos', -2), token('pos', -1), token('pos', 0)),
        template(token('word', -1), token('pos', 0)),
        template(label(-1)),
        template(),
      ],
    });
  });

  it('join the label before with tokens in B lines', () => {
    expect(names('B01:%x[0,0]/%x[1,1]')).toEqual(['label[-1] word[0] pos[1]', 'bias']);
  });

  it('have the constant feature as U without a macro', () => {
    expect(names('U\nU01:%x[0,0]')).toEqual(['bias', 'word[0]']);
  });
});

describe('Wapiti patterns', () => {
  it('take either case of the letter, blanks before numbers, and * for both kinds', () => {
    expect(names('u1:%x[ 0,0]\nb1:%x[0, 1]\n*2:%x[-1,0]\n')).toEqual([
      'word[0]',
      'label[-1] pos[0]',
      'word[-1]',
      'label[-1] word[-1]',
      'bias',
    ]);
    expect(names('*')).toEqual(['bias', 'label[-1]']);
  });

  it('may have comments after a pattern', () => {
    expect(names('U1:%x[0,0]  # 50% of all\n   # more\n')).toEqual(['word[0]', 'bias']);
  });

  it('become views', () => {
    expect(
      names('u1:%X[0,0]\nu2:%t[0,0,"^\\u"]/%m[-1,0,"..$"]\nu3:%M[0,0,"^\\u"]\nu4:%T[0,0,"\\d"]'),
    ).toEqual([
      'word.lower[0]',
      'word.test("^[A-Z]")[0] word.match("..$|$")[-1]',
      'word.match("^[A-Z]|$").lower[0]',
      'word.test("[0-9]")[0]',
      'bias',
    ]);
  });

  it.each([
    // Wapiti's star takes as little as it can: pattern.c tries the rest of the expression first.
    ['%m[0,0,"\\u\\l*"]', 'aBcd', 'B'],
    ['%m[0,0,"\\u\\l*$"]', 'aBcd', 'Bcd'],
    ['%m[0,0,"^.?.?.?"]', 'ab', 'ab'],
    ['%m[0,0,"^.?.?.?"]', 'abcd', 'abc'],
    ['%m[0,0,"\\d"]', 'abc', ''],
    ['%m[0,0,"\\d"]', 'ab12', '1'],
    ['%M[0,0,"\\u\\u"]', 'aBCd', 'bc'],
    ['%M[0,0,"\\u\\u"]', 'abcd', ''],
    ['%X[0,0]', 'IBM', 'ibm'],
    ['%T[0,0,"^\\u"]', 'IBM', 'true'],
    ['%t[0,0,"^\\u\\u*$"]', 'IBM', 'true'],
    ['%t[0,0,"^\\u\\u*$"]', 'IBm', 'false'],
    ['%t[0,0,"^\\a$"]', 'é', 'false'],
    ['%t[0,0,"^\\A$"]', 'é', 'true'],
    ['%t[0,0,"^\\D\\L\\U\\W\\P\\S$"]', 'aAa-a-', 'true'],
    ['%t[0,0,"^\\D\\L\\U\\W\\P\\S$"]', '1Aa-a-', 'false'],
    ['%t[0,0,"^\\w\\w$"]', 'a_', 'false'],
    ['%t[0,0,"^\\p\\p\\p\\p\\p$"]', '-]`~/', 'true'],
    ['%t[0,0,"^\\p$"]', 'a', 'false'],
    ['%t[0,0,"^\\s$"]', '\t', 'true'],
    ['%t[0,0,"^\\?\\*\\.\\\\$"]', '?*.\\', 'true'],
    ['%t[0,0,"\\""]', 'say "x"', 'true'],
    ['%t[0,0,"a|b"]', 'a', 'false'],
    ['%t[0,0,"a|b"]', 'a|b', 'true'],
    ['%t[0,0,"(+)[x]{2}/"]', '(+)[x]{2}/', 'true'],
    ['%t[0,0,"a^b$c"]', 'a^b$c', 'true'],
    ['%t[0,0,"%x"]', '%x', 'true'],
    ['%t[0,0,"^野?$"]', '', 'true'],
    ['%t[0,0,"^𠮷?$"]', '𠮷', 'true'],
    ['%t[0,0,"^$"]', 'a', 'false'],
  ])('%s of %j is %j', (macro, value, expected) => {
    expect(see(`u:${macro}`, value)).toBe(expected);
  });
});

describe('refusals', () => {
  it.each([
    ['U01:%x[0,0]\nX01:%x[0,0]', 2, /begins with U, B or \*, found "X01/],
    [' U01:%x[0,0]', 1, /begins with U, B or \*/],
    ['# c\nU01:%x[0,2]', 2, /expected a column among 0 \(word\), 1 \(pos\), found "%x\[0,2\]"/],
    ['U01:%x[0]', 1, /expected %x\[OFFSET,COLUMN\], %t.* found "%x\[0\]"/],
    ['U01:%y[0,0]', 1, /found "%y\[0,0\]"/],
    ['U01:%x[0,0]/50%', 1, /found "%"/],
    ['U01:%x[9,0]', 1, /expected an offset from -8 to 8, found word\[9\]/],
    ['U01:%x[@1,0]', 1, /offset from the current token .* found "%x\[@1,0\]"/],
    ['U01:%x[*0,0]', 1, /offset from the current token/],
    ['U01:%x[0,0,"a"]', 1, /expected %x\[OFFSET,COLUMN\], found "%x\[0,0,\\"a\\"\]"/],
    ['U01:%t[0,0]', 1, /expected %t\[OFFSET,COLUMN,"REGEX"\], found "%t\[0,0\]"/],
    ['U01:%t[0,0,"a]', 1, /expected %x\[OFFSET,COLUMN\], %t/],
    ['U01:%t[0,0,"*a"]', 1, /expected a character before \*, found "\*a"/],
    ['U01:%t[0,0,"^?"]', 1, /expected a character before \?/],
    ['U01:%t[0,0,"a**"]', 1, /expected a character before \*/],
    ['U01:%x[0,0]#%x[1,0]', 1, /no macro after #/],
    ['U01:%t[0,0,"#"]', 1, /expected %x\[OFFSET,COLUMN\], %t/],
    ['U01:%x[0,0]\nB\nU01:%x[1,0]', 3, /identifier other than that of "U01:%x\[0,0\]" .*share/],
    ['U:%x[0,0]\nu:%X[0,0]', 2, /share their features/],
    ['U:%x[0,0]/%x[1,0]\nU:%x[0,0]/%x[0,1]', 2, /share their features/],
    ['U01:%x[0,0]/%x[0,0]', 1, /expected each node once/],
  ])('%j', (text, line, message) => {
    let error: unknown;
    try {
      parse(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).place).toEqual({ source: 'template', line });
    expect((error as InputError).message).toMatch(message);
  });

  it('reads templates that stand twice once, with a note of which', () => {
    for (const [text, count] of [
      ['U01:%x[0,0]\nU02:%x[0,0]\nU02:%x[0,0]', 1],
      ['*1:%x[0,0]\nB2:%x[0,0]', 2],
      ['U1:%x[0,0]/%x[0,1]\nU2:%x[0,1]/%x[0,0]\nB\nB', 2],
    ] as const) {
      const set = parse(text);
      expect(set.templates).toHaveLength(count + 1);
      expect(set.notes).toHaveLength(text.split('\n').length - (text.startsWith('*') ? 1 : count));
      expect(set.notes?.[0]).toMatch(/^"[UB]0?2:.*" reads what "[U*]0?1:.*" does, which stands for both$/);
    }
  });

  it('does not confuse equal text in U and B lines, which the letter keeps apart', () => {
    expect(names('U1:%x[0,0]\nB1:%x[1,0]\n*1:%x[2,0]')).toHaveLength(5);
  });
});
