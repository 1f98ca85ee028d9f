import { PERTURBATIONS, type PerturbedScore } from '../evaluate/perturb.js';
import type { Report } from './report.js';

/** A report of how a score falls where text is written otherwise. @param measure name of the score. */
export function robustnessReport(scores: readonly PerturbedScore[], measure: 'F' | 'accuracy'): Report {
  return {
    title: 'Written otherwise',
    blocks: [
      {
        kind: 'table',
        columns: ['text', measure, 'points lost', 'what changes'],
        rows: scores.map(({ name, score, loss }) => [
          name,
          score.toFixed(2),
          loss.toFixed(2),
          PERTURBATIONS[name].help,
        ]),
      },
    ],
  };
}
