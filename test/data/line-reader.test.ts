import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { type InputLine, LineReader, rawLines } from '../../src/data/formats/line-reader.js';

function read(chunks: readonly Uint8Array[]): InputLine[] {
  const reader = new LineReader('f');
  const lines: InputLine[] = [];
  const take = () => {
    for (let line = reader.next(); line; line = reader.next()) lines.push(line);
  };
  for (const chunk of chunks) {
    reader.push(chunk);
    take();
  }
  reader.end();
  take();
  return lines;
}

const texts = (input: string | Uint8Array) =>
  read([typeof input === 'string' ? encodeUtf8(input) : input]).map(({ text, ending }) => [text, ending]);

describe('LineReader', () => {
  it('keeps line ends apart, numbers lines, and needs none at the end', () => {
    expect(texts('a\r\nb\n\n\rc')).toEqual([
      ['a', '\r\n'],
      ['b', '\n'],
      ['', '\n'],
      ['\rc', ''],
    ]);
    expect(read([encodeUtf8('a\nb')]).map(({ line }) => line)).toEqual([1, 2]);
    expect(texts('')).toEqual([]);
    expect(texts('a\n')).toEqual([['a', '\n']]);
  });

  it('takes all CR before LF for the line end', () => {
    expect(texts('a\r\r\n\r\r\n\rb\r')).toEqual([
      ['a', '\r\r\n'],
      ['', '\r\r\n'],
      ['\rb\r', ''],
    ]);
  });

  it('drops a byte order mark at the start only', () => {
    expect(texts('\ufeffa\n\ufeffb')).toEqual([
      ['a', '\n'],
      ['\ufeffb', ''],
    ]);
  });

  it('counts the byte order mark in byte offsets, however it is cut', () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 10, 0xff, 10);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const lines = read([bytes.slice(0, cut), bytes.slice(cut)]);
      expect(lines.map(({ text }) => text)).toEqual(['a', '']);
      expect(lines[1].problem?.place).toEqual({ source: 'f', line: 2, byte: 5 });
    }
  });

  it('reads a line longer than its buffer, then short ones', () => {
    const long = 'long犬'.repeat(50_000);
    const bytes = encodeUtf8(`a\n${long}\r\nb\nc`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 9999) }, (_, i) =>
      bytes.slice(i * 9999, (i + 1) * 9999),
    );
    const lines = read(chunks);
    expect(lines.map(({ text }) => text.length)).toEqual([1, long.length, 1, 1]);
    expect(rawLines(lines)).toBe(`a\n${long}\r\nb\nc`);
  });

  it('says which byte is no text, keeps the bytes, and goes on', () => {
    const bytes = Uint8Array.of(0x61, 10, 0x62, 0xff, 13, 10, 0x63, 0, 10, 0x64);
    const lines = read([bytes]);
    expect(lines.map(({ problem }) => problem?.message)).toEqual([
      undefined,
      'f:2 (byte 3): expected UTF-8 text, found the invalid byte 0xff; the file may be UTF-16 (--encoding utf-16le)',
      'f:3 (byte 7): expected text, found a NUL byte; is this a binary file, or UTF-16 (--encoding utf-16le)?',
      undefined,
    ]);
    expect(rawLines(lines)).toEqual(bytes);
    expect(rawLines(lines.slice(0, 1))).toBe('a\n');
  });

  it('does not depend on how the bytes are cut', () => {
    const line = fc.constantFrom('', 'a', 'é犬😀', '\r', 'x'.repeat(40));
    const input = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r\r\n')), { maxLength: 10 });
    fc.assert(
      fc.property(input, fc.array(fc.nat({ max: 200 }), { maxLength: 6 }), (parts, cuts) => {
        const bytes = encodeUtf8(parts.flat().join(''));
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end));
        expect(read(chunks)).toEqual(read([bytes]));
        expect(rawLines(read(chunks))).toBe(parts.flat().join(''));
      }),
    );
  });
});
