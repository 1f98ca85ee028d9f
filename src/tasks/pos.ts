import type { OptionValues } from '../base/options.js';
import type { Task } from './task.js';

const base: OptionValues = {
  scheme: 'token',
  direction: 'forward',
  templates: 'pos',
  'cut-off': 2,
  learner: 'svm',
  C: 0.2,
  strategy: 'ova',
  decoder: 'hybrid',
};

/** Part-of-speech tagging: a label for every token, read from the words. */
export const pos: Task = {
  name: 'pos',
  help: 'part-of-speech tagging',
  columns: ['word', 'pos'],
  tokens: 'words',
  inputFormat: 'columns',
  presets: {
    default: {
      help: 'accurate; chosen by cross-validation on the part-of-speech column of CoNLL-2000 training data',
      options: base,
    },
    fast: {
      help: 'greedy decoding and fewer features',
      options: { ...base, 'cut-off': 3, decoder: 'greedy' },
    },
  },
};
