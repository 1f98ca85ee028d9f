import type { Learner } from './learner.js';
import { mira } from './mira.js';
import { svm } from './svm.js';

/** All learners, by the name `--learner` takes. */
export const LEARNERS: Readonly<Record<string, Learner>> = { svm, mira };
