import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import {
  label,
  type Template,
  template,
  templateName,
  templateSet,
  token,
} from '../../src/features/template.js';
import { formatTemplates, parseTemplates, readTemplates } from '../../src/features/template-syntax.js';

const COLUMNS = ['word', 'pos'];
const parse = (text: string) => parseTemplates(text, 'my.templates', COLUMNS);
const names = (set: { templates: readonly Template[] }) => set.templates.map(templateName);

describe('parseTemplates', () => {
  it('reads nodes, comments, blank lines and the constant', () => {
    const set = parse(
      '# chunking\n\nword[-1]  word[+1]\t# neighbours\r\n  bias\nlabel[-1] pos.lower[0]#x\n \n',
    );
    expect(set).toEqual({
      name: 'my.templates',
      templates: [
        template(token('word', -1), token('word', 1)),
        template(),
        template(label(-1), token('pos.lower', 0)),
      ],
    });
  });

  it('reads blanks, brackets, # and quotes inside regular expressions', () => {
    const view = 'word.test("[a b] # \\" \\\\d[0]")';
    expect(parse(`${view}[0] pos[1] # comment "`).templates[0]).toEqual(
      template(token(view, 0), token('pos', 1)),
    );
  });

  it.each([
    ['word[0]\nwrd[0]', 2, /expected the column word or pos, found "wrd"/],
    ['word[0]\n\n# x\nword.sufix2[0]', 4, /found "sufix2"/],
    ['word', 1, /expected VIEW\[OFFSET\], label\[-1\], .*length, or bias alone, found "word"/],
    ['first(word)', 1, /expected VIEW\[OFFSET\]/],
    ['all(word)[0]', 1, /unknown|expected/],
    ['all(word) pos[0]', 1, /expected first\(…\) or last\(…\) beside other nodes of a chunk, found pos\[0\]/],
    ['label[-1] length', 1, /expected first\(…\) beside label\[-1\], found length/],
    ['label[-2] first(pos)[0]', 1, /expected label\[-1\], the type of the chunk before, found label\[-2\]/],
    ['first(pos)[9]', 1, /expected an offset from -8 to 8, found first\(pos\)\[9\]/],
    ['all(lemma)', 1, /expected the column/],
    ['word[]', 1, /expected VIEW\[OFFSET\]/],
    ['word[0.5]', 1, /expected VIEW\[OFFSET\]/],
    ['word[0]\r\nword[0]pos[0]', 2, /expected the column word or pos, found "word\[0\]pos"/],
    ['bias word[0]', 1, /bias alone, found "bias"/],
    ['word[9]', 1, /expected an offset from -8 to 8, found word\[9\]/],
    ['word[99999999999999999999]', 1, /expected an offset from -8 to 8/],
    ['label[0]', 1, /expected label\[-1\] or label\[-2\], found label\[0\]/],
    ['word[0]\nword[1]\nword[0]', 3, /expected each template once/],
    ['bias\nbias', 2, /expected each template once/],
    ['word[0] word[0]', 1, /expected each node once/],
    ['label[-2] word[0]', 1, /expected label\[-1\] where a label is joined with tokens/],
    ['word.test("a[0]', 1, /expected VIEW\[OFFSET\]/],
    ['word.test("(")[0]', 1, /expected a regular expression/],
  ])('refuses %j with its line', (text, line, message) => {
    let error: unknown;
    try {
      parse(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).place).toEqual({ source: 'my.templates', line });
    expect((error as InputError).message).toMatch(new RegExp(`^my\\.templates:${line}: `));
    expect((error as InputError).message).toMatch(message);
  });

  it('refuses a text without templates', () => {
    expect(() => parse('# nothing\n\n')).toThrow(
      /^my\.templates: expected at least one template, found none$/,
    );
  });
});

describe('formatTemplates', () => {
  it('writes one template a line', () => {
    const set = templateSet('t', [template(token('word', -1), token('pos', 0)), template(label(-2))]);
    expect(formatTemplates(set)).toBe('word[-1] pos[0]\nlabel[-2]\nbias\n');
  });

  it('is undone by parsing', () => {
    const regex = fc.string({ unit: fc.constantFrom('a', ' ', '#', '"', '\\\\', '\\d', '[b]', '.', '𠮷') });
    const view = fc.oneof(
      fc.constantFrom('word', 'pos', 'word.lower', 'word.prefix10', 'pos.lower.suffix2', 'word.type'),
      fc
        .tuple(fc.constantFrom('test', 'match'), regex)
        .map(([kind, source]) => `word.${kind}(${JSON.stringify(source)})`),
    );
    const tokens = fc
      .uniqueArray(fc.tuple(view, fc.integer({ min: -8, max: 8 })), { maxLength: 4, selector: String })
      .map((nodes) => nodes.map(([name, offset]) => token(name, offset)));
    const anyTemplate = fc.oneof(
      tokens.map((nodes) => template(...nodes)),
      tokens.map((nodes) => template(...nodes, label(-1))),
      fc.constantFrom(template(label(-2)), template(label(-1), label(-2))),
    );
    fc.assert(
      fc.property(fc.uniqueArray(anyTemplate, { maxLength: 8, selector: sortedName }), (templates) => {
        const set = templateSet('my.templates', templates);
        expect(parse(formatTemplates(set))).toEqual(set);
      }),
    );
  });
});

describe('readTemplates', () => {
  const read = (text: string) => names(readTemplates(text, 'file', COLUMNS));

  it.each([
    ['# a comment\n\nU00:%x[-1,0]\nB\n', ['word[-1]', 'label[-1]', 'bias']],
    ['B # the label before\n', ['label[-1]', 'bias']],
    ['B01\nU01:%x[0,1]', ['label[-1]', 'pos[0]', 'bias']],
    ['u:%x[0,0]', ['word[0]', 'bias']],
    ['  \n*1:%x[ 0,0]', ['word[0]', 'label[-1] word[0]', 'bias']],
    ['U', ['bias']],
  ])('takes %j for CRF++ or Wapiti', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['bias\nword[0]', ['bias', 'word[0]']],
    ['# U00:%x[-1,0]\nword[0] # %x[0,0]', ['word[0]', 'bias']],
    ['label[-1]', ['label[-1]', 'bias']],
  ])('takes %j for its own form', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('is not led astray by columns that begin with u or b', () => {
    const columns = ['u', 'base', 'b1'];
    const text = 'u[0]\nbase.lower[1] b1[0]\n';
    expect(names(readTemplates(text, 'file', columns))).toEqual(['u[0]', 'base.lower[1] b1[0]', 'bias']);
    expect(names(readTemplates('b1[0]', 'file', columns))).toEqual(['b1[0]', 'bias']);
    expect(names(readTemplates('base[0]', 'file', columns))).toEqual(['base[0]', 'bias']);
  });

  it('reports broken lines in the form it chose', () => {
    expect(() => read('U00:%x[0]')).toThrow(/^file:1: expected %x\[OFFSET,COLUMN\]/);
    expect(() => read('word')).toThrow(/^file:1: expected VIEW\[OFFSET\]/);
  });
});

function sortedName(t: Template): string {
  return t.nodes
    .map((node) => templateName(template(node)))
    .sort()
    .join(' ');
}
