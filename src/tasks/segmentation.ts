import type { OptionValues } from '../base/options.js';
import type { Task } from './task.js';

const fast: OptionValues = {
  scheme: 'iobes',
  direction: 'backward',
  templates: 'adjacent-characters',
  'cut-off': 2,
  learner: 'svm',
  C: 0.6,
  strategy: 'ova',
  decoder: 'viterbi',
  order: 0,
  precision: 'int8',
};

/** Chinese word segmentation: tokens are characters, chunks are words. */
export const segmentation: Task = {
  name: 'segmentation',
  help: 'words of Chinese text',
  columns: ['word', 'segment'],
  tokens: 'characters',
  inputFormat: 'segmented',
  presets: {
    fast: {
      help: 'characters, pairs and types, four tags, no earlier labels: quick and small; tuned on a held-out part of PKU training data, as accurate is',
      options: fast,
    },
    accurate: {
      help: 'the longest training words around each character too; structured SVM, which weighs whole sentences',
      options: {
        ...fast,
        scheme: 'b-bies',
        templates: 'lexicon',
        learner: 'structured-svm',
        C: 0.02,
        epochs: 15,
        order: 1,
      },
    },
    'chunk-level': {
      help: 'scores whole words: semi-Markov search, k-best MIRA',
      options: {
        scheme: 'iobes',
        direction: 'forward',
        templates: 'whole-words',
        'cut-off': 2,
        learner: 'mira',
        decoder: 'semi-markov',
        dictionary: 'word.character-type',
        precision: 'int8',
      },
    },
  },
};
