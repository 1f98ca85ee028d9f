import { allPairs, pairTable } from './ovo.js';
import type { Choose, CodeMatrix, Reduction } from './reduction.js';
import { stepwise } from './stepwise.js';

/**
 * Decision DAG (Platt, Cristianini and Shawe-Taylor 2000) over the problems of one-vs-one: of a list of the legal
 * labels in alphabetical order the first and the last are tested, and the loser drops out, until one is left.
 */
export const dag: Reduction = {
  name: 'dag',
  help: 'decision DAG: one-vs-one problems, each ruling out one label',
  options: [],
  gives: 'decisions',
  code: (data) => allPairs(data, 'dag'),
  decide: (code) => stepwise(chooseInDag(code)),
  choose: chooseInDag,
};

function chooseInDag(code: CodeMatrix): Choose {
  const { labels, problems, signs } = code;
  const problemOf = pairTable(code);
  const wins = (label: number) =>
    signs
      .subarray(label * problems, (label + 1) * problems)
      .reduce((sum, sign) => sum + (sign > 0 ? 1 : 0), 0);
  // Positive in as many problems as there are labels after it.
  const list = [...Array(labels).keys()].sort((a, b) => wins(b) - wins(a));
  return (margins, legal, legalAt) => {
    let first = 0;
    let last = labels - 1;
    while (legal[legalAt + list[first]] === 0) first++;
    while (legal[legalAt + list[last]] === 0) last--;
    while (first < last) {
      const problem = problemOf[list[first] * labels + list[last]];
      const margin = problem >= 0 ? margins.at(problem) : -margins.at(~problem);
      if (margin >= 0) last--;
      else first++;
      while (legal[legalAt + list[first]] === 0) first++;
      while (legal[legalAt + list[last]] === 0) last--;
    }
    return list[first];
  };
}
