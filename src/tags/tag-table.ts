import { MOST_DISTANCE, placeOf, type TagTable } from '../kernels/append-tags.js';
import { type Arrays, int32, uint8 } from '../kernels/layout.js';
import { SCHEMES, type SchemeName } from './scheme.js';
import { PLAIN_SPELLING, spellTag } from './spelling.js';
import type { TagSet } from './tag-set.js';

const DISTANCES = Array.from({ length: MOST_DISTANCE + 1 }, (_, distance) => distance);

/** Tags of a scheme for the types of a tag set, by the numbers that `encodeTags` gives. */
export function tagTexts({ types }: TagSet, scheme: SchemeName, spelling = PLAIN_SPELLING): string[] {
  const { leadingTags, format } = SCHEMES[scheme];
  const tags = ['O', ...types.flatMap((type) => leadingTags.map((leading) => format(leading, type)))];
  return scheme === 'token' ? tags : tags.map((tag) => spellTag(spelling, tag));
}

/**
 * Arrays of a {@link TagTable}.
 *
 * @hidden
 */
export function tagTableLayout({ tags, opens }: TagSet) {
  return {
    types: int32(tags.length + 1),
    opens: uint8(opens.length),
    leading: uint8(4 * DISTANCES.length ** 2),
  };
}

/**
 * How the labels of a tag set become tags of a scheme by numbers alone: `encodeTags` gives with it what
 * `SCHEMES[scheme].encode(tagSet.decode(labels))` gives with spans and strings in between.
 *
 * @param arrays those of `tagTableLayout`; written.
 */
export function makeTagTable(
  tagSet: TagSet,
  scheme: SchemeName,
  arrays: Arrays<ReturnType<typeof tagTableLayout>>,
): TagTable {
  const { leadingTags, leading: leadingOf } = SCHEMES[scheme];
  const { types, typeOfLabel, opens, direction } = tagSet;
  const boundary = tagSet.tags.length;
  const table = { ...arrays, leadingTags: leadingTags.length, backward: direction === 'backward' };
  table.types.fill(-1);
  table.opens.set(opens);
  const numbers = new Map(types.map((type, number) => [type, number]));
  typeOfLabel.forEach((type, label) => {
    // A label that opens no chunk at the start of a sentence is outside chunks.
    if (opens[boundary * (boundary + 1) + label] !== 0) table.types[label] = numbers.get(type) as number;
  });
  for (const offset of DISTANCES) {
    for (const rest of DISTANCES) {
      for (const before of [0, 1]) {
        for (const after of [0, 1]) {
          const leading = leadingOf(offset, offset + 1 + rest, before === 1, after === 1);
          table.leading[placeOf(offset, rest, before, after)] = leadingTags.indexOf(leading);
        }
      }
    }
  }
  return table;
}
