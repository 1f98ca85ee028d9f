import { Random } from '../base/random.js';
import { ChainLikelihood } from './chain-likelihood.js';
import type { SequenceLearner } from './learner.js';
import { LOG_LINEAR_MEMORY, LOG_LINEAR_OPTIONS, trainLogLinear } from './log-linear.js';
import { PIECE_LENGTH_OPTION, randomPieces } from './pieces.js';

/** Stream of random numbers apart from that of the stochastic passes. */
const PIECES_STREAM = 1;

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
  gives: 'first-order',
  options: [...LOG_LINEAR_OPTIONS, PIECE_LENGTH_OPTION],
  train(problem, options, onIteration) {
    // Drawn once, since L-BFGS needs one and the same objective at every step.
    const pieces = randomPieces(
      problem.starts,
      options['piece-length'] as number,
      new Random(problem.seed, PIECES_STREAM),
    );
    return trainLogLinear(problem, new ChainLikelihood(problem, pieces), options, onIteration);
  },
};
