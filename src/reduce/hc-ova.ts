import type { Choose, CodeMatrix, Reduction } from './reduction.js';
import { stepwise } from './stepwise.js';

/**
 * Hierarchical constrained one-vs-all (Wu et al. 2008): labels by falling frequency; problem i tells the i-th from those
 * after it. At labelling time the problems of legal labels are tried in that order, and the first positive one wins. If
 * none is, it is the last label, which has no problem of its own, or where that is not legal the one of largest margin.
 */
export const hcOva: Reduction = {
  name: 'hc-ova',
  help: 'hierarchical constrained one-vs-all: labels by frequency, each against the rarer ones; the first to accept wins',
  options: [],
  gives: 'decisions',
  code({ counts }) {
    const labels = counts.length;
    const order = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
    const problems = labels - 1;
    const signs = new Int8Array(labels * problems);
    for (let i = 0; i < problems; i++) {
      signs[order[i] * problems + i] = 1;
      for (let j = i + 1; j < labels; j++) signs[order[j] * problems + i] = -1;
    }
    return { labels, problems, signs };
  },
  decide: (code) => stepwise(chooseInOrder(code)),
  choose: chooseInOrder,
};

function chooseInOrder({ labels, problems, signs }: CodeMatrix): Choose {
  const order = Array.from({ length: problems }, (_, problem) =>
    [...Array(labels).keys()].find((label) => signs[label * problems + problem] === 1),
  );
  const rest = [...Array(labels).keys()].find((label) => !order.includes(label));
  if (rest === undefined || new Set(order).size !== labels - 1 || order.includes(undefined)) {
    throw new Error('code matrix: expected a problem for every label but one');
  }
  const own = order as number[];
  return (margins, legal, legalAt) => {
    let best = -1;
    let largest = -Infinity;
    const restIsLegal = legal[legalAt + rest] !== 0;
    for (let i = 0; i < problems; i++) {
      if (legal[legalAt + own[i]] === 0) continue;
      const margin = margins.at(i);
      if (margin >= 0) return own[i];
      if (margin > largest) {
        largest = margin;
        best = own[i];
      }
    }
    return restIsLegal ? rest : best;
  };
}
