import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeTags } from '../../src/kernels/append-tags.js';
import { createMemory, type KernelName } from '../../src/kernels/kernels.js';
import { uint16, uint32 } from '../../src/kernels/layout.js';
import { SCHEMES, type SchemeName } from '../../src/tags/scheme.js';
import { TagSet } from '../../src/tags/tag-set.js';
import { makeTagTable, tagTableLayout, tagTexts } from '../../src/tags/tag-table.js';
import { DIRECTIONS, SCHEME_NAMES } from './sequences.js';

const NAMES: KernelName[] = ['plain', 'simd'];

/** Sentences with chunks of these types, and with tokens outside chunks. */
const seen = (types: readonly string[]) => [
  { spans: types.map((type, i) => ({ start: i, end: i + 1, type })), length: types.length + 1 },
];

/** Tags of sentences by numbers. */
function encode(
  tagSet: TagSet,
  scheme: SchemeName,
  sentences: readonly (readonly number[])[],
  name: KernelName,
): string[] {
  const tokens = sentences.flat().length;
  const { arrays, bind } = createMemory(
    {
      table: tagTableLayout(tagSet),
      labels: uint16(tokens),
      starts: uint32(sentences.length + 1),
      tags: uint32(tokens),
    },
    name,
  );
  const { labels, starts, tags } = arrays;
  labels.set(sentences.flat());
  sentences.forEach((sentence, s) => {
    starts[s + 1] = starts[s] + sentence.length;
  });
  tags.fill(12345);
  const table = makeTagTable(tagSet, scheme, arrays.table);
  bind({ encodeTags }).encodeTags({ table, labels, starts, count: sentences.length, tags });
  const texts = tagTexts(tagSet, scheme);
  return Array.from(tags, (tag) => texts[tag]);
}

describe.each(NAMES)('makeTagTable and encodeTags: %s', (name) => {
  const kinds = SCHEME_NAMES.flatMap((scheme) => DIRECTIONS.map((direction) => [scheme, direction] as const));

  it.each(kinds)('turn labels of %s, read %s, into the tags of every scheme', (scheme, direction) => {
    for (const types of [['NP', 'A-B'], ['']]) {
      const tagSet = TagSet.complete(scheme, direction, seen(types));
      const label = fc.nat(tagSet.tags.length - 1);
      // Random labels make short chunks, runs of one label long ones.
      const run = fc
        .tuple(label, fc.oneof(fc.constant(1), fc.nat(7)))
        .map(([one, times]) => new Array<number>(times).fill(one));
      const sentence = fc.array(run, { maxLength: 10 }).map((runs) => runs.flat());
      fc.assert(
        fc.property(
          fc.array(sentence, { maxLength: 4 }),
          fc.constantFrom(...SCHEME_NAMES),
          (sentences, to) => {
            const expected = sentences.flatMap((labels) =>
              SCHEMES[to].encode(tagSet.decode(labels, labels.length), labels.length),
            );
            expect(encode(tagSet, to, sentences, name)).toEqual(expected);
          },
        ),
        { numRuns: 40 },
      );
    }
  });

  it('keep every chunk as it is', () => {
    // Long chunks, which touch or do not: what a scheme tells apart by distance from either end.
    const chunk = fc.record({
      length: fc.integer({ min: 1, max: 9 }),
      type: fc.constantFrom('NP', 'VP'),
      gap: fc.nat(1),
    });
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 6 }),
        fc.constantFrom(...SCHEME_NAMES),
        fc.constantFrom(...DIRECTIONS),
        (chunks, to, direction) => {
          const tagSet = TagSet.complete('iobes', direction, seen(['NP', 'VP']));
          let end = 0;
          const spans = chunks.map(({ length, type, gap }) => {
            const start = end + gap;
            end = start + length;
            return { start, end, type };
          });
          const labels = new Uint16Array(end);
          tagSet.encode(spans, end, labels);
          expect(encode(tagSet, to, [[...labels]], name)).toEqual(SCHEMES[to].encode(spans, end));
        },
      ),
    );
  });

  it.each(DIRECTIONS)('leave labels of single tokens as they are, read %s', (direction) => {
    const tagSet = TagSet.complete('token', direction, seen(['NN', 'O', 'B-NP', 'VB']));
    fc.assert(
      fc.property(fc.array(fc.nat(tagSet.tags.length - 1)), (labels) => {
        expect(encode(tagSet, 'token', [labels], name)).toEqual(tagSet.tagStrings(labels, labels.length));
      }),
    );
  });
});
