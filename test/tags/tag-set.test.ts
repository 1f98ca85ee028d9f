import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../src/tags/direction.js';
import { decodeTags, type SchemeName, schemeTable } from '../../src/tags/scheme.js';
import { TagSet, UNKNOWN_LABEL } from '../../src/tags/tag-set.js';
import { allSequences, DIRECTIONS, isLegal, SCHEME_NAMES, sentences } from './sequences.js';

function learn(scheme: SchemeName, direction: Direction, ...sequences: string[]): TagSet {
  const split = sequences.map((tags) => tags.split(' '));
  return TagSet.learn(
    scheme,
    direction,
    split.map((tags) => ({ spans: decodeTags(tags), length: tags.length })),
  );
}

describe('TagSet.learn', () => {
  it('lists the tags that occur: O, then by type and leading tag', () => {
    const set = learn('iobes', 'forward', 'S-VP B-NP I-NP E-NP O', 'B-A E-A');
    expect(set.tags).toEqual(['O', 'B-A', 'E-A', 'B-NP', 'I-NP', 'E-NP', 'S-VP']);
    expect(set.types).toEqual(['A', 'NP', 'VP']);
  });

  it('needs no O', () => {
    const set = learn('iob2', 'forward', 'B I B', 'B');
    expect(set.tags).toEqual(['B', 'I']);
    expect(set.types).toEqual(['']);
  });

  it('reads a generator once', () => {
    function* once() {
      yield { spans: [{ start: 0, end: 2, type: 'X' }], length: 3 };
      yield { spans: [], length: 1 };
    }
    expect(TagSet.learn('iob2', 'forward', once()).tags).toEqual(['O', 'B-X', 'I-X']);
  });

  it('lists the schemes where the name is wrong', () => {
    expect(() => learn('bio' as SchemeName, 'forward', 'O')).toThrow(/expected iob2, .* found "bio"/);
  });

  it('keeps the learned matrix where every length has a legal path', () => {
    const set = learn('iob2', 'forward', 'B-X I-X I-X', 'B-X', 'O O');
    expect(set.legality).toBe('learned');
    // Start, then B of another chunk: X after X of the same type was never seen.
    expect(isLegal(set.allowed, [1, 1], 3)).toBe(false);
  });

  it('falls back to the scheme where the learned matrix has no path of some length', () => {
    // Neither O O nor B B was seen: only lengths 1 and 2 have learned paths.
    const set = learn('iob2', 'forward', 'B-X I-X');
    expect(set.legality).toBe('scheme');
    expect(set.allowed).toEqual(schemeTable('iob2', set.tags, 'forward'));
  });

  it('notices that only some lengths have paths', () => {
    // Chunks of two tokens only, one after the other: no sentence of odd length. The scheme does not help.
    const set = learn('iobes', 'forward', 'B-X E-X B-X E-X', 'B-X E-X');
    expect(set.legality).toBe('none');
    expect(set.allowed.every((legal) => legal === 1)).toBe(true);
  });

  it.each(DIRECTIONS)('always leaves a legal path of every length (%s)', (direction) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SCHEME_NAMES),
        fc.array(
          sentences.filter(({ length }) => length > 0),
          { minLength: 1, maxLength: 3 },
        ),
        (scheme, data) => {
          const set = TagSet.learn(scheme, direction, data);
          const size = set.tags.length + 1;
          let reached = [set.tags.length];
          for (let length = 1; length <= 40; length++) {
            const next = new Set(
              reached.flatMap((a) =>
                set.tags.map((_, b) => b).filter((b) => set.allowed[a * size + b] === 1),
              ),
            );
            reached = [...next];
            expect(reached.some((label) => set.allowed[label * size + size - 1] === 1)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('TagSet labels', () => {
  const cases = SCHEME_NAMES.flatMap((scheme) => DIRECTIONS.map((direction) => ({ scheme, direction })));

  it.each(cases)('$scheme $direction: decode inverts encode, and training data are legal', (pair) => {
    fc.assert(
      fc.property(
        sentences.filter(({ length }) => length > 0),
        ({ spans, length }) => {
          const set = TagSet.learn(pair.scheme, pair.direction, [{ spans, length }]);
          const labels = new Uint16Array(length + 1).fill(7);
          set.encode(spans, length, labels);
          expect(labels[length]).toBe(7);
          expect(set.decode(labels, length)).toEqual(spans);
          expect(isLegal(set.allowed, [...labels.subarray(0, length)], set.tags.length)).toBe(true);
        },
      ),
    );
  });

  it('are in reading order, tag strings in text order', () => {
    const spans = [{ start: 0, end: 2, type: 'X' }];
    const forward = new Uint16Array(3);
    const backward = new Uint16Array(3);
    const set = learn('iob2', 'forward', 'B-X I-X O');
    const reversed = learn('iob2', 'backward', 'B-X I-X O');
    set.encode(spans, 3, forward);
    reversed.encode(spans, 3, backward);
    expect([...forward]).toEqual([1, 2, 0]);
    expect([...backward]).toEqual([0, 2, 1]);
    expect(set.tagStrings(forward, 3)).toEqual(['B-X', 'I-X', 'O']);
    expect(reversed.tagStrings(backward, 3)).toEqual(['B-X', 'I-X', 'O']);
  });

  it('mark tags that the set does not have', () => {
    const labels = new Uint16Array(2);
    learn('iob2', 'forward', 'B-X O').encode([{ start: 0, end: 2, type: 'X' }], 2, labels);
    expect([...labels]).toEqual([1, UNKNOWN_LABEL]);
  });

  it('are decoded leniently where they are ill-formed', () => {
    expect(learn('iob2', 'forward', 'B-X I-X O').decode([0, 2, 2], 3)).toEqual([
      { start: 1, end: 3, type: 'X' },
    ]);
  });
});

describe('TagSet JSON', () => {
  const set = learn('iobes', 'backward', 'B-X E-X S-Y O', 'O O S-X');
  const json = JSON.parse(JSON.stringify(set));

  it('brings back an equal set', () => {
    const again = TagSet.fromJSON(json);
    expect(again).toEqual(set);
    for (const labels of allSequences(['0', '1', '2', '3', '4'], 3)) {
      expect(again.decode(labels.map(Number), labels.length)).toEqual(
        set.decode(labels.map(Number), labels.length),
      );
    }
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', null, /none is not a tag scheme/],
    ['an unknown scheme', { ...json, scheme: 'toString' }, /"toString" is not a tag scheme/],
    ['an unknown direction', { ...json, direction: 'up' }, /forward or backward, found "up"/],
    ['an unknown legality', { ...json, legality: 1 }, /learned, scheme or none, found 1/],
    ['no tags', { ...json, tags: undefined }, /expected different tags/],
    ['a repeated tag', { ...json, tags: ['O', 'O'] }, /expected different tags/],
    ['a tag of another scheme', { ...json, scheme: 'iob2' }, /"E-X" is not a tag of iob2/],
    ['an unknown tag', { ...json, tags: ['O', 'Q'] }, /"Q" is not a tag of iobes/],
    ['a missing row', { ...json, allowed: json.allowed.slice(1) }, /expected 6 rows of 6 digits/],
    ['a short row', { ...json, allowed: json.allowed.with(0, '01') }, /expected 6 rows of 6 digits/],
    [
      'no way to an end',
      { ...json, allowed: json.allowed.map((row: string) => row.replace(/.$/, '0')) },
      /sentences of every length/,
    ],
    ['another digit', { ...json, allowed: json.allowed.with(0, '000002') }, /expected 6 rows/],
  ])('refuses %s', (_, value, message) => {
    expect(() => TagSet.fromJSON(value)).toThrow(message);
  });
});
