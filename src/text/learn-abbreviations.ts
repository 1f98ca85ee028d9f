import { checkArgument } from '../base/arguments.js';

/** Least score of an abbreviation. */
const THRESHOLD = 0.3;
/** Share of an abbreviation's occurrences that has a full stop, by the hypothesis that it is one. */
const WITH_STOP = 0.99;
/** Least occurrences with a full stop: one says nothing in a short text. */
const LEAST = 2;
/** Longest abbreviation looked for, in characters. */
const LONGEST = 12;
/** Words as they stand between blanks, without the marks around them. */
const WORD = /^["'“‘([«]*([\p{L}\p{M}][\p{L}\p{M}\p{N}.&'’-]*?)(\.?)["'”’)\]»,;:?!]*$/u;

/**
 * Learns which words of a text are abbreviations, by Kiss and Strunk (2006): a full stop nearly always follows them, they are short, and
 * have full stops inside. The text needs no labels; some 10,000 words are a beginning.
 *
 * @returns the abbreviations in small letters, without their last full stop, sorted.
 */
export function learnAbbreviations(text: string): string[] {
  checkArgument('text', text, 'string');
  const counts = new Map<string, { stopped: number; other: number }>();
  let words = 0;
  let stops = 0;
  for (const [blob] of text.matchAll(/\S+/gu)) {
    words++;
    const parts = WORD.exec(blob);
    if (/\.["'”’)\]»]*$/u.test(blob)) stops++;
    if (parts === null) continue;
    const word = parts[1].toLowerCase();
    if (word.length > LONGEST || word.includes('..')) continue;
    const count = counts.get(word) ?? { stopped: 0, other: 0 };
    if (parts[2] === '') count.other++;
    else count.stopped++;
    counts.set(word, count);
  }
  const share = stops / words;
  const found = [...counts].filter(
    ([word, { stopped, other }]) =>
      stopped >= LEAST && abbreviationScore(word, stopped, other, share) >= THRESHOLD,
  );
  return found.map(([word]) => word).sort();
}

/** How much speaks for an abbreviation. @param share of words that have a full stop. */
function abbreviationScore(word: string, stopped: number, other: number, share: number): number {
  const letters = word.replaceAll('.', '').length;
  const inside = word.length - letters;
  const total = stopped + other;
  const logOdds = (p: number) => stopped * Math.log(p) + other * Math.log(1 - p);
  const likelihoodRatio =
    2 * (logOdds(WITH_STOP) - logOdds(Math.min(Math.max(share, 1 / (total + 1e6)), 1 - 1e-9)));
  return likelihoodRatio * Math.exp(-letters) * (inside + 1) * letters ** -other;
}
