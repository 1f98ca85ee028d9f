import { describe, expect, it } from 'vitest';
import { columnStrings, readColumns, selectSentences } from '../../src/data/corpus.js';
import { GoldTags } from '../../src/tags/gold-tags.js';
import { decodeTags, parseTags } from '../../src/tags/scheme.js';

const read = (sentences: readonly string[]) =>
  readColumns(`${sentences.map((tags) => tags.replaceAll(' ', '\n')).join('\n\n')}\n`, {
    columns: ['chunk'],
  });

const WELL_FORMED = ['B-NP I-NP O B-VP', 'O', 'E-NP I-NP B-X-Y S'];

describe('gold tags of a corpus', () => {
  it.each(['iob2', 'token'] as const)('are those of its last column, scheme %s', (scheme) => {
    const corpus = read(WELL_FORMED);
    const gold = new GoldTags(corpus, scheme);
    WELL_FORMED.forEach((_, s) => {
      const strings = columnStrings(corpus, 0, s);
      expect(gold.tags(s)).toEqual(parseTags(strings, scheme));
      expect(gold.spans(s)).toEqual(decodeTags(strings, scheme));
    });
  });

  it('are refused in the sentence that has what is no tag, and there alone', () => {
    const corpus = selectSentences(read(['B-NP O', 'O X-NP']), [1, 0]);
    const gold = new GoldTags(corpus);
    expect(() => gold.spans(0)).toThrow('tag 2: expected O, or ');
    expect(gold.spans(1)).toEqual([{ start: 0, end: 1, type: 'NP' }]);
  });
});
