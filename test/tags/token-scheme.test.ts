import { describe, expect, it } from 'vitest';
import { decodeTags, SCHEMES } from '../../src/tags/scheme.js';
import { TagSet } from '../../src/tags/tag-set.js';
import { DIRECTIONS } from './sequences.js';

const SENTENCES = [
  ['DT', 'NN', 'O'],
  ['B-NP', 'NN'],
];

function spansOf(tags: readonly string[]) {
  return { spans: decodeTags(tags, 'token'), length: tags.length };
}

describe('scheme token', () => {
  it('takes every tag as the label of its token, whatever it looks like', () => {
    expect(decodeTags(['O', 'B-NP', '``'], 'token')).toEqual([
      { start: 0, end: 1, type: 'O' },
      { start: 1, end: 2, type: 'B-NP' },
      { start: 2, end: 3, type: '``' },
    ]);
    for (const tags of SENTENCES) {
      expect(SCHEMES.token.encode(decodeTags(tags, 'token'), tags.length)).toEqual(tags);
    }
  });

  it.each(DIRECTIONS)('has a tag set in which any label may follow any, %s', (direction) => {
    const set = TagSet.learn('token', direction, SENTENCES.map(spansOf));
    expect(set.tags).toEqual(['B-NP', 'DT', 'NN', 'O']);
    expect(set.allowed.every((legal) => legal === 1)).toBe(true);
    const again = TagSet.fromJSON(JSON.parse(JSON.stringify(set)));
    const labels = new Uint16Array(3);
    again.encode(spansOf(SENTENCES[0]).spans, 3, labels);
    expect([...labels]).toEqual(direction === 'forward' ? [1, 2, 3] : [3, 2, 1]);
    expect(again.tagStrings(labels, 3)).toEqual(SENTENCES[0]);
    expect(again.decode(labels, 3)).toEqual(spansOf(SENTENCES[0]).spans);
  });
});
