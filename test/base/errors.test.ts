import { describe, expect, it } from 'vitest';
import {
  InputError,
  listNames,
  lookUp,
  ModelFileError,
  OptionError,
  quote,
  SpanwrightError,
} from '../../src/base/errors.js';

describe('errors', () => {
  it('name place and problem, and carry a code', () => {
    expect(new InputError({ source: 'a.txt' }, 'bad')).toMatchObject({
      message: 'a.txt: bad',
      code: 'bad-input',
      name: 'InputError',
    });
    expect(new InputError({ source: 'a.txt', line: 3 }, 'bad').message).toBe('a.txt:3: bad');
    expect(new InputError({ source: 'a.txt', line: 3, byte: 0 }, 'bad').message).toBe(
      'a.txt:3 (byte 0): bad',
    );
    expect(new ModelFileError('m', 'bad')).toMatchObject({ message: 'm: bad', code: 'bad-model' });
    expect(new OptionError('C', 'bad')).toBeInstanceOf(SpanwrightError);
  });

  it('list names', () => {
    expect(listNames([])).toBe('');
    expect(listNames(['a'])).toBe('a');
    expect(listNames(['a', 'b'])).toBe('a or b');
    expect(listNames(['a', 'b', 'c'])).toBe('a, b or c');
  });

  it('look up own names only', () => {
    const table = { one: 1, none: undefined };
    expect(lookUp(table, 'one', 'x')).toBe(1);
    expect(lookUp(table, 'none', 'x')).toBeUndefined();
    expect(() => lookUp(table, 'toString', 'x')).toThrow('--x: expected one or none, found "toString"');
  });

  it('quote on one line and cut what is long', () => {
    expect(quote('a\n"\u0000')).toBe('"a\\n\\"\\u0000"');
    expect(quote('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
    expect(quote('x'.repeat(61))).toBe(`"${'x'.repeat(57)}..."`);
  });
});
