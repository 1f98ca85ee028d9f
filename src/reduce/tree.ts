import type { Choose, CodeMatrix, LabelStatistics, Reduction } from './reduction.js';
import { stepwise } from './stepwise.js';

/**
 * Binary tree of labels: each inner node is a problem that tells the labels of its left branch from those of its
 * right one. The tree is grown from the leaves (Wu et al. 2008): the two clusters whose mean vectors have the largest
 * cosine become one, over and over.
 */
export const tree: Reduction = {
  name: 'tree',
  help: 'binary tree: one problem at each branch; similar labels are separated last',
  options: [],
  gives: 'decisions',
  code: clusterLabels,
  decide: (code) => stepwise(chooseInTree(code)),
  choose: chooseInTree,
};

function chooseInTree(code: CodeMatrix): Choose {
  const { labels } = code;
  const nodes = readTree(code);
  return (margins, legal, legalAt) => {
    const hasLegal = (at: number): boolean => {
      if (at < labels) return legal[legalAt + at] !== 0;
      const { left, right } = nodes[at - labels];
      return hasLegal(left) || hasLegal(right);
    };
    let at = labels + nodes.length - 1;
    while (at >= labels) {
      const { problem, left, right } = nodes[at - labels];
      if (!hasLegal(right)) at = left;
      else if (!hasLegal(left)) at = right;
      else at = margins.at(problem) >= 0 ? left : right;
    }
    return at;
  };
}

/** An inner node: its problem and its branches. Below L a branch is a label, else L + the number of a node before it. */
export interface TreeNode {
  /** Problem that decides. */
  readonly problem: number;
  /** Branch of the positive side. */
  readonly left: number;
  /** Branch of the negative side. */
  readonly right: number;
}

/** Average-vector clustering by inner products of sums, whose cosines are those of the means. */
function clusterLabels({ counts, products: makeProducts }: LabelStatistics): CodeMatrix {
  const labels = counts.length;
  const problems = labels - 1;
  const signs = new Int8Array(labels * problems);
  // Of every two clusters; row a and column a are those of the cluster whose first label is a.
  const products = makeProducts().slice();
  const members: (number[] | undefined)[] = Array.from({ length: labels }, (_, label) => [label]);
  for (let problem = 0; problem < problems; problem++) {
    let best = [-1, -1];
    let largest = -Infinity;
    for (let a = 0; a < labels; a++) {
      if (!members[a]) continue;
      for (let b = a + 1; b < labels; b++) {
        if (!members[b]) continue;
        const length = Math.sqrt(products[a * labels + a] * products[b * labels + b]);
        const cosine = length > 0 ? products[a * labels + b] / length : 0;
        if (cosine > largest) {
          largest = cosine;
          best = [a, b];
        }
      }
    }
    const [a, b] = best;
    const [left, right] = [members[a] as number[], members[b] as number[]];
    for (const label of left) signs[label * problems + problem] = 1;
    for (const label of right) signs[label * problems + problem] = -1;
    for (let c = 0; c < labels; c++) products[a * labels + c] += products[b * labels + c];
    for (let c = 0; c < labels; c++) products[c * labels + a] += products[c * labels + b];
    members[a] = [...left, ...right];
    members[b] = undefined;
  }
  return { labels, problems, signs };
}

/**
 * The tree that a code matrix draws: nodes by number of labels below them, the root last.
 *
 * @throws Error where the problems do not make a tree.
 */
export function readTree({ labels, problems, signs }: CodeMatrix): TreeNode[] {
  const sideOf = (problem: number, sign: number) =>
    [...Array(labels).keys()].filter((label) => signs[label * problems + problem] === sign);
  const sides = Array.from({ length: problems }, (_, problem) => ({
    problem,
    positive: sideOf(problem, 1),
    negative: sideOf(problem, -1),
  }));
  sides.sort((a, b) => a.positive.length + a.negative.length - b.positive.length - b.negative.length);
  const branchOf = new Map<string, number>(
    Array.from({ length: labels }, (_, label) => [String(label), label]),
  );
  const nodes = sides.map(({ problem, positive, negative }, i): TreeNode => {
    const left = branchOf.get(positive.join());
    const right = branchOf.get(negative.join());
    if (left === undefined || right === undefined) throw new Error('code matrix: expected a tree of labels');
    branchOf.set([...positive, ...negative].sort((a, b) => a - b).join(), labels + i);
    return { problem, left, right };
  });
  if (problems !== labels - 1) throw new Error('code matrix: expected a tree of all labels');
  return nodes;
}
