import { laneCount } from '../kernels/lane-count.js';
import type { MulticlassLearner, MulticlassProblem, SequenceProblem } from './learner.js';
import { LOG_LINEAR_MEMORY, LOG_LINEAR_OPTIONS, trainLogLinear } from './log-linear.js';

/**
 * Multinomial logistic regression (maximum entropy): P(y | x) = exp(w_y·x) / Σ exp(w_c·x), by L-BFGS. With gold earlier
 * labels among the features it is a maximum-entropy Markov model (McCallum et al. 2000).
 */
export const maxent: MulticlassLearner = {
  kind: 'multiclass',
  name: 'maxent',
  help: 'multinomial logistic regression by L-BFGS',
  link: 'log-softmax',
  memory: LOG_LINEAR_MEMORY,
  gives: 'margins',
  decoder: 'hybrid',
  options: LOG_LINEAR_OPTIONS,
  train(problem, options, onIteration) {
    const { labels, labelCount } = problem;
    const residuals = (_: unknown, scores: Float32Array) => softmaxResiduals(scores, labels, labelCount);
    return trainLogLinear(asChain(problem), { residuals }, options, onIteration);
  },
};

/** Rows that take a stochastic step together, about as many as a sentence has. */
const ROWS_PER_STEP = 20;

/** The problem as sentences whose labels do not depend on each other. */
function asChain(problem: MulticlassProblem): SequenceProblem {
  const { rows, labels, labelCount } = problem;
  const { features } = rows;
  const sentences = Math.ceil(labels.length / ROWS_PER_STEP);
  const starts = Uint32Array.from({ length: sentences + 1 }, (_, s) =>
    Math.min(s * ROWS_PER_STEP, labels.length),
  );
  const joined = { offsets: new Uint32Array(labels.length + 1), indices: new Uint32Array(0), features };
  const alone = new Uint32Array(labelCount + 1).fill(features);
  return { ...problem, starts, history: { alone, joined, previous: new Uint16Array(features) } };
}

/**
 * Turns scores [N × W] into P(label | row) − 1[label is gold], and returns −Σ log P(gold | row).
 *
 * @param labels [N] gold labels.
 */
function softmaxResiduals(scores: Float32Array, labels: Uint16Array, labelCount: number): number {
  const width = laneCount(labelCount);
  const exponentials = new Float64Array(labelCount);
  let loss = 0;
  for (let n = 0; n < labels.length; n++) {
    const at = n * width;
    let highest = scores[at];
    for (let c = 1; c < labelCount; c++) if (scores[at + c] > highest) highest = scores[at + c];
    let sum = 0;
    for (let c = 0; c < labelCount; c++) {
      exponentials[c] = Math.exp(scores[at + c] - highest);
      sum += exponentials[c];
    }
    loss += highest + Math.log(sum) - scores[at + labels[n]];
    for (let c = 0; c < labelCount; c++) scores[at + c] = exponentials[c] / sum;
    scores[at + labels[n]] -= 1;
  }
  return loss;
}
