import { OptionError } from '../base/errors.js';
import { Random } from '../base/random.js';
import type { CodeMatrix, Decide, LabelStatistics, Reduction } from './reduction.js';

/** Codes drawn of which the best is kept, at most. */
const DRAWS = 10_000;
/** Entries compared for all draws together, at most, so that many labels do not take minutes. */
const LARGEST_SEARCH = 300_000_000;

/**
 * Error-correcting output codes (Dietterich and Bakiri 1995; sparse ones and loss-based decoding: Allwein, Schapire and
 * Singer 2000): every label is a word of code, and the nearest word of a legal label wins.
 */
export const ecoc: Reduction = {
  name: 'ecoc',
  help: 'error-correcting output codes: each problem separates half of the labels from the rest; the nearest code wins',
  options: [
    {
      name: 'code',
      kind: 'choice',
      choices: ['minimal', 'dense', 'sparse'],
      default: 'minimal',
      help: 'code length: log2 L as in Wu et al. (2008), 10 log2 L, or 15 log2 L with half of the entries 0',
    },
    {
      name: 'decoding',
      kind: 'choice',
      choices: ['hamming', 'loss'],
      default: 'hamming',
      help: 'distance to a code: number of differing signs, of equal ones the label listed first, or squared hinge loss of the margins',
    },
  ],
  gives: 'decisions',
  code: (data, options) => {
    if (data.counts.length < 3) {
      throw new OptionError(
        'strategy',
        `--strategy ecoc: expected data with three labels or more, found ${data.counts.length}`,
      );
    }
    return options.code === 'minimal' ? minimalCode(data) : randomCode(data, options.code === 'sparse');
  },
  decide: ({ labels, problems, signs }, options) => {
    const byLoss = options.decoding === 'loss';
    const decide: Decide = (margins, legal, legalAt, out) => {
      for (let label = 0; label < labels; label++) {
        if (legal[legalAt + label] === 0) continue;
        let distance = 0;
        for (let k = 0; k < problems; k++) {
          const sign = signs[label * problems + k];
          if (sign === 0) continue;
          const margin = sign * margins[k];
          if (byLoss) distance += Math.max(0, 1 - margin) ** 2;
          else if (margin < 0) distance++;
        }
        out[label] = -distance;
      }
      return problems;
    };
    return decide;
  },
};

/** As few problems as tell all labels apart; which code a label has is drawn by the seed. */
function minimalCode({ counts, seed }: LabelStatistics): CodeMatrix {
  const labels = counts.length;
  const problems = Math.ceil(Math.log2(labels));
  const random = new Random(seed);
  const words = Uint32Array.from({ length: 2 ** problems }, (_, i) => i);
  for (;;) {
    random.shuffle(words);
    const signs = Int8Array.from({ length: labels * problems }, (_, at) =>
      (words[Math.floor(at / problems)] >> (at % problems)) & 1 ? 1 : -1,
    );
    const code = { labels, problems, signs };
    if (!hasUselessColumn(code)) return code;
  }
}

/** Of many random codes the one whose two nearest labels are furthest apart. */
function randomCode({ counts, seed }: LabelStatistics, sparse: boolean): CodeMatrix {
  const labels = counts.length;
  const problems = Math.ceil((sparse ? 15 : 10) * Math.log2(labels));
  const random = new Random(seed);
  const draws = Math.max(1, Math.min(DRAWS, Math.floor((2 * LARGEST_SEARCH) / (labels * labels * problems))));
  let best: CodeMatrix | undefined;
  let furthest = -1;
  // With few labels hardly any code has so many different columns: what is useless is then put up with.
  for (const strict of [true, false]) {
    for (let draw = 0; draw < draws; draw++) {
      const signs = randomColumns(labels, problems, sparse, random);
      const code = { labels, problems, signs };
      const distance = smallestDistance(code, furthest);
      if (distance <= furthest || (strict && hasUselessColumn(code))) continue;
      best = code;
      furthest = distance;
    }
    if (best) break;
  }
  return best as CodeMatrix;
}

/** [L × P] columns of random signs, each with both. */
function randomColumns(labels: number, problems: number, sparse: boolean, random: Random): Int8Array {
  const signs = new Int8Array(labels * problems);
  for (let k = 0; k < problems; k++) {
    let positive = 0;
    let negative = 0;
    while (positive === 0 || negative === 0) {
      positive = 0;
      negative = 0;
      for (let label = 0; label < labels; label++) {
        const value = random.below(4);
        const sign = sparse && value < 2 ? 0 : value & 1 ? 1 : -1;
        signs[label * problems + k] = sign;
        if (sign > 0) positive++;
        if (sign < 0) negative++;
      }
    }
  }
  return signs;
}

/** Whether a column has but one side, or is another column or its opposite. */
function hasUselessColumn({ labels, problems, signs }: CodeMatrix): boolean {
  const seen = new Set<string>();
  for (let k = 0; k < problems; k++) {
    const column = Array.from({ length: labels }, (_, label) => signs[label * problems + k]);
    if (!column.includes(1) || !column.includes(-1)) return true;
    for (const text of [column.join(), column.map((sign) => 0 - sign).join()]) {
      if (seen.has(text)) return true;
    }
    seen.add(column.join());
  }
  return false;
}

/** Twice the smallest distance of two rows, a zero being half a difference; stops below `enough`. */
function smallestDistance({ labels, problems, signs }: CodeMatrix, enough: number): number {
  let smallest = Infinity;
  for (let a = 0; a < labels; a++) {
    for (let b = a + 1; b < labels; b++) {
      let distance = 0;
      for (let k = 0; k < problems; k++) distance += 1 - signs[a * problems + k] * signs[b * problems + k];
      if (distance < smallest) smallest = distance;
      if (smallest <= enough) return smallest;
    }
  }
  return smallest;
}
