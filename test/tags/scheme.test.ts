import { describe, expect, it } from 'vitest';
import { SpanwrightError } from '../../src/base/errors.js';
import { detectScheme } from '../../src/tags/detect-scheme.js';
import {
  type ChunkSchemeName,
  convertTags,
  decodeTags,
  parseTag,
  SCHEMES,
  schemeTable,
} from '../../src/tags/scheme.js';
import { allSequences, tagsOf } from './sequences.js';

describe('SCHEMES', () => {
  // "In early trading in Hong Kong Monday": Table 1 of Wu et al. (2008); the last row follows from the definition.
  it.each<[ChunkSchemeName, string]>([
    ['iob1', 'I-PP I-NP I-NP I-PP I-NP I-NP B-NP'],
    ['iob2', 'B-PP B-NP I-NP B-PP B-NP I-NP B-NP'],
    ['ioe1', 'I-PP I-NP I-NP I-PP I-NP E-NP I-NP'],
    ['ioe2', 'E-PP I-NP E-NP E-PP I-NP E-NP E-NP'],
    ['iobes', 'S-PP B-NP E-NP S-PP B-NP E-NP S-NP'],
  ])('writes the worked example in %s', (name, tags) => {
    const spans = [
      { start: 0, end: 1, type: 'PP' },
      { start: 1, end: 3, type: 'NP' },
      { start: 3, end: 4, type: 'PP' },
      { start: 4, end: 6, type: 'NP' },
      { start: 6, end: 7, type: 'NP' },
    ];
    expect(SCHEMES[name].encode(spans, 7)).toEqual(tags.split(' '));
    expect(decodeTags(tags.split(' '))).toEqual(spans);
  });

  it.each<[ChunkSchemeName, string]>([
    ['bi-bies', 'S B E B BI E B BI IE E B BI I IE E B BI I I IE E'],
    ['e-bies', 'S B E B IE E B BI IE E B BI I IE E B BI I I IE E'],
    ['b-bies', 'S B E B B2 E B B2 B3 E B B2 B3 M E B B2 B3 M M E'],
  ])('writes words of one to six characters in %s', (name, tags) => {
    const spans = [0, 1, 3, 6, 10, 15].map((start, i) => ({ start, end: start + i + 1, type: '' }));
    expect(SCHEMES[name].encode(spans, 21)).toEqual(tags.split(' '));
    expect(decodeTags(tags.split(' '))).toEqual(spans);
  });

  it('keeps B of IOB1 and E of IOE1 for adjacent chunks of the same type', () => {
    const spans = [
      { start: 0, end: 2, type: 'X' },
      { start: 2, end: 4, type: 'Y' },
      { start: 5, end: 6, type: 'Y' },
      { start: 6, end: 7, type: 'Y' },
    ];
    expect(SCHEMES.iob1.encode(spans, 7).join(' ')).toBe('I-X I-X I-Y I-Y O I-Y B-Y');
    expect(SCHEMES.ioe1.encode(spans, 7).join(' ')).toBe('I-X I-X I-Y I-Y O E-Y I-Y');
  });
});

describe('schemeTable', () => {
  // Table 2 of Wu et al. (2008): rows are the previous class, columns the current one.
  it('is the published matrix for IOB2', () => {
    const table = schemeTable('iob2', ['B-NP', 'B-VP', 'I-NP', 'I-VP', 'O'], 'forward');
    const rows = Array.from({ length: 6 }, (_, row) => table.slice(row * 6, row * 6 + 6).join(''));
    expect(rows).toEqual(['111011', '110111', '111011', '110111', '110011', '110011']);
  });
});

describe('parseTag', () => {
  it('splits at the first hyphen', () => {
    expect(parseTag('B-NP')).toEqual({ leading: 'B', type: 'NP' });
    expect(parseTag('S-A-B')).toEqual({ leading: 'S', type: 'A-B' });
    expect(parseTag('E')).toEqual({ leading: 'E', type: '' });
    expect(parseTag('O')).toEqual({ leading: 'O', type: '' });
  });

  it.each(['', '-', 'X-NP', 'NP', 'b-NP', 'O-NP', 'BX-NP'])('does not know %j', (tag) => {
    expect(parseTag(tag)).toBeUndefined();
  });
});

describe('decodeTags', () => {
  it('reads ill-formed tags leniently', () => {
    const read = (tags: string) =>
      decodeTags(tags.split(' '))
        .map(({ start, end, type }) => `${type}[${start},${end})`)
        .join(' ');
    expect(read('O I-X I-Y O')).toBe('X[1,2) Y[2,3)');
    expect(read('B-X B-X')).toBe('X[0,1) X[1,2)');
    expect(read('E-X B-X')).toBe('X[0,1) X[1,2)');
    expect(read('E-X I-X E-X')).toBe('X[0,1) X[1,3)');
    expect(read('S-X I-X')).toBe('X[0,1) X[1,2)');
    expect(read('B-X S-X O E-X')).toBe('X[0,1) X[1,2) X[3,4)');
    expect(read('B-X E-Y')).toBe('X[0,1) Y[1,2)');
    expect(read('L-X I-X W-X U-X M-X L-X')).toBe('X[0,1) X[1,2) X[2,3) X[3,4) X[4,6)');
    expect(decodeTags([])).toEqual([]);
  });

  it('starts and ends chunks where conlleval does, but for E then B of one type', () => {
    // The script's tables, pair by pair, as docs/METHODS.md has them.
    const starts = ['BB', 'IB', 'OB', 'OI', 'EE', 'EI', 'OE', 'EB'];
    const ends = ['BB', 'BO', 'IB', 'IO', 'EE', 'EI', 'EO', 'EB'];
    const tags = ['O', 'B-X', 'I-X', 'E-X', 'B-Y', 'I-Y', 'E-Y'];
    for (const sequence of allSequences(tags, 4)) {
      const expected: [number, number][] = [];
      let start = 0;
      for (let i = 0; i <= sequence.length; i++) {
        const [a, aType] = (sequence[i - 1] ?? 'O').split('-');
        const [b, bType] = (sequence[i] ?? 'O').split('-');
        if (a !== 'O' && (ends.includes(a + b) || aType !== bType)) expected.push([start, i]);
        if (b !== 'O' && (starts.includes(a + b) || aType !== bType)) start = i;
      }
      expect(decodeTags(sequence).map((span) => [span.start, span.end])).toEqual(expected);
    }
  });

  it('names the tag that no scheme has', () => {
    expect(() => decodeTags(['O', 'X-NP'])).toThrow(SpanwrightError);
    expect(() => decodeTags(['O', 'X-NP'])).toThrow(
      /tag 2: expected O, or B, I, E, S, L, U, M, W, B2, B3, BI or IE .*found "X-NP"/,
    );
  });
});

describe('convertTags', () => {
  it('lists the schemes where the name is wrong', () => {
    expect(() => convertTags(['O'], 'bio' as ChunkSchemeName)).toThrow(
      '--scheme: expected iob2, ioe2, iobes, iob1, ioe1, bilou, bmes, bmewo, bieo, b-bies, e-bies or bi-bies, found "bio"',
    );
  });
});

describe('detectScheme', () => {
  const detect = (...sentences: string[]) => detectScheme(sentences.map((tags) => tags.split(' ')));

  it('prefers IOB2, then IOE2, IOBES, IOB1, IOE1 where several fit', () => {
    expect(detectScheme([])).toEqual({ scheme: 'iob2', irregular: 0, tags: 0 });
    expect(detect('O O')).toEqual({ scheme: 'iob2', irregular: 0, tags: 2 });
    expect(detect('B-X O B-X')).toEqual({ scheme: 'iob2', irregular: 0, tags: 3 });
    expect(detect('E-X O E-X')).toEqual({ scheme: 'ioe2', irregular: 0, tags: 3 });
    // One-token chunks only: neither B nor E, so IOB1 and IOE1 write the same.
    expect(detect('I-X O I-Y')).toEqual({ scheme: 'iob1', irregular: 0, tags: 3 });
  });

  it('tells IOB1 and IOE1 apart by adjacent chunks', () => {
    expect(detect('I-X I-X B-X O')).toEqual({ scheme: 'iob1', irregular: 0, tags: 4 });
    expect(detect('I-X E-X I-X O')).toEqual({ scheme: 'ioe1', irregular: 0, tags: 4 });
  });

  it('sees IOBES without S', () => {
    expect(detect('B-X I-X E-X O')).toEqual({ scheme: 'iobes', irregular: 0, tags: 4 });
  });

  it('counts an I after O as one irregular tag of IOB2', () => {
    expect(detect('B-X I-X O B-Y', 'O I-X I-X B-Y')).toEqual({ scheme: 'iob2', irregular: 1, tags: 8 });
  });

  it('counts every differing tag, not sentences', () => {
    // As IOB2, the three single I are irregular; as IOB1, the two B are.
    expect(detect('I-X O I-X O I-X', 'B-X I-X O B-X')).toEqual({ scheme: 'iob1', irregular: 2, tags: 9 });
  });
});

describe('tagsOf (test helper)', () => {
  it('enumerates every sequence once', () => {
    const all = [...allSequences(tagsOf('iob2', ['X']), 3)].map((sequence) => sequence.join(' '));
    expect(all).toHaveLength(3 + 9 + 27);
    expect(new Set(all).size).toBe(all.length);
  });
});
