import jstat from 'jstat';
import type { Distributions } from '../evaluate/significance.js';

/** Tails of distributions, as jStat has them. */
export const DISTRIBUTIONS: Distributions = {
  normalTail: (z) => jstat.normal.cdf(-z, 0, 1),
  chiSquaredTail: (x, freedom) => 1 - jstat.chisquare.cdf(x, freedom),
  fTail: (x, between, within) => 1 - jstat.centralF.cdf(x, between, within),
};
