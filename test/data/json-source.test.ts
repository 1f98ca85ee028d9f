import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonElements, jsonMembers, jsonObject } from '../../src/data/formats/json-source.js';

const BLANKS = fc.constantFrom(undefined, 1, '\t');

describe('jsonMembers', () => {
  it('finds the members of any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        BLANKS,
        (value, indent) => {
          const source = JSON.stringify(value, null, indent);
          const members = jsonMembers(source);
          const parsed = JSON.parse(source);
          expect([...members.keys()].sort()).toEqual(Object.keys(parsed).sort());
          for (const [key, text] of members) expect(JSON.parse(text)).toEqual(parsed[key]);
          expect(JSON.parse(jsonObject(members))).toEqual(parsed);
        },
      ),
    );
  });

  it('leaves values as they are written', () => {
    const source =
      ' { "a" : 1.0 , "b":[ 1e400,"\\u0041]" ], "c":{"d":"}"} , "a\\"":true,"a":12345678901234567890}';
    expect([...jsonMembers(source)]).toEqual([
      ['a', '12345678901234567890'],
      ['b', '[ 1e400,"\\u0041]" ]'],
      ['c', '{"d":"}"}'],
      ['a"', 'true'],
    ]);
  });
});

describe('jsonElements', () => {
  it('finds the elements of any list', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), BLANKS, (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        expect(jsonElements(source).map((text) => JSON.parse(text))).toEqual(JSON.parse(source));
      }),
    );
  });
});
