import { ChainLikelihood } from './chain-likelihood.js';
import type { SequenceLearner } from './learner.js';
import { LOG_LINEAR_MEMORY, LOG_LINEAR_OPTIONS, trainLogLinear } from './log-linear.js';

/**
 * First-order linear-chain conditional random field (Lafferty et al. 2001): P(y | x) = exp s(x, y) / Σ exp s(x, y′)
 * over all label sequences y′, s being the sum of the scores of tokens and of what labels before them add.
 */
export const crf: SequenceLearner = {
  kind: 'sequence',
  name: 'crf',
  help: 'first-order conditional random field by L-BFGS',
  link: 'identity',
  memory: LOG_LINEAR_MEMORY,
  decoders: ['viterbi'],
  options: LOG_LINEAR_OPTIONS,
  train: (problem, options, onIteration) =>
    trainLogLinear(problem, new ChainLikelihood(problem), options, onIteration),
};
