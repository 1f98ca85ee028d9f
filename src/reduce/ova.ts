import type { CodeMatrix, Reduction } from './reduction.js';

/** One-vs-all: problem k tells label k from all others; the largest margin wins. */
export const ova: Reduction = {
  name: 'ova',
  help: 'one-vs-all: one problem per label; the largest margin wins',
  options: [],
  gives: 'margins',
  code: ({ counts }) => oneVersusAll(counts.length),
};

/** The code matrix of one-vs-all, which follows from the number of labels alone. */
export function oneVersusAll(labels: number): CodeMatrix {
  const signs = new Int8Array(labels * labels).fill(-1);
  for (let label = 0; label < labels; label++) signs[label * labels + label] = 1;
  return { labels, problems: labels, signs };
}
