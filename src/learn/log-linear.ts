import type { OptionDeclaration, OptionValues } from '../base/options.js';
import { laneCount } from '../kernels/lane-count.js';
import { trainStochastically } from './adf.js';
import { minimise, type Vector } from './lbfgs.js';
import type { IterationReport, LearnerMemory, SequenceProblem } from './learner.js';
import type { Likelihood } from './likelihood.js';
import { RowProducts } from './row-products.js';

/** Options of learners that maximise a regularised likelihood. */
export const LOG_LINEAR_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'l2',
    kind: 'number',
    default: 1,
    min: 0,
    help: 'L2 regularisation: l2/2 ‖w‖²',
  },
  {
    name: 'l1',
    kind: 'number',
    default: 0,
    min: 0,
    help: 'L1 regularisation: l1 ‖w‖₁; above 0 most weights become 0 (OWL-QN)',
  },
  { name: 'iterations', kind: 'integer', default: 100, min: 1, help: 'most L-BFGS iterations' },
  {
    name: 'tolerance',
    kind: 'number',
    default: 0.01,
    min: 0,
    help: 'stopping tolerance: relative decrease of the objective over ten iterations',
  },
  {
    name: 'warm-up',
    kind: 'integer',
    default: 5,
    min: 0,
    help: 'stochastic passes before L-BFGS (none with --l1)',
  },
];

/**
 * Memory of learners that maximise a regularised likelihood: weights, those of the stochastic passes, five remembered
 * steps of two vectors, and four that a step works on.
 */
export const LOG_LINEAR_MEMORY: LearnerMemory = { weights: 16, scores: 1, entries: 3 };

/**
 * Maximum regularised likelihood by L-BFGS, or OWL-QN if there is an L1 term:
 *
 *   min over w   −log likelihood + l2/2 ‖w‖² + l1 ‖w‖₁
 *
 * A few stochastic passes come first, since L-BFGS needs some fifty iterations to get as far from zeros (as in
 * Agarwal et al. 2014).
 *
 * Where there are weights to start from, ‖w‖² is that of the way from there.
 *
 * @param chain the problem as sentences, for the stochastic passes.
 * @returns [D × W] weights.
 */
export async function trainLogLinear(
  chain: SequenceProblem,
  likelihood: Likelihood,
  options: OptionValues,
  onIteration?: (report: IterationReport) => void,
): Promise<Float32Array> {
  const l1 = options.l1 as number;
  const l2 = options.l2 as number;
  const passes = l1 > 0 ? 0 : (options['warm-up'] as number);
  const iterations = passes + (options.iterations as number);
  // Only learners of sentences have it.
  const pieceLength = (options['piece-length'] ?? 0) as number;
  const products = new RowProducts(chain.rows, laneCount(chain.labelCount), chain.kernels);
  const { initial } = chain;
  if (initial) products.weights.set(initial);
  // L-BFGS has begun where its gradient was kept.
  if (passes > 0 && chain.checkpoint?.kept?.gradient === undefined) {
    const report = ({ iteration, measures }: IterationReport) =>
      onIteration?.({ iteration, iterations, measures });
    products.weights.set(trainStochastically(chain, { l2, epochs: passes, pieceLength }, report));
  }
  const objective = (weights: Vector, gradient: Vector) => {
    products.score();
    let value = likelihood.residuals(weights, products.scores);
    products.gradient(gradient);
    likelihood.addGradient?.(gradient);
    let squares = 0;
    for (let i = 0; i < weights.length; i++) {
      const weight = initial === undefined ? weights[i] : weights[i] - initial[i];
      squares += weight * weight;
      gradient[i] += l2 * weight;
    }
    value += (l2 / 2) * squares;
    return value;
  };
  await minimise(products.weights, objective, {
    l1,
    iterations: iterations - passes,
    tolerance: options.tolerance as number,
    checkpoint: chain.checkpoint,
    onIteration: (iteration, value, gradient) =>
      onIteration?.({ iteration: passes + iteration, iterations, measures: { objective: value, gradient } }),
  });
  // A part of the kernels' memory would keep all of it.
  return products.weights.slice();
}
