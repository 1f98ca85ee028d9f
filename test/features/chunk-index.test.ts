import { describe, expect, it } from 'vitest';
import { Alphabet } from '../../src/data/alphabet.js';
import { ChunkIndexBuilder } from '../../src/features/chunk-index-builder.js';
import { FIRST_VALUE, PADDING } from '../../src/features/layout.js';
import { symmetry, template } from '../../src/features/template.js';

describe('symmetry(VIEW)', () => {
  /** The features of a chunk that is all of a sentence but its first token; `-` has no value. */
  const features = (pos: string) => {
    const alphabet = new Alphabet();
    const tokens = ['CC', ...pos.split(' ')];
    const stride = tokens.length + 2 * PADDING;
    const values = new Uint32Array(stride);
    tokens.forEach((token, t) => {
      if (token !== '-') values[PADDING + t] = FIRST_VALUE + alphabet.add(token);
    });
    const all = new ChunkIndexBuilder([template(symmetry('pos'))], ['pos'], 1);
    all.start({ values, stride, length: tokens.length });
    all.count(1, tokens.length);
    const index = all.finish(1);
    index.start({ values, stride, length: tokens.length });
    const found = index.find('both', 1, tokens.length, new Uint32Array(1), 0);
    expect(found).toBe(index.size);
    return Array.from({ length: index.size }, (_, f) => index.describe(f, [alphabet]));
  };

  it.each([
    ['NN CC NN', 'CC'],
    ['DT NN CC NN', 'CC'],
    ['DT JJ NN , JJ NN', ','],
    ['NN CC NN CC NN', 'CC'],
    ['NN NN NN NN NN', 'NN'],
  ])('reads what stands between the last tokens of %s and others alike', (pos, value) => {
    expect(features(pos)).toEqual([`symmetry(pos)=${value}`]);
  });

  it.each(['NN', 'NN NN', 'NN CC NNS', 'NN CC JJ NN', '- CC -', 'NN - NN'])('has no value in %s', (pos) => {
    expect(features(pos)).toEqual([]);
  });
});
