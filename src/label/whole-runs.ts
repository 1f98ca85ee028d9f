import type { Span } from '../data/span.js';

/** Runs of characters that no word ends inside of: Latin letters, or digits. */
export type WholeRun = 'latin' | 'digits';

/** Runs that stay whole by default. */
export const WHOLE_RUNS: readonly WholeRun[] = ['latin', 'digits'];

const RUNS: Readonly<Record<WholeRun, RegExp>> = { latin: /^\p{Script=Latin}$/u, digits: /^\p{Nd}$/u };
/** What goes on with the character before: marks, joiners, variation selectors, skin tones, vowels and finals of Hangul. */
const CONTINUES = /^(?:\p{M}|\p{EMod}|\u200d|[\u{e0020}-\u{e007f}]|[\u1160-\u11ff\ud7b0-\ud7fb])$/u;
const REGIONAL = /^\p{RI}$/u;
const JOINER = '\u200d';

/**
 * Whether a word may end between two characters: never inside of what a reader sees as one character (a grapheme cluster), nor
 * inside of a run that stays whole.
 *
 * @param characters code points.
 * @param t number of the character after the cut, at least 1.
 */
export function mayCut(
  characters: readonly string[],
  t: number,
  runs: readonly WholeRun[] = WHOLE_RUNS,
): boolean {
  const before = characters[t - 1];
  const after = characters[t];
  if (isIdeograph(before) && isIdeograph(after)) return true;
  if (CONTINUES.test(after) || before === JOINER) return false;
  if (REGIONAL.test(after)) {
    let flags = 0;
    while (flags < t && REGIONAL.test(characters[t - 1 - flags])) flags++;
    if (flags % 2 === 1) return false;
  }
  return !runs.some((run) => RUNS[run].test(before) && RUNS[run].test(after));
}

/**
 * Words with those joined between which no word may end; a joined word has the type of the first.
 *
 * @param characters [T] code points.
 * @param spans the words, in text order.
 */
export function joinWhole<S extends Span>(
  characters: readonly string[],
  spans: readonly S[],
  runs: readonly WholeRun[] = WHOLE_RUNS,
): S[] {
  const joined: S[] = [];
  for (const span of spans) {
    const last = joined[joined.length - 1];
    if (last && last.end === span.start && !mayCut(characters, span.start, runs)) {
      joined[joined.length - 1] = { ...last, end: span.end };
    } else joined.push(span);
  }
  return joined;
}

/** Most characters of Chinese and Japanese, for which there is nothing to test. */
function isIdeograph(character: string): boolean {
  return character >= '\u3040' && character <= '\u9fff';
}
