import { expect, it } from 'vitest';
import { parseTag } from '../../src/tags/scheme.js';

interface Sentence {
  readonly words: readonly string[];
  readonly pos: readonly string[];
  readonly tags: readonly string[];
}

it('everyday sentences are well-formed, short, and the same every time', async () => {
  const url = new URL('../../scripts/everyday-sentences.js', import.meta.url).href;
  const { everydaySentences } = (await import(url)) as { everydaySentences(): Sentence[] };
  const sentences = everydaySentences();
  expect(sentences).toEqual(everydaySentences());
  expect(sentences.length).toBeGreaterThan(500);
  for (const { words, pos, tags } of sentences) {
    expect([pos.length, tags.length]).toEqual([words.length, words.length]);
    expect(words.length).toBeLessThanOrEqual(10);
    expect(words[0]).toMatch(/^[A-Z]/);
    tags.forEach((tag, t) => {
      expect(parseTag(tag), tag).toBeDefined();
      if (tag.startsWith('I-')) expect(tags[t - 1].slice(2)).toBe(tag.slice(2));
    });
    for (const word of words) expect(word).toMatch(/^(?:[A-Za-z]+|[.,!?]|n't|'m)$/);
    for (const tag of pos) expect(tag).toMatch(/^[A-Z]+\$?$|^[.,]$/);
  }
});
