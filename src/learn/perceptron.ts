import { Random } from '../base/random.js';
import { Chain } from './chain.js';
import { restore } from './checkpoint.js';
import type { SequenceLearner } from './learner.js';
import { boundedPieces } from './pieces.js';

/**
 * Averaged structured perceptron (Collins 2002): each sentence whose best label sequence y′ is not the gold one y moves the
 * weights by Φ(y) − Φ(y′); the result is the mean of the weights after every sentence, w − u / steps with
 * u = Σ step · (Φ(y) − Φ(y′)), which spares the sum over all weights at every step.
 */
export const perceptron: SequenceLearner = {
  kind: 'sequence',
  name: 'perceptron',
  help: 'averaged structured perceptron, first order',
  link: 'identity',
  // Weights, their sums in 64 bits, and the mean.
  memory: { weights: 4, scores: 0, entries: 1 },
  gives: 'first-order',
  options: [{ name: 'epochs', kind: 'integer', default: 10, min: 1, help: 'passes over the training data' }],
  train(problem, options, onIteration) {
    const { labels } = problem;
    const { starts, isCut } = boundedPieces(problem.starts);
    const iterations = options.epochs as number;
    const chain = new Chain(problem);
    const { weights } = chain;
    /** [D × W] u */
    const late = new Float64Array(weights.length);
    const order = Uint32Array.from({ length: starts.length - 1 }, (_, s) => s);
    const random = new Random(problem.seed);
    const found = new Uint16Array(labels.length);
    /** Iterations and steps done. */
    const progress = new Float64Array(2);
    const state = { weights, late, order, random: random.state, progress };
    restore(problem.checkpoint, state);
    let steps = progress[1];
    for (let iteration = progress[0] + 1; iteration <= iterations; iteration++) {
      random.shuffle(order);
      let mistakes = 0;
      for (let i = 0; i < order.length; i++) {
        const s = order[i];
        const length = chain.score(starts[s], starts[s + 1]);
        const before = isCut[s] === 1 ? labels[starts[s] - 1] : problem.labelCount;
        chain.decode(found, before);
        const gold = labels.subarray(starts[s], starts[s + 1]);
        let wrong = 0;
        for (let t = 0; t < length; t++) if (found[t] !== gold[t]) wrong++;
        if (wrong > 0) {
          const count = chain.differences(starts[s], gold, found, before);
          const { places, signs } = chain;
          for (let j = 0; j < count; j++) {
            weights[places[j]] += signs[j];
            late[places[j]] += steps * signs[j];
          }
        }
        mistakes += wrong;
        steps++;
      }
      onIteration?.({ iteration, iterations, measures: { mistakes } });
      progress[0] = mistakes === 0 ? iterations : iteration;
      progress[1] = steps;
      problem.checkpoint?.keep(state);
      if (mistakes === 0) break;
    }
    const mean = new Float32Array(weights.length);
    for (let i = 0; i < mean.length; i++) mean[i] = weights[i] - late[i] / steps;
    return mean;
  },
};
