import { OptionError } from '../base/errors.js';
import type { TagSet } from '../tags/tag-set.js';
import {
  type CodeMatrix,
  type Decide,
  type LabelStatistics,
  MOST_PROBLEMS,
  type Reduction,
} from './reduction.js';

/**
 * One-vs-one: a problem for every two labels, trained on their examples only. Of the legal labels the one with most
 * votes against other legal ones wins; ties fall to the larger sum of margins in those votes, then to the lower id.
 */
export const ovo: Reduction = {
  name: 'ovo',
  help: 'one-vs-one: a problem for each pair of labels; most votes win, ties by summed margins',
  options: [],
  gives: 'decisions',
  code: (data) => allPairs(data, 'ovo'),
  decide: (code) => {
    const problemOf = pairTable(code);
    const { labels } = code;
    const votes = new Float64Array(labels);
    const sums = new Float64Array(labels);
    const decide: Decide = (margins, legal, legalAt, out) => {
      let looked = 0;
      votes.fill(0);
      sums.fill(0);
      for (let a = 0; a < labels; a++) {
        if (legal[legalAt + a] === 0) continue;
        for (let b = a + 1; b < labels; b++) {
          if (legal[legalAt + b] === 0) continue;
          const margin = pairMargin(problemOf, labels, a, b, margins);
          looked++;
          votes[margin >= 0 ? a : b]++;
          sums[a] += margin;
          sums[b] -= margin;
        }
      }
      // A vote outweighs any sum: its bounded image only decides between equals. Votes count from the winner's down, so
      // that the link, which is flat where values are large, still tells labels apart.
      let most = 0;
      for (let c = 0; c < labels; c++) if (votes[c] > most) most = votes[c];
      for (let c = 0; c < labels; c++) out[c] = votes[c] - most + Math.atan(sums[c]) / 4;
      return looked;
    };
    return decide;
  },
};

/**
 * A problem for every two labels, in the alphabetical order of their tags: the first of the two is positive. So a
 * label is positive in as many problems as there are labels after it.
 *
 * @param strategy name of the strategy that asks.
 * @throws OptionError where these are more than {@link MOST_PROBLEMS}.
 */
export function allPairs({ tagSet }: Pick<LabelStatistics, 'tagSet'>, strategy: string): CodeMatrix {
  const list = alphabetical(tagSet);
  const labels = list.length;
  const problems = (labels * (labels - 1)) / 2;
  if (problems > MOST_PROBLEMS) {
    throw new OptionError(
      'strategy',
      `--strategy ${strategy}: expected data with labels for at most ${MOST_PROBLEMS} problems, one for every two of ` +
        `them, found ${labels} labels, which make ${problems}`,
    );
  }
  const signs = new Int8Array(labels * problems);
  let problem = 0;
  for (let i = 0; i < labels; i++) {
    for (let j = i + 1; j < labels; j++) {
      signs[list[i] * problems + problem] = 1;
      signs[list[j] * problems + problem] = -1;
      problem++;
    }
  }
  return { labels, problems, signs };
}

function alphabetical({ tags }: TagSet): number[] {
  return [...tags.keys()].sort((a, b) => (tags[a] < tags[b] ? -1 : 1));
}

/** [L × L] for labels a, b: the problem p in which a is positive as p, the one in which it is negative as ~p. */
export function pairTable({ labels, problems, signs }: CodeMatrix): Int32Array {
  const table = new Int32Array(labels * labels);
  const seen = new Uint8Array(labels * labels);
  for (let problem = 0; problem < problems; problem++) {
    const sides = [...Array(labels).keys()].filter((label) => signs[label * problems + problem] !== 0);
    const positive = sides.find((label) => signs[label * problems + problem] === 1);
    const negative = sides.find((label) => signs[label * problems + problem] === -1);
    if (sides.length !== 2 || positive === undefined || negative === undefined) {
      throw new Error(`code matrix: expected two labels in problem ${problem}, one on each side`);
    }
    table[positive * labels + negative] = problem;
    table[negative * labels + positive] = ~problem;
    seen[positive * labels + negative] = seen[negative * labels + positive] = 1;
  }
  if (seen.filter((value) => value === 1).length !== labels * (labels - 1)) {
    throw new Error('code matrix: expected one problem for every two labels');
  }
  return table;
}

function pairMargin(table: Int32Array, labels: number, a: number, b: number, margins: Float32Array): number {
  const problem = table[a * labels + b];
  return problem >= 0 ? margins[problem] : -margins[~problem];
}
