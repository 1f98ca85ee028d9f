import { PLAIN_SPELLING, spellTag } from '../tags/spelling.js';
import type { Tagger } from './tagger.js';

/**
 * [T] probabilities by tag of the sentence that a tagger labelled last, the likeliest first: of the file's tags where the model's
 * labels are these, else of types, and of being in none.
 */
export function tagMarginals(tagger: Tagger): Map<string, number>[] {
  const { tagSet, training } = tagger.model;
  const { tags, typeOfLabel, outside } = tagSet;
  const spelling = training.tagSpelling ?? PLAIN_SPELLING;
  const isOwn = tagSet.scheme === training.fileScheme;
  const names = tags.map((tag, label) => {
    if (tagSet.scheme === 'token') return tag;
    if (isOwn) return spellTag(spelling, tag);
    return label === outside ? spelling.outside : typeOfLabel[label];
  });
  const all = tagger.marginals();
  return Array.from({ length: tagger.length }, (_, t) => {
    const sums = new Map<string, number>();
    for (const [label, own] of names.entries()) {
      sums.set(own, (sums.get(own) ?? 0) + all[t * names.length + label]);
    }
    return new Map([...sums].sort(([, a], [, b]) => b - a));
  });
}
