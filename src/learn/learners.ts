import { arow } from './arow.js';
import { crammerSinger } from './crammer-singer.js';
import { crf } from './crf.js';
import { crfAdf } from './crf-adf.js';
import { hmm } from './hmm.js';
import type { Learner } from './learner.js';
import { logistic } from './logistic.js';
import { maxent } from './maxent.js';
import { mira } from './mira.js';
import { perceptron } from './perceptron.js';
import { structuredSvm } from './structured-svm.js';
import { svm } from './svm.js';

/** All learners, by the name `--learner` takes. */
export const LEARNERS: Readonly<Record<string, Learner>> = {
  svm,
  logistic,
  arow,
  'crammer-singer': crammerSinger,
  maxent,
  perceptron,
  crf,
  'crf-adf': crfAdf,
  'structured-svm': structuredSvm,
  hmm,
  mira,
};
