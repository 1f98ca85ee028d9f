import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemory, type KernelName } from '../../src/kernels/kernels.js';
import { int32, uint8, uint32 } from '../../src/kernels/layout.js';
import {
  type ColumnScan,
  findBadByte,
  POSITION,
  PROBLEM,
  SENTENCES,
  STATE_NUMBERS,
  scanColumns,
  TOKENS,
} from '../../src/kernels/scan-columns.js';

const NAMES: KernelName[] = ['plain', 'simd'];

/** A scan of a text with room for so many tokens and sentences. */
function makeScan(
  text: string,
  wanted: readonly number[],
  tabs: boolean,
  tokens: number,
  sentences: number,
  name: KernelName,
  comments = false,
) {
  const bytes = Buffer.from(text, 'latin1');
  const needed = Math.max(...wanted.map((cell) => (cell < 0 ? -cell : cell + 1)));
  const { arrays, bind } = createMemory(
    {
      bytes: uint8(bytes.length + 64),
      wanted: int32(wanted.length),
      bounds: uint32(2 * (needed + 4)),
      cells: uint32(2 * tokens * wanted.length),
      lines: uint32(2 * tokens),
      starts: uint32(sentences + 1),
      ends: uint32(sentences),
      firstLines: uint32(sentences + 1),
      state: uint32(STATE_NUMBERS),
    },
    name,
  );
  const [comment, commentMask] = comments ? [0x2325, 0xffff] : [0, 0];
  const scan: ColumnScan = { ...arrays, tabs, comment, commentMask, needed, end: bytes.length };
  scan.bytes.set(bytes);
  // What stands after the text must not be read.
  scan.bytes.fill('a'.charCodeAt(0), bytes.length);
  scan.wanted.set(wanted);
  return { kernels: bind({ scanColumns }), scan, end: bytes.length };
}

const parts = fc.constantFrom(
  'a',
  'Wort',
  'x'.repeat(70),
  '\xe9',
  ' ',
  '\t',
  '  ',
  '\r',
  '\n',
  '\r\n',
  '\r\r\n',
  '\n\n',
  '-DOCSTART-',
  '-',
  '%#',
  '\n#%',
);
const texts = fc.array(parts, { maxLength: 60 }).map((all) => `${all.join('')}\n`);
const wanted = fc.constantFrom([0], [0, 2], [2, 0, 1], [-2, -1], [1, -1], [-3]);

describe.each(NAMES)('scanColumns: %s', (name) => {
  it('finds the bounds of lines, cells and sentences', () => {
    const { kernels, scan, end } = makeScan(
      '\n a  bc\td e\r\n-DOCSTART- x\n\ne f g h\n%#c\ni j k i\n \nl m n o\n',
      [1, -1],
      false,
      8,
      4,
      name,
      true,
    );
    kernels.scanColumns(scan);
    const read = (bounds: Uint32Array, count: number) =>
      Array.from({ length: count }, (_, i) =>
        Buffer.from(scan.bytes.subarray(bounds[2 * i], bounds[2 * i + 1])).toString('latin1'),
      );
    const { state, starts, ends, firstLines, lines, cells } = scan;
    expect(state).toEqual(Uint32Array.of(end, 4, 2, 9, 0, 0, 0, 4, 1));
    expect([...starts.subarray(0, 3)]).toEqual([0, 1, 3]);
    expect([...ends.subarray(0, 2)]).toEqual([13, 47]);
    expect([...firstLines.subarray(0, 3)]).toEqual([1, 4, 8]);
    expect(read(lines, 4)).toEqual([' a  bc\td e', 'e f g h', 'i j k i', 'l m n o']);
    expect(read(cells, 8)).toEqual(['bc', 'e', 'f', 'h', 'j', 'i', 'm', 'o']);
  });
});

describe('scanColumns', () => {
  it('leaves the same behind, with SIMD and without, wherever it stops and goes on', () => {
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 4 }),
        wanted,
        fc.boolean(),
        fc.constantFrom(3, 8, 100),
        fc.constantFrom(1, 3, 50),
        fc.boolean(),
        (texts, wanted, tabs, tokens, sentences, comments) => {
          const [expected, found] = NAMES.map((each) => {
            const { kernels, scan } = makeScan(
              texts.join(''),
              wanted,
              tabs,
              tokens,
              sentences,
              each,
              comments,
            );
            const states: unknown[] = [];
            let end = 0;
            for (const text of texts) {
              end += text.length;
              for (let before = -1; before !== scan.state[POSITION]; ) {
                before = scan.state[POSITION];
                scan.end = end;
                kernels.scanColumns(scan);
                const { state, starts, ends, firstLines, lines, cells } = scan;
                states.push([state, starts, ends, firstLines, lines, cells].map((array) => [...array]));
                // Full, or with a problem: everything is taken, and the scan goes on.
                if (state[SENTENCES] < ends.length && state[TOKENS] < tokens && state[PROBLEM] === 0)
                  continue;
                for (const number of [TOKENS, SENTENCES, PROBLEM]) state[number] = 0;
                starts[0] = 0;
              }
            }
            return states;
          });
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 700 },
    );
  });
});

describe.each(NAMES)('findBadByte: %s', (name) => {
  it('finds what is no text', () => {
    const piece = fc.constantFrom(
      'a'.repeat(15),
      'ab',
      '\xc3\xa9',
      '\xe2\x82\xac',
      '\xf0\x9f\x91\x8d',
      '\xed\x9f\xbf',
      '\xf4\x8f\xbf\xbf',
    );
    const bad = fc.constantFrom(
      '\0',
      '\xff',
      '\xc0\x80',
      '\xed\xa0\x80',
      '\xf4\x90\x80\x80',
      '\xe0\x80\x80',
      '\xf0\x80\x80\x80',
      '\x80',
      '\xe2\x82',
      '\xf0\x9f\x91',
      '\xc3',
      '\xf5',
    );
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.option(bad),
        fc.array(piece),
        fc.nat(20),
        (before, bad, after, start) => {
          const good = 'x'.repeat(start) + before.join('');
          const bytes = Buffer.from(good + (bad ?? '') + after.join(''), 'latin1');
          const { arrays, bind } = createMemory({ text: uint8(bytes.length + 64) }, name);
          const { text } = arrays;
          text.set(bytes);
          text.fill(0x80, bytes.length);
          const search = { bytes: text, start, end: bytes.length };
          const at = bind({ findBadByte }).findBadByte(search);
          expect(at).toBe(bad === null ? -1 : good.length);
          expect(findBadByte.plain(search)).toBe(at);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('findBadByte', () => {
  it('finds the same in any bytes, with SIMD and without', () => {
    const byte = fc.oneof(
      fc.constantFrom(0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4),
      fc.nat(255),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), (values) => {
        const { arrays, bind } = createMemory({ text: uint8(values.length + 64) }, 'simd');
        const { text } = arrays;
        text.set(values);
        const search = { bytes: text, start: 0, end: values.length };
        expect(bind({ findBadByte }).findBadByte(search)).toBe(findBadByte.plain(search));
      }),
      { numRuns: 2000 },
    );
  });
});
