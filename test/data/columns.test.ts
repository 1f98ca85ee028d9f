import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { encodeUtf8, findInvalidUtf8 } from '../../src/base/utf8.js';
import { ColumnScanner, type ColumnScannerOptions } from '../../src/data/formats/columns.js';

/** A sentence with everything copied out; texts have one character per byte. */
interface Sentence {
  gap: string;
  text: string;
  lines: string[];
  firstLine: number;
  /** [T][cells]; nothing where there is a problem. */
  cells: string[][] | undefined;
  problem: string | undefined;
}

type Options = Omit<ColumnScannerOptions, 'source'>;

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const fromLatin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** How sentences are taken: one by one, as many at a time as there are, or one and then as many. */
type Taking = 'single' | 'batches' | 'mixed';

/** What the scanner gives for some chunks. */
function scan(
  chunks: readonly Uint8Array[],
  options: Options,
  taking: Taking = 'single',
): { sentences: Sentence[]; rest: string } {
  const scanner = new ColumnScanner({ ...options, source: 'f' });
  const sentences: Sentence[] = [];
  const width = options.cells.length;
  const takeBatch = () => {
    const batch = scanner.nextBatch();
    if (batch === undefined) return false;
    const { bytes, count, starts, cells, lines, end } = batch;
    const read = (from: number, to: number) => latin1(bytes.subarray(from, to));
    let { gapStart } = batch;
    for (let s = 0; s < count; s++) {
      const tokens = Array.from({ length: starts[s + 1] - starts[s] }, (_, t) => starts[s] + t);
      const last = lines[2 * starts[s + 1] - 1];
      // The line end after the last token, if it has one.
      const newline = bytes.indexOf(10, last) + 1;
      const ends = s === count - 1 ? end : newline;
      expect(newline === 0 || newline === ends).toBe(true);
      sentences.push({
        gap: read(gapStart, lines[2 * starts[s]]),
        text: read(lines[2 * starts[s]], ends),
        lines: tokens.map((t) => read(lines[2 * t], lines[2 * t + 1])),
        firstLine: -1,
        cells: tokens.map((t) =>
          Array.from({ length: width }, (_, c) =>
            read(cells[2 * (t * width + c)], cells[2 * (t * width + c) + 1]),
          ),
        ),
        problem: undefined,
      });
      gapStart = ends;
    }
    return true;
  };
  const takeAll = () => {
    while (taking === 'batches' && takeBatch()) {}
    for (let found = scanner.next(); found; found = scanner.next()) {
      const { bytes, cells, lines, length, gapStart, end, firstLine, problem } = found;
      const read = (from: number, to: number) => latin1(bytes.subarray(from, to));
      // Without tokens what is wrong stands after the last sentence.
      const start = lines[0] ?? end;
      sentences.push({
        gap: read(gapStart, start),
        text: read(start, end),
        lines: Array.from({ length }, (_, t) => read(lines[2 * t], lines[2 * t + 1])),
        firstLine,
        cells: problem
          ? undefined
          : Array.from({ length }, (_, t) =>
              Array.from({ length: width }, (_, c) => {
                const at = (t * width + c) * 2;
                return read(cells[at], cells[at + 1]);
              }),
            ),
        problem: problem?.message.replace(/(columns as in line .*); .*/, '$1'),
      });
      while (taking !== 'single' && takeBatch()) {}
    }
  };
  for (const chunk of chunks) {
    scanner.push(chunk);
    takeAll();
  }
  scanner.end();
  takeAll();
  return { sentences, rest: latin1(scanner.rest()) };
}

const scanText = (text: string, options: Options) => scan([encodeUtf8(text)], options);

/** The same, simply: the whole file as a string, split into lines. */
function parse(
  file: string,
  { cells: wanted, separator, comments, header = 0 }: Options,
): { sentences: Sentence[]; rest: string } {
  const needed = Math.max(...wanted.map((cell) => (cell < 0 ? -cell : cell + 1)));
  const sentences: Sentence[] = [];
  let gap = file.startsWith('\xef\xbb\xbf') ? '\xef\xbb\xbf' : '';
  let open: Sentence | undefined;
  let width: [columns: number, line: number] | undefined;
  let badByte: string | undefined;
  let byte = gap.length;
  const close = () => {
    if (open === undefined) return;
    open.problem = badByte ?? open.problem;
    if (open.problem !== undefined) open.cells = undefined;
    sentences.push(open);
    open = undefined;
    badByte = undefined;
  };
  const physical = file.slice(gap.length).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  physical.forEach((raw, number) => {
    const line = number + 1;
    const content = raw.replace(/\r*\n?$/, '');
    const isBlank = /^[ \t]*$/.test(content);
    let parts = content.replace(/^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/);
    if (separator === 'tab') parts = content.split('\t');
    if (number < header) gap += raw;
    else if (comments !== undefined && content.startsWith(comments)) {
      if (open) open.text += raw;
      else gap += raw;
    } else if (isBlank || parts[0].startsWith('-DOCSTART-')) {
      close();
      gap += raw;
    } else {
      open ??= { gap, text: '', lines: [], firstLine: line, cells: [], problem: undefined };
      gap = '';
      open.text += raw;
      open.lines.push(content);
      if (parts.length < needed) {
        open.problem ??= `f:${line}: expected at least ${needed} columns, found ${parts.length}`;
      } else {
        width ??= [parts.length, line];
        if (parts.length !== width[0]) {
          open.problem ??= `f:${line}: expected ${width[0]} columns as in line ${width[1]}, found ${parts.length}`;
        }
        const values = wanted.map((cell) => parts.at(cell) as string);
        const empty = values.indexOf('');
        if (empty >= 0) {
          const column = wanted[empty] < 0 ? parts.length + wanted[empty] : wanted[empty];
          open.problem ??= `f:${line}: expected a value in column ${column + 1}, found an empty cell`;
        }
        open.cells?.push(values);
      }
    }
    const zero = raw.indexOf('\0');
    const invalid = findInvalidUtf8(fromLatin1(raw));
    if (zero >= 0 || invalid >= 0) {
      const at = zero >= 0 && (invalid < 0 || zero < invalid) ? zero : invalid;
      const value = raw.charCodeAt(at);
      badByte ??=
        `f:${line} (byte ${byte + at}): ` +
        (value === 0
          ? 'expected text, found a NUL byte; is this a binary file, or UTF-16 (--encoding utf-16le)?'
          : `expected UTF-8 text, found the invalid byte 0x${value.toString(16)}` +
            (value >= 0xfe
              ? '; the file may be UTF-16 (--encoding utf-16le)'
              : '; is it in another encoding, such as --encoding windows-1252?'));
    }
    byte += raw.length;
  });
  close();
  if (badByte === undefined) return { sentences, rest: gap };
  const firstLine = Number(badByte.match(/\d+/)?.[0]);
  sentences.push({ gap, text: '', lines: [], firstLine, cells: undefined, problem: badByte });
  return { sentences, rest: '' };
}

/** A file cut at some places. */
function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

const cell = fc.constantFrom(
  'a',
  'Wort',
  'é',
  '\xe2\x82\xac',
  '\xf0\x9f\x91\x8d',
  '-DOCSTART',
  '-',
  '\x0b',
  'x\ry',
);
const blanks = fc.constantFrom('', '', '', ' ', '\t', ' \t ');
const tokenLine = fc
  .tuple(
    blanks,
    fc.array(fc.tuple(cell, fc.constantFrom(' ', '\t', '\t', '  ', '\t\t')), { minLength: 2, maxLength: 5 }),
    blanks,
  )
  .map(([before, parts, after]) => before + parts.flat().slice(0, -1).join('') + after);
const goodCell = fc.constantFrom(
  'a',
  'Wort',
  '\xc3\xa9',
  '\xe2\x82\xac',
  '\xf0\x9f\x91\x8d',
  '-DOCSTART',
  '-',
  '\x0b',
);
const goodLine = fc
  .tuple(fc.array(goodCell, { minLength: 3, maxLength: 4 }), fc.constantFrom(' ', '\t'))
  .map(([cells, separator]) => cells.join(separator));
const gapLine = fc.constantFrom('', '', '', ' ', '\t \t', '-DOCSTART- -X- O', ' -DOCSTART-', '-DOCSTART-');
const badLine = fc.constantFrom(
  'a b c\0',
  '\0',
  'a \xff c',
  'a b c \xe2\x82',
  '\xc0\x80 b c',
  '-DOCSTART- \xfe',
  'a',
  '\ta\tb',
  'a\t\tc',
);
const file = (oddLines: number) =>
  fc
    .tuple(
      fc.constantFrom('', '', '', '\xef\xbb\xbf'),
      fc.array(
        fc.tuple(
          fc.oneof(
            { weight: 12, arbitrary: goodLine },
            { weight: 6, arbitrary: gapLine },
            { weight: oddLines, arbitrary: tokenLine },
            { weight: oddLines, arbitrary: badLine },
          ),
          fc.constantFrom('\n', '\n', '\r\n'),
        ),
        { maxLength: 25 },
      ),
      fc.boolean(),
    )
    .map(([mark, lines, endless]) => {
      const text = mark + lines.flat().join('');
      return endless ? text.replace(/\r*\n$/, '') : text;
    });
const options: fc.Arbitrary<Options> = fc.record({
  kernels: fc.constantFrom('simd' as const, 'plain' as const),
  cells: fc.constantFrom([0], [0, 2], [2, 0, 1], [-2, -1], [1, -1], [-3]),
  separator: fc.constantFrom(undefined, 'blanks' as const, 'tab' as const),
  comments: fc.constantFrom(undefined, undefined, 'a', '-D', 'Wort'),
  header: fc.constantFrom(undefined, undefined, 1, 2),
});
const cuts = fc.oneof(fc.array(fc.nat(), { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 60 }));

describe('ColumnScanner', () => {
  it.each([
    ['mostly good files', 1],
    ['mostly bad files', 12],
  ])('reads %s as the simple parser does, however they are cut, and loses no byte', (_, oddLines) => {
    fc.assert(
      fc.property(file(oddLines), options, cuts, (text, options, places) => {
        const found = scan(cut(fromLatin1(text), places), options);
        expect(found).toEqual(parse(text, options));
        expect(found.sentences.map(({ gap, text }) => gap + text).join('') + found.rest).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['batches', 'mixed'] as const)('gives the same in %s', (taking) => {
    fc.assert(
      fc.property(file(2), options, cuts, (text, { comments: _, ...options }, places) => {
        const found = scan(cut(fromLatin1(text), places), options, taking);
        const { sentences, rest } = parse(text, options);
        expect(found.rest).toBe(rest);
        // A batch does not tell lines.
        expect(found.sentences.map((sentence) => ({ ...sentence, firstLine: -1 }))).toEqual(
          sentences.map((sentence) => ({ ...sentence, firstLine: -1 })),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('reads a file byte by byte', () => {
    fc.assert(
      fc.property(file(2), options, (text, options) => {
        const bytes = fromLatin1(text);
        const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
        expect(scan(single, options)).toEqual(parse(text, options));
      }),
    );
  });

  it('hands out a sentence as soon as the line after it is there, not before', () => {
    const scanner = new ColumnScanner({ cells: [0], source: 'f' });
    scanner.push(encodeUtf8('a\nb\n'));
    expect(scanner.next()).toBeUndefined();
    scanner.push(encodeUtf8(' '));
    expect(scanner.next()).toBeUndefined();
    scanner.push(encodeUtf8('\nc\n'));
    expect(scanner.next()?.length).toBe(2);
    expect(scanner.next()).toBeUndefined();
    scanner.end();
    expect(scanner.next()).toMatchObject({ length: 1, firstLine: 4 });
    expect(scanner.next()).toBeUndefined();
  });

  it('does not hold what was read', () => {
    const scanner = new ColumnScanner({ cells: [0], source: 'f' });
    const chunk = encodeUtf8('word NN\n\n'.repeat(1000));
    let largest = 0;
    for (let i = 0; i < 200; i++) {
      scanner.push(chunk);
      for (let found = scanner.next(); found; found = scanner.next()) {
        largest = Math.max(largest, found.bytes.length);
      }
    }
    expect(largest).toBeLessThan(1 << 17);
  });

  it('says where a line has too few columns, and delivers the sentences around it', () => {
    const text = 'a b\r\nc d\r\n\r\n\r\na b\r\nc\r\nd\r\n\r\na b\r\n';
    const { sentences } = scanText(text, { cells: [0, 1] });
    expect(sentences.map(({ problem }) => problem)).toEqual([
      undefined,
      'f:6: expected at least 2 columns, found 1',
      undefined,
    ]);
    expect(sentences.map(({ firstLine }) => firstLine)).toEqual([1, 5, 9]);
  });

  it('counts negative columns from the end of each line', () => {
    const cells = [-1, -2, 0];
    const { sentences } = scanText('a b c\nd e f\n\nf\n', { cells });
    expect(sentences[0].cells).toEqual([
      ['c', 'b', 'a'],
      ['f', 'e', 'd'],
    ]);
    expect(scanText('d e\n', { cells }).sentences[0].cells).toEqual([['e', 'd', 'd']]);
    expect(sentences[1].problem).toBe('f:4: expected at least 2 columns, found 1');
  });

  it.each([
    [
      'a X\nNew York Y\n',
      {},
      'f:2: expected 2 columns as in line 1, found 3; is there a blank inside a cell? --sep',
    ],
    ['a\tX\nNew York\tY\n', {}, 'found 3; is there a blank inside a cell? --separator tab'],
    [
      '# id = 1\na X\n',
      {},
      'f:2: expected 4 columns as in line 1, found 2; are lines that begin with # comments? --com',
    ],
    [
      'a X\n\nThe dog barks.\n',
      {},
      'f:3: expected 2 columns as in line 1, found 3; is it text without columns?',
    ],
    ['a\tX\nb\tY\tZ\n', { separator: 'tab' }, 'found 3; is a tab missing, or one too many?'],
    ['a X\n%b\n\nc Y Z\n', { comments: '%' }, 'f:4: expected 2 columns as in line 1, found 3'],
  ] as const)('refuses %j, and says what it may be', (text, how, message) => {
    const problems = scanText(text, { cells: [0, 1], ...how }).sentences.map(({ problem }) => problem);
    // The scan cuts hints off.
    const scanner = new ColumnScanner({ cells: [0, 1], ...how, source: 'f' });
    scanner.push(encodeUtf8(text));
    scanner.end();
    const found = Array.from(problems, () => scanner.next()?.problem?.message ?? '');
    expect(found.join(' ')).toContain(message);
  });

  it('refuses CoNLL-U whose numbers were taken for words', () => {
    const row = (id: number) => `${id}\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n`;
    const text = `${row(1)}${row(2)}\n${row(1)}`;
    const { sentences } = scanText(text, { cells: [0, 1] });
    expect(sentences.map(({ problem }) => problem)).toEqual([
      expect.stringContaining(
        'f:1: expected columns that begin with the word, found CoNLL-U; --input-format conllu',
      ),
      expect.stringContaining('f:4: expected columns that begin with the word, found CoNLL-U'),
    ]);
    expect(scanText(text, { cells: [1, 2] }).sentences[0].problem).toBeUndefined();
  });

  it('lets cells hold spaces when tabs part them, and refuses empty ones that are wanted', () => {
    const tab = { cells: [0, 1, -1], separator: 'tab' as const };
    expect(scanText('New York\tN N\tB\n', tab).sentences[0].cells).toEqual([['New York', 'N N', 'B']]);
    expect(scanText('a\t\tB\n', { ...tab, cells: [0, 2] }).sentences[0].cells).toEqual([['a', 'B']]);
    const problemOf = (line: string) => scanText(line, tab).sentences[0].problem;
    expect(problemOf('a\t\tB')).toBe('f:1: expected a value in column 2, found an empty cell');
    expect(problemOf('\ta\tB')).toBe('f:1: expected a value in column 1, found an empty cell');
    expect(problemOf('a\tb\tB\t')).toBe('f:1: expected a value in column 4, found an empty cell');
    expect(scanText('a\tb\n\t \t\nc\td\n', { ...tab, cells: [0] }).sentences).toHaveLength(2);
  });

  it('ends a sentence at a -DOCSTART- line in its middle, and keeps that line in the gap', () => {
    const { sentences, rest } = scanText('a O\n-DOCSTART- -X- O\nb O\n-DOCSTART-', { cells: [0] });
    expect(sentences.map(({ gap, cells, firstLine }) => [gap, cells, firstLine])).toEqual([
      ['', [['a']], 1],
      ['-DOCSTART- -X- O\n', [['b']], 3],
    ]);
    expect(rest).toBe('-DOCSTART-');
  });

  it('reports every sentence with bytes that are no text, and delivers the good ones between them', () => {
    const text = 'a\n\nb\0\nc\n\nd\n\ne\n\xff\n\xfe\n\nf\n\n\0\n\ng\n';
    const { sentences } = scan([fromLatin1(text)], { cells: [0] });
    const nul = 'expected text, found a NUL byte; is this a binary file, or UTF-16 (--encoding utf-16le)?';
    expect(sentences.map(({ problem, cells }) => problem ?? cells?.join())).toEqual([
      'a',
      `f:3 (byte 4): ${nul}`,
      'd',
      'f:9 (byte 14): expected UTF-8 text, found the invalid byte 0xff; the file may be UTF-16 (--encoding utf-16le)',
      'f',
      `f:14 (byte 22): ${nul}`,
      'g',
    ]);
  });

  it.each([
    ['little-endian', '\ufeff', 'utf16le', 'byte 0', '0xff'],
    ['little-endian without a mark', '', 'utf16le', 'byte 1', 'NUL'],
  ] as const)('suspects UTF-16, %s', (_, mark, encoding, byte, found) => {
    const bytes = new Uint8Array(Buffer.from(`${mark}The DT B-NP\ndog NN I-NP\n\n`, encoding));
    const { problem } = scan([bytes], { cells: [0, 1, 2] }).sentences[0];
    expect(problem).toContain(`f:1 (${byte})`);
    expect(problem).toContain(found);
    expect(problem).toContain('UTF-16');
  });

  it('gives an InputError that knows its place', () => {
    const scanner = new ColumnScanner({ cells: [0], source: 'x.txt' });
    scanner.push(fromLatin1('a\nb\xe9\n\n'));
    const problem = scanner.next()?.problem;
    expect(problem).toBeInstanceOf(InputError);
    expect(problem?.place).toEqual({ source: 'x.txt', line: 2, byte: 3 });
  });

  it('counts lines and bytes from where a later part of an input begins', () => {
    const scanner = new ColumnScanner({ cells: [0, 1], source: 'f', from: { line: 11, byte: 100 } });
    scanner.push(fromLatin1('\na b\n\na\n\n'));
    scanner.push(fromLatin1('a \xff\n'));
    scanner.end();
    const read = () => scanner.next();
    expect(read()).toMatchObject({ firstLine: 12, problem: undefined });
    expect(read()?.problem?.message).toBe('f:14: expected at least 2 columns, found 1');
    expect(read()?.problem?.place).toEqual({ source: 'f', line: 16, byte: 111 });
  });

  it.each(['simd', 'plain'] as const)(
    'reads files of many sentences, and lines as long as a file: %s',
    (kernels) => {
      const lines = ['a b', ' a\tb ', '', '-DOCSTART- x', `${'word '.repeat(60_000)}b`, 'é b'];
      const text = Array.from(
        { length: 30_000 },
        (_, i) => lines[(i * 7 + (i % 11)) % (i % 1000 === 0 ? 6 : 4)],
      );
      const options: Options = { cells: [0, 1, -1], kernels };
      const bytes = encodeUtf8(`${text.join('\n')}\n`);
      const chunks = Array.from({ length: 5 }, (_, i) => Math.floor((bytes.length * i) / 5));
      const expected = parse(latin1(bytes), options);
      expect(scan(cut(bytes, chunks), options)).toEqual(expected);
      expect(scan([bytes], options, 'batches').sentences.map(({ cells }) => cells)).toEqual(
        expected.sentences.map(({ cells }) => cells),
      );
    },
  );

  it('reads a sentence of 100,000 tokens in small chunks', () => {
    const tokens = 100_000;
    const bytes = encodeUtf8(Array.from({ length: tokens }, (_, t) => `word${t} NN\n`).join(''));
    const scanner = new ColumnScanner({ cells: [0, 1], source: 'f' });
    for (let at = 0; at < bytes.length; at += 4096) {
      scanner.push(bytes.subarray(at, at + 4096));
      expect(scanner.next()).toBeUndefined();
    }
    scanner.end();
    const sentence = scanner.next();
    expect(sentence?.length).toBe(tokens);
    const at = (tokens - 1) * 4;
    expect(latin1(sentence?.bytes.subarray(sentence.cells[at], sentence.cells[at + 1]) as Uint8Array)).toBe(
      `word${tokens - 1}`,
    );
    expect(scanner.next()).toBeUndefined();
  });
});
