import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import { extract } from '../../src/features/extractor.js';
import { type FeatureArrays, FeatureIndex } from '../../src/features/feature-index.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { extractionCase, featureTexts } from './small-corpora.js';

/** Proves that `find` finds every feature and nothing else. */
function expectFindable(index: FeatureIndex) {
  let seen = 0;
  index.starts.forEach((starts, c) => {
    for (let tuple = 0; tuple + 1 < starts.length; tuple++) {
      const found: number[] = [];
      for (let slot = 0; slot < index.layout.conjunctions[c].slots; slot++) {
        const feature = index.find(c, tuple, slot);
        if (feature < 0) continue;
        expect(index.slots[feature]).toBe(slot);
        found.push(feature);
      }
      expect(found).toEqual(
        Array.from({ length: starts[tuple + 1] - starts[tuple] }, (_, i) => starts[tuple] + i),
      );
      seen += found.length;
    }
  });
  expect(seen).toBe(index.size);
}

/** By view: the strings that features read. */
function stringsRead(index: FeatureIndex): Map<string, Set<string>> {
  const read = new Map(index.layout.views.map((view) => [view, new Set<string>()]));
  for (let f = 0; f < index.size; f++) {
    for (const { node, value } of index.describe(f)) {
      const isBoundary = /^<(start-|end\+)\d>$/.test(String(value));
      if (!isBoundary) read.get(node.replace(/\[-?\d\]$/, ''))?.add(String(value));
    }
  }
  return read;
}

const unpackLike = (index: FeatureIndex, arrays: FeatureArrays) =>
  FeatureIndex.unpack(index.templates, index.direction, index.labels, arrays);

describe('FeatureIndex', () => {
  it('finds every feature by conjunction, tuple and slot, and gives each a text of its own', () => {
    fc.assert(
      fc.property(extractionCase, ({ corpus, gold, options }) => {
        const { index } = extract(corpus, gold, options);
        expectFindable(index);
        expect(new Set(featureTexts(index)).size).toBe(index.size);
      }),
    );
  });

  it('prunes to the features kept: same texts in the same order, and no string that none of them reads', () => {
    fc.assert(
      fc.property(extractionCase, fc.infiniteStream(fc.boolean()), ({ corpus, gold, options }, flags) => {
        const { index } = extract(corpus, gold, options);
        const keep = Uint8Array.from({ length: index.size }, () => (flags.next().value ? 1 : 0));
        const pruned = index.prune(keep);
        expect(featureTexts(pruned)).toEqual(featureTexts(index).filter((_, f) => keep[f] === 1));
        expectFindable(pruned);
        const read = stringsRead(pruned);
        pruned.layout.views.forEach((view, v) => {
          expect(new Set(pruned.values[v].toArray())).toEqual(read.get(view));
        });
        for (const table of pruned.tables) expect(table?.size ?? 0).toBeLessThanOrEqual(pruned.size);
      }),
    );
  });

  it('survives packing, pruned or not', () => {
    fc.assert(
      fc.property(extractionCase, fc.boolean(), ({ corpus, gold, options }, prunes) => {
        const whole = extract(corpus, gold, options).index;
        const index = prunes ? whole.prune(Uint8Array.from({ length: whole.size }, (_, f) => f % 2)) : whole;
        const arrays = index.pack();
        const copy = unpackLike(index, arrays);
        expect(featureTexts(copy)).toEqual(featureTexts(index));
        expectFindable(copy);
        expect(copy.pack()).toEqual(arrays);
        for (const alphabet of copy.values) expect(alphabet.add('certainly new')).toBe(-1);
      }),
    );
  });
});

describe('FeatureIndex.unpack', () => {
  const corpus = readColumns(encodeUtf8('The DT\ndog NN\nbarks VBZ\n'), { columns: ['word', 'pos'] });
  const templates = parseTemplates('word[0]\nword[-1] pos[0]\nlabel[-1]', 'x', ['word', 'pos']);
  const { index } = extract(corpus, Uint16Array.of(0, 1, 0), {
    templates,
    direction: 'forward',
    labels: 2,
    cutOff: 1,
  });
  const arrays = index.pack();
  const joined = index.layout.conjunctions.findIndex(({ views }) => views.length === 2);
  const single = index.layout.conjunctions.findIndex(({ views }) => views.length === 1);
  const constant = index.layout.conjunctions.findIndex(({ views }) => views.length === 0);
  const change = <T>(list: readonly T[], at: number, make: (value: T) => T) =>
    list.map((value, i) => (i === at ? make(value) : value));
  const keys = (make: (keys: Uint32Array) => Uint32Array): FeatureArrays => ({
    ...arrays,
    keys: change(arrays.keys, joined, (value) => make(value as Uint32Array)),
  });
  const counts = (conjunction: number, make: (counts: Uint16Array) => Uint16Array): FeatureArrays => ({
    ...arrays,
    counts: change(
      arrays.counts.map((own) => Uint16Array.from(own)),
      conjunction,
      make,
    ),
  });

  it('takes the arrays as they were', () => {
    expect(featureTexts(unpackLike(index, arrays))).toEqual(featureTexts(index));
  });

  it.each<[string, FeatureArrays, RegExp]>([
    [
      'a count too few',
      counts(single, (all) => all.slice(1)),
      /conjunction \d: expected feature counts for \d+ tuples/,
    ],
    [
      'a count too many',
      counts(constant, (all) => Uint16Array.of(...all, 0)),
      /expected feature counts for 1 tuples, found 2/,
    ],
    ['a tuple too few', keys((all) => all.slice(2)), /expected feature counts/],
    ['half a tuple', keys((all) => all.slice(1)), /expected feature counts/],
    [
      'a value that no string has',
      keys((all) => all.with(0, 1000)),
      /expected value ids of 1 to \d+, found 1000/,
    ],
    [
      'a string too few',
      {
        ...arrays,
        values: change(arrays.values, 0, ({ pool, offsets }) => ({ pool, offsets: offsets.slice(0, -1) })),
      },
      /expected/,
    ],
    [
      'a string twice',
      {
        ...arrays,
        values: change(arrays.values, 0, ({ offsets }) => ({
          pool: encodeUtf8('ThedogThere'),
          offsets: offsets.with(3, 9),
        })),
      },
      /expected/,
    ],
    ['a slot too few', { ...arrays, slots: arrays.slots.slice(1) }, /slot/],
    [
      'a slot too many',
      { ...arrays, slots: Uint16Array.of(...arrays.slots, 0) },
      /expected slots for \d+ features/,
    ],
    [
      'a slot that does not exist',
      { ...arrays, slots: arrays.slots.with(arrays.slots.length - 1, 99) },
      /feature \d+: slot 99 does not exist/,
    ],
    [
      'features more than slots',
      counts(constant, (all) => all.with(0, all[0] + 1)),
      /expected slots for \d+ features/,
    ],
  ])('refuses %s', (_, broken, message) => {
    expect(() => unpackLike(index, broken)).toThrow(message);
  });
});
