import { type Corpus, columnStrings } from '../data/corpus.js';
import type { ChunkScores } from '../score/conlleval.js';
import { GoldTags } from '../tags/gold-tags.js';
import type { SchemeName } from '../tags/scheme.js';
import { meanAndDeviation } from './cross-validation.js';

/** Number of sentences of `held` whose first column `training` has too: scores on those say little about new text. */
export function sharedSentences(training: Corpus, held: Corpus): number {
  const known = new Set(sentenceTexts(training));
  return sentenceTexts(held).filter((text) => known.has(text)).length;
}

function sentenceTexts(corpus: Corpus): string[] {
  return Array.from({ length: corpus.starts.length - 1 }, (_, s) => columnStrings(corpus, 0, s).join('\t'));
}

/** Types (of chunks; with scheme `token`, labels) of the last column that have a single example, sorted. */
export function typesSeenOnce(corpus: Corpus, scheme: SchemeName): string[] {
  const gold = new GoldTags(corpus, scheme);
  const counts = new Map<string, number>();
  for (let s = 0; s + 1 < corpus.starts.length; s++) {
    for (const { type } of gold.spans(s)) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].flatMap(([type, count]) => (count === 1 ? [type] : [])).sort();
}

/** Types that some folds have no example of to score, with the number of such folds. */
export function typesMissingInFolds(folds: readonly ChunkScores[]): ReadonlyMap<string, number> {
  const types = [...new Set(folds.flatMap((scores) => [...scores.types.keys()]))].sort();
  const missing = types.map((type): [string, number] => [
    type,
    folds.filter((scores) => (scores.types.get(type)?.gold ?? 0) === 0).length,
  ]);
  return new Map(missing.filter(([, count]) => count > 0));
}

/**
 * Whether a score on held-out data is too far above cross-validation to be luck: more than three deviations of folds,
 * and more than one point. Data that are partly in training, or chosen for their score, look like this.
 */
export function farAbove(score: number, folds: readonly number[]): boolean {
  if (folds.length === 0) return false;
  const { mean, deviation } = meanAndDeviation(folds);
  return score - mean > Math.max(1, 3 * deviation);
}
