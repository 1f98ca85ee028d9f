import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnConsistency } from '../../src/tags/consistency.js';
import { detectScheme } from '../../src/tags/detect-scheme.js';
import { convertTags, decodeTags, SCHEMES, schemeTable } from '../../src/tags/scheme.js';
import { allSequences, DIRECTIONS, isLegal, SCHEME_NAMES, sentences, tagsOf } from '../tags/sequences.js';

describe.each(SCHEME_NAMES)('tag scheme %s', (name) => {
  const scheme = SCHEMES[name];
  const tags = tagsOf(name, ['X', 'Y']);
  // Of thirteen tags there are too many sequences of five.
  const longest = tags.length > 9 ? 4 : 5;
  const wellFormed = [...allSequences(tags, longest)].filter((sequence) => {
    const again = scheme.encode(decodeTags(sequence), sequence.length);
    return again.every((tag, i) => tag === sequence[i]);
  });

  it('is named as in the table and describes itself', () => {
    expect(scheme.name).toBe(name);
    expect(scheme.help).not.toBe('');
  });

  it('gets spans back from the tags it writes, and writes only its own tags', () => {
    fc.assert(
      fc.property(sentences, ({ spans, length }) => {
        const encoded = scheme.encode(spans, length);
        expect(encoded).toHaveLength(length);
        expect(decodeTags(encoded)).toEqual(spans);
        for (const tag of encoded) expect(tagsOf(name, ['NP', 'A-B'])).toContain(tag);
      }),
    );
  });

  it('writes and reads untyped chunks', () => {
    const spans = [
      { start: 0, end: 1, type: '' },
      { start: 1, end: 4, type: '' },
      { start: 5, end: 7, type: '' },
    ];
    const encoded = scheme.encode(spans, 7);
    for (const tag of encoded) expect(['O', ...scheme.leadingTags]).toContain(tag);
    expect(decodeTags(encoded)).toEqual(spans);
  });

  it.each(SCHEME_NAMES)('converts to %s and back without loss', (other) => {
    fc.assert(
      fc.property(sentences, ({ spans, length }) => {
        const own = scheme.encode(spans, length);
        const converted = convertTags(own, other);
        expect(converted).toEqual(SCHEMES[other].encode(spans, length));
        expect(convertTags(converted, name)).toEqual(own);
      }),
    );
  });

  it('is detected', () => {
    expect(detectScheme(wellFormed)).toEqual({
      scheme: name,
      irregular: 0,
      tags: wellFormed.reduce((sum, sequence) => sum + sequence.length, 0),
    });
  });

  describe.each(DIRECTIONS)('read %s', (direction) => {
    const read = (sequence: readonly string[]): number[] => {
      const labels = sequence.map((tag) => tags.indexOf(tag));
      return direction === 'forward' ? labels : labels.reverse();
    };

    it('has a table that admits exactly the well-formed sequences', () => {
      const table = schemeTable(name, tags, direction);
      expect(table).toHaveLength((tags.length + 1) ** 2);
      const admitted = [...allSequences(tags, longest)].filter((s) => isLegal(table, read(s), tags.length));
      expect(admitted).toEqual(wellFormed);
    });

    it('has its table learned from data that shows every pair', () => {
      // The empty sentence shows the pair of start and end, and a chunk of six tokens two of six tags' I in a row.
      const long = ['X', 'Y'].map((type) => scheme.encode([{ start: 0, end: 6, type }], 6));
      const learned = learnConsistency(tags, [[], ...[...wellFormed, ...long].map(read)]);
      expect(learned).toEqual(schemeTable(name, tags, direction));
    });
  });
});
