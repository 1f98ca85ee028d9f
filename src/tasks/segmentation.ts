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
  help: 'word segmentation of Chinese text',
  columns: ['word', 'segment'],
  tokens: 'characters',
  inputFormat: 'segmented',
  presets: {
    fast: {
      help: 'small and quick: characters, character pairs and types, four tags, no label history',
      options: fast,
    },
    accurate: {
      help: 'adds the longest training words around each character; structured SVM',
      options: {
        ...fast,
        scheme: 'bi-bies',
        templates: 'lexicon',
        learner: 'structured-svm',
        C: 0.02,
        epochs: 15,
        order: 1,
      },
    },
    'paper-004': {
      help: 'Wu et al. (2010b): six tags, C = 1.25, no label history, accessor variety of the training text (with --raw-text of test text too, as there: transductive)',
      options: {
        ...fast,
        scheme: 'e-bies',
        templates: '004-characters',
        'cut-off': 1,
        C: 1.25,
      },
    },
    'chunk-level': {
      help: 'whole-word features, semi-Markov decoding and k-best MIRA',
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
