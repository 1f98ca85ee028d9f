import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { checkOption, describeRange, nearestName, type OptionDeclaration } from '../../src/base/options.js';

const help = '';
const integer: OptionDeclaration = { name: 'epochs', kind: 'integer', min: 1, max: 9, help };
const number: OptionDeclaration = { name: 'C', kind: 'number', above: 0, help };
const choice: OptionDeclaration = { name: 'loss', kind: 'choice', choices: ['l1', 'l2', '3'], help };
const text: OptionDeclaration = { name: 'out', kind: 'string', placeholder: 'FILE', help };
const flag: OptionDeclaration = { name: 'json', kind: 'flag', help };

describe('checkOption', () => {
  it.each([
    [integer, 1, 1],
    [integer, 9, 9],
    [integer, '7', 7],
    [integer, ' 7 ', 7],
    [integer, '7.0', 7],
    [number, 1e-9, 1e-9],
    [number, '0.5', 0.5],
    [number, '1e3', 1000],
    [{ ...number, above: -1 }, '-0.5', -0.5],
    [{ name: 'x', kind: 'number', help }, -3, -3],
    [{ name: 'x', kind: 'integer', help }, -3, -3],
    [choice, 'l1', 'l1'],
    [choice, 3, '3'],
    [text, 'a b', 'a b'],
    [flag, true, true],
    [flag, false, false],
    [flag, 'true', true],
    [flag, 'false', false],
  ] as [OptionDeclaration, unknown, unknown][])('%j takes %j as %j', (declaration, value, expected) => {
    expect(checkOption(declaration, value)).toBe(expected);
  });

  it.each([
    [integer, 0, '--epochs: expected an integer ≥ 1 and ≤ 9, found 0'],
    [integer, 10, '--epochs: expected an integer ≥ 1 and ≤ 9, found 10'],
    [integer, 1.5, '--epochs: expected an integer ≥ 1 and ≤ 9, found 1.5'],
    [integer, '1.5', '--epochs: expected an integer ≥ 1 and ≤ 9, found "1.5"'],
    [integer, 'many', '--epochs: expected an integer ≥ 1 and ≤ 9, found "many"'],
    [integer, '', '--epochs: expected an integer ≥ 1 and ≤ 9, found ""'],
    [integer, ' ', '--epochs: expected an integer ≥ 1 and ≤ 9, found " "'],
    [integer, true, '--epochs: expected an integer ≥ 1 and ≤ 9, found true'],
    [integer, [3], '--epochs: expected an integer ≥ 1 and ≤ 9, found [3]'],
    [integer, undefined, '--epochs: expected an integer ≥ 1 and ≤ 9, found none'],
    [{ name: 'seed', kind: 'integer', help }, 2 ** 53, '--seed: expected an integer, found 9007199254740992'],
    [number, 0, '--C: expected a number > 0, found 0'],
    [number, '-1', '--C: expected a number > 0, found "-1"'],
    [number, 'Infinity', '--C: expected a number > 0, found "Infinity"'],
    [number, 'NaN', '--C: expected a number > 0, found "NaN"'],
    [choice, 'l3', '--loss: expected l1, l2 or 3, found "l3"'],
    [choice, 'toString', '--loss: expected l1, l2 or 3, found "toString"'],
    [text, '', '--out: expected FILE, found ""'],
    [text, 5, '--out: expected FILE, found 5'],
    [{ name: 'name', kind: 'string', help }, '', '--name: expected a value, found ""'],
    [flag, 'yes', '--json: expected true or false, found "yes"'],
    [flag, 1, '--json: expected true or false, found 1'],
  ] as [OptionDeclaration, unknown, string][])('%j refuses %j', (declaration, value, message) => {
    const check = () => checkOption(declaration, value);
    expect(check).toThrow(new OptionError(declaration.name, message));
    expect(check).toThrow(expect.objectContaining({ code: 'bad-option', option: declaration.name }));
  });
});

describe('describeRange', () => {
  it.each([
    [integer, 'an integer ≥ 1 and ≤ 9'],
    [number, 'a number > 0'],
    [{ name: 'x', kind: 'number', help }, 'a number'],
    [choice, 'l1, l2 or 3'],
    [text, 'FILE'],
    [flag, 'true or false'],
  ] as [OptionDeclaration, string][])('of %j is %j', (declaration, expected) => {
    expect(describeRange(declaration)).toBe(expected);
  });
});

describe('nearestName', () => {
  const names = ['epochs', 'epsilon', 'decoder', 'C', 'train', 'templates'];
  it.each([
    ['epoch', 'epochs'],
    ['epohcs', 'epochs'],
    ['Decoder', 'decoder'],
    ['tarin', 'train'],
    ['template', 'templates'],
    ['nothing', undefined],
    ['', undefined],
  ])('of %s is %s', (wrong, meant) => {
    expect(nearestName(wrong, names)).toBe(meant);
  });
});
