import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import {
  historyOrder,
  label,
  type Template,
  template,
  templateName,
  templateSet,
  token,
  withinOrder,
} from '../../src/features/template.js';

const names = (templates: readonly Template[]) => templates.map(templateName);

describe('templates', () => {
  it('have a canonical text form', () => {
    expect(templateName(template(token('word', -1), token('word.suffix3', 0)))).toBe(
      'word[-1] word.suffix3[0]',
    );
    expect(templateName(template(label(-1), token('pos', 2)))).toBe('label[-1] pos[2]');
    expect(templateName(template())).toBe('bias');
  });

  it('write and hold −0 as 0', () => {
    expect(token('word', -0)).toEqual({ kind: 'token', view: 'word', offset: 0 });
  });

  it('know how far back they read', () => {
    expect(historyOrder(template(token('word', -2)))).toBe(0);
    expect(historyOrder(template())).toBe(0);
    expect(historyOrder(template(label(-1), token('word', 0)))).toBe(1);
    expect(historyOrder(template(label(-2)))).toBe(2);
    expect(historyOrder(template(label(-1), label(-2)))).toBe(2);
    expect(historyOrder(template(label(-2), label(-1)))).toBe(2);
  });

  it('are frozen all the way down', () => {
    const set = templateSet('t', [template(token('word', 0), label(-1))]);
    const parts = [set, set.templates, set.templates[0], set.templates[0].nodes, ...set.templates[0].nodes];
    expect(parts.every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(set.templates.at(-1))).toBe(true);
  });
});

describe('templateSet', () => {
  it('adds the constant feature at the end if it is missing, and only then', () => {
    expect(names(templateSet('t', [template(label(-1))]).templates)).toEqual(['label[-1]', 'bias']);
    expect(names(templateSet('t', [template(), template(label(-1))]).templates)).toEqual([
      'bias',
      'label[-1]',
    ]);
  });

  it('does not share the list it was given', () => {
    const list = [template(), template(token('word', 0))];
    const set = templateSet('t', list);
    list.pop();
    expect(set.templates).toHaveLength(2);
  });

  const word = token('word', 0);
  it.each<[string, Template[], RegExp]>([
    [
      'an offset too far left',
      [template(token('word', -9))],
      /"word\[-9\]": expected an offset from -8 to 8/,
    ],
    ['an offset too far right', [template(token('word', 9))], /from -8 to 8, found word\[9\]/],
    ['half an offset', [template(token('word', 0.5))], /from -8 to 8, found word\[0\.5\]/],
    ['an offset that is no number', [template(token('word', Number.NaN))], /found word\[NaN\]/],
    [
      'a label not yet read',
      [template(label(0 as -1))],
      /expected label\[-1\] or label\[-2\], found label\[0\]/,
    ],
    ['a label too far back', [template(label(-3 as -1))], /found label\[-3\]/],
    ['a column called label', [template(token('label', -1))], /name of the labels read before/],
    ['a repeated template', [template(word), template(word)], /"word\[0\]": expected each template once/],
    ['two constants', [template(), template()], /"bias": expected each template once/],
    [
      'a template repeated in another order',
      [template(word, label(-1)), template(label(-1), word)],
      /"label\[-1\] word\[0\]": expected each template once/,
    ],
    [
      'a repeated node',
      [template(word, token('pos', 0), word)],
      /expected each node once, found word\[0\] twice/,
    ],
    ['label₋₂ with a token', [template(label(-2), word)], /expected label\[-1\] where .* found label\[-2\]/],
    ['both labels with a token', [template(label(-1), label(-2), word)], /expected label\[-1\] where/],
  ])('refuses %s', (_, templates, message) => {
    expect(() => templateSet('t', templates)).toThrow(OptionError);
    expect(() => templateSet('t', templates)).toThrow(message);
  });

  it('accepts the farthest offsets', () => {
    expect(
      templateSet('t', [template(token('word', -8)), template(token('word', 8))]).templates,
    ).toHaveLength(3);
  });
});

describe('withinOrder', () => {
  it('drops what reads further back', () => {
    const set = templateSet('t', [
      template(token('word', 0)),
      template(label(-1)),
      template(label(-1), token('word', 0)),
      template(label(-2)),
      template(label(-1), label(-2)),
    ]);
    expect(names(withinOrder(set, 0).templates)).toEqual(['word[0]', 'bias']);
    expect(names(withinOrder(set, 1).templates)).toEqual([
      'word[0]',
      'label[-1]',
      'label[-1] word[0]',
      'bias',
    ]);
    expect(withinOrder(set, 2)).toEqual(set);
  });
});
