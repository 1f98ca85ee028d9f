/**
 * Tests of whether two systems differ, on the same data: see the functions for their sources. All p-values are
 * two-sided.
 */
import { checkArgument } from '../base/arguments.js';
import { Random } from '../base/random.js';
import { meanAndDeviation } from './cross-validation.js';

/** Upper tails of distributions, from a library: the core has none of its own. */
export interface Distributions {
  /** P(Z ≥ z) of the standard normal distribution. */
  readonly normalTail: (z: number) => number;
  /** P(X ≥ x) of the chi-squared distribution with `freedom` degrees of freedom. */
  readonly chiSquaredTail: (x: number, freedom: number) => number;
  /** P(X ≥ x) of the F distribution. */
  readonly fTail: (x: number, between: number, within: number) => number;
}

/** Decisions that exactly one of two systems has right. */
export interface Discordant {
  /** Those that the first has right. */
  readonly onlyFirst: number;
  /** Those that the second has right. */
  readonly onlySecond: number;
}

/** Most discordant decisions for which {@link signTest} counts exactly. */
const EXACT_SIGN = 12;
/** {@link mcNemarTest} counts exactly below this. */
const EXACT_MCNEMAR = 25;

/**
 * Sign test over decisions that exactly one system has right; over tokens it is the s-test (Yang & Liu 1999, "A
 * Re-examination of Text Categorization Methods", section 4.1): exact up to 12 such decisions, else normal.
 */
export function signTest({ onlyFirst, onlySecond }: Discordant, distributions: Distributions): number {
  const n = onlyFirst + onlySecond;
  if (n <= EXACT_SIGN) return binomialTest(onlyFirst, n);
  const z = Math.abs(onlyFirst - n / 2) / (Math.sqrt(n) / 2);
  return Math.min(1, 2 * distributions.normalTail(z));
}

/**
 * McNemar's test (1947): (|b − c| − 1)² / (b + c) with Edwards' correction, chi-squared of one degree of freedom; exact
 * below 25 discordant decisions.
 */
export function mcNemarTest({ onlyFirst, onlySecond }: Discordant, distributions: Distributions): number {
  const n = onlyFirst + onlySecond;
  if (n < EXACT_MCNEMAR) return binomialTest(onlyFirst, n);
  const difference = Math.max(0, Math.abs(onlyFirst - onlySecond) - 1);
  return distributions.chiSquaredTail(difference ** 2 / n, 1);
}

/** Two-sided p-value of `k` successes in `n` fair trials. */
export function binomialTest(k: number, n: number): number {
  const least = Math.min(k, n - k);
  let term = 0.5 ** n;
  let sum = 0;
  for (let i = 0; i <= least; i++) {
    sum += term;
    term *= (n - i) / (i + 1);
  }
  return Math.min(1, 2 * sum);
}

/**
 * Test of two proportions, z = (p₁ − p₂) / √(p (1 − p)(1/n₁ + 1/n₂)) with p of both together (Yang & Liu 1999, section
 * 4.3). It takes the two samples as independent; where one of them is empty, p is 1.
 *
 * @param first right decisions of the first system and all of its decisions.
 * @param second likewise.
 */
export function proportionTest(
  first: readonly [right: number, all: number],
  second: readonly [right: number, all: number],
  distributions: Distributions,
): number {
  if (first[1] === 0 || second[1] === 0) return 1;
  const pooled = (first[0] + second[0]) / (first[1] + second[1]);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / first[1] + 1 / second[1]));
  if (error === 0) return 1;
  const z = Math.abs(first[0] / first[1] - second[0] / second[1]) / error;
  return Math.min(1, 2 * distributions.normalTail(z));
}

/** Chunk counts of both systems, a sentence after the other. */
export interface SentenceCounts {
  /** [S] chunks in the gold standard. */
  readonly gold: Uint32Array;
  /** [2][S] chunks that each system predicted. */
  readonly predicted: readonly [Uint32Array, Uint32Array];
  /** [2][S] those of them that are right. */
  readonly correct: readonly [Uint32Array, Uint32Array];
}

/** Result of {@link randomisationTest}. */
export interface RandomisationResult {
  /** F of the first system minus F of the second, in percent points. */
  readonly difference: number;
  /** Chance of a difference at least as large if sentences were swapped between the systems at random. */
  readonly p: number;
  /** The least p that so many random swaps can show; 0 where all were tried. */
  readonly leastP: number;
  /** 95 % confidence interval of the difference, by resampling sentences. */
  readonly interval: readonly [number, number];
  /** Whether all swaps were tried rather than random ones. */
  readonly exact: boolean;
}

/**
 * Paired randomisation of F: sentences are swapped between the systems at random (Noreen 1989; Yeh 2000, "More accurate
 * tests for the statistical significance of result differences"), p = (rounds at least as far apart + 1) / (rounds + 1).
 * Where all swaps are no more than the rounds they are all tried. The confidence interval is the percentile bootstrap
 * over sentences (Efron & Tibshirani 1993, chapter 13).
 *
 * @param rounds random swaps, and resamplings.
 */
export function randomisationTest(counts: SentenceCounts, rounds: number, seed: number): RandomisationResult {
  const { gold, predicted, correct } = counts;
  const sentences = gold.length;
  const sum = (values: Uint32Array) => values.reduce((total, value) => total + value, 0);
  const goldTotal = sum(gold);
  const totals = [sum(correct[0]), sum(predicted[0]), sum(correct[1]), sum(predicted[1])];
  const difference = f1(totals[0], totals[1], goldTotal) - f1(totals[2], totals[3], goldTotal);
  // Only sentences whose counts differ change anything when they are swapped.
  const differing = Uint32Array.from({ length: sentences }, (_, s) => s).filter(
    (s) => correct[0][s] !== correct[1][s] || predicted[0][s] !== predicted[1][s],
  );
  // Sums are of integers, so that what is equal is equal to the bit but for the division.
  const isAsFar = (swapped: number) => Math.abs(swapped) >= Math.abs(difference) - 1e-9;
  const swap = (isSwapped: (i: number) => boolean) => {
    let [correctA, predictedA, correctB, predictedB] = totals;
    for (let i = 0; i < differing.length; i++) {
      if (!isSwapped(i)) continue;
      const s = differing[i];
      const moved = correct[1][s] - correct[0][s];
      const movedPredicted = predicted[1][s] - predicted[0][s];
      correctA += moved;
      correctB -= moved;
      predictedA += movedPredicted;
      predictedB -= movedPredicted;
    }
    return f1(correctA, predictedA, goldTotal) - f1(correctB, predictedB, goldTotal);
  };
  const random = new Random(seed);
  const exact = differing.length < 31 && 2 ** differing.length <= rounds;
  let far = 0;
  if (exact) {
    for (let set = 0; set < 2 ** differing.length; set++)
      if (isAsFar(swap((i) => ((set >> i) & 1) === 1))) far++;
  } else {
    for (let round = 0; round < rounds; round++) if (isAsFar(swap(() => random.next() >= 2 ** 31))) far++;
  }
  const leastP = exact ? 0 : 1 / (rounds + 1);
  const p = exact ? far / 2 ** differing.length : (far + 1) * leastP;
  return { difference, p, leastP, interval: bootstrap(counts, rounds, new Random(seed, 1)), exact };
}

/** Percentiles 2.5 and 97.5 of the difference in F over resampled sentences. */
function bootstrap(
  { gold, predicted, correct }: SentenceCounts,
  rounds: number,
  random: Random,
): [number, number] {
  const differences = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let goldTotal = 0;
    const totals = [0, 0, 0, 0];
    for (let i = 0; i < gold.length; i++) {
      const s = random.below(gold.length);
      goldTotal += gold[s];
      totals[0] += correct[0][s];
      totals[1] += predicted[0][s];
      totals[2] += correct[1][s];
      totals[3] += predicted[1][s];
    }
    differences[round] = f1(totals[0], totals[1], goldTotal) - f1(totals[2], totals[3], goldTotal);
  }
  differences.sort();
  const at = (share: number) => differences[Math.min(rounds - 1, Math.floor(share * rounds))];
  return [at(0.025), at(0.975)];
}

/** F in percent; 0 where there is nothing. */
function f1(correct: number, predicted: number, gold: number): number {
  return predicted + gold === 0 ? 0 : (200 * correct) / (predicted + gold);
}

/** Result of {@link anova}. */
export interface AnovaResult {
  /** Mean square between groups divided by that within. */
  readonly f: number;
  /** Degrees of freedom between groups. */
  readonly between: number;
  /** Degrees of freedom within groups. */
  readonly within: number;
  /** Chance of an F at least as large if all groups were alike. */
  readonly p: number;
}

/** One-way analysis of variance. @param groups two or more, of two or more numbers each. */
export function anova(groups: readonly (readonly number[])[], distributions: Distributions): AnovaResult {
  checkArgument('groups', groups, 'groups');
  checkArgument('distributions', distributions, 'object');
  const all = groups.flat();
  const { mean } = meanAndDeviation(all);
  const between = groups.length - 1;
  const within = all.length - groups.length;
  let squaresBetween = 0;
  let squaresWithin = 0;
  for (const group of groups) {
    const own = meanAndDeviation(group);
    squaresBetween += group.length * (own.mean - mean) ** 2;
    squaresWithin += own.deviation ** 2 * (group.length - 1);
  }
  if (squaresWithin === 0)
    return { f: squaresBetween > 0 ? Infinity : 0, between, within, p: squaresBetween > 0 ? 0 : 1 };
  const f = squaresBetween / between / (squaresWithin / within);
  return { f, between, within, p: distributions.fTail(f, between, within) };
}

/** As the papers write it: ≫ or ≪ at p ≤ 0.01, > or < at p ≤ 0.05, else ~. */
export function significanceSign(difference: number, p: number): '≫' | '>' | '~' | '<' | '≪' {
  if (p > 0.05 || difference === 0) return '~';
  if (p > 0.01) return difference > 0 ? '>' : '<';
  return difference > 0 ? '≫' : '≪';
}
