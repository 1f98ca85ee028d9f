import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../../src/base/utf8.js';
import { Alphabet } from '../../../src/data/alphabet.js';
import { FIRST_VALUE } from '../../../src/features/layout.js';
import { parseView, TOKEN_TYPES } from '../../../src/features/views.js';
import { createMemory, type KernelName } from '../../../src/kernels/kernels.js';
import { uint8, uint32 } from '../../../src/kernels/layout.js';
import { ViewValues } from '../../../src/tag/memo/view-values.js';

const NAMES: readonly KernelName[] = ['plain', 'simd'];
const VIEWS = [
  ...[
    'word',
    'word.lower',
    'word.shape',
    'word.type',
    'word.fold',
    'word.lower.suffix3',
    'word.suffix2.lower',
  ],
  ...[1, 2, 4, 10].flatMap((n) => [`word.prefix${n}`, `word.suffix${n}`]),
  ...[
    'word.lower.prefix2',
    'word.match("[a-z]+")',
    'word.prefix3.type',
    'word.type.prefix3',
    'word.shape.suffix3',
  ],
].map((name) => parseView(name));

/** Characters that the types of tokens tell apart, and some beyond ASCII. */
const CHARACTER = fc.constantFrom(
  ...'abstndrhABSTNDRHxXd0189.,:/\\-+%\'’"$`_()é…Ｚ中𠮷\n \0\x7f'.split(/(?:)/u),
);
/** A string with runs of a character, some of which types and shapes cut. */
const STRING = fc.oneof(
  fc
    .array(fc.tuple(CHARACTER, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }))), { maxLength: 8 })
    .map((runs) => runs.map(([character, length]) => character.repeat(length)).join('')),
  fc.constantFrom(
    ...[
      '21st',
      '22nd',
      '1990s',
      "'90s",
      '10-year',
      'mid-1980s',
      '11th',
      '3\\/4',
      'A',
      'U.S.',
      'x'.repeat(9000),
    ],
    ...[
      '1999',
      '-12.5',
      '12.5%',
      'U.N',
      'Inc.',
      'self-made',
      'Anglo-Saxon',
      "O'Brien",
      'B2B',
      '``',
      '中',
      '$',
      'McX',
    ],
  ),
  fc.stringMatching(/^[a-zA-Z]{1,9}$/),
);
const BATCH = 32;
const TEXT = 1 << 15;

describe.each(NAMES)('ViewValues: %s', (name) => {
  it('finds the values that views make of strings', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(fc.array(STRING, { maxLength: BATCH }), { maxLength: 4 }),
        fc.array(STRING, { maxLength: 20 }),
        fc.boolean(),
        (batches, known, isOutside) => {
          // Of what views make of the strings, all but a few have a value.
          const alphabets = VIEWS.map((view) => {
            const alphabet = new Alphabet();
            [...known, ...batches.flat()].forEach((text, i) => {
              const value = view.apply(text);
              if (value !== undefined && i % 7 !== 3) alphabet.add(value);
            });
            alphabet.freeze();
            return alphabet;
          });
          const { arrays, ...memory } = createMemory(
            {
              values: ViewValues.layout(VIEWS, alphabets, BATCH),
              text: uint8(TEXT),
              spans: uint32(2 * BATCH),
            },
            name,
          );
          const values = new ViewValues(VIEWS, alphabets, BATCH, memory, arrays.values);
          const text = isOutside ? new Uint8Array(TEXT) : arrays.text;
          const { spans } = arrays;
          for (const batch of batches) {
            let at = 0;
            const asked = batch.filter((string) => {
              const encoded = encodeUtf8(string);
              if (at + encoded.length > TEXT) return false;
              text.set(encoded, at);
              at += encoded.length;
              return true;
            });
            let start = 0;
            asked.forEach((string, i) => {
              spans[2 * i] = start;
              start += encodeUtf8(string).length;
              spans[2 * i + 1] = start;
            });
            values.find(isOutside, text, spans, asked.length);
            VIEWS.forEach((view, v) => {
              const expected = asked.map((string) => {
                const value = view.apply(string);
                if (value !== undefined) met.add(`${view.name} ${value}`);
                const id = value === undefined ? -1 : alphabets[v].find(value);
                return id < 0 ? 0 : FIRST_VALUE + id;
              });
              const found = [...values.found.subarray(v * BATCH, v * BATCH + asked.length)];
              expect({ view: view.name, asked, found }).toEqual({ view: view.name, asked, found: expected });
            });
            asked.forEach((string, i) => {
              const found = VIEWS.map((_, v) => values.found[v * BATCH + i]);
              expect(values.valuesOf(string)).toEqual(found);
            });
          }
        },
      ),
      { seed: 1, numRuns: 80 },
    );
    for (const [type] of TOKEN_TYPES) expect(met).toContain(`word.type ${type}`);
  });
});
