import type { OptionValues } from '../base/options.js';
import type { Task } from './task.js';

const base: OptionValues = {
  scheme: 'ioe2',
  direction: 'backward',
  templates: '004',
  'cut-off': 2,
  learner: 'svm',
  strategy: 'ova',
  decoder: 'hybrid',
};

const chunkLevel: OptionValues = {
  ...base,
  scheme: 'iobes',
  direction: 'forward',
  templates: 'chunk-level',
  'cut-off': 1,
  learner: 'mira',
  decoder: 'semi-markov',
  dictionary: 'pos',
};

/** Phrase chunking of tokens with part-of-speech tags, as in CoNLL-2000. */
export const chunking: Task = {
  name: 'chunking',
  help: 'phrase chunks from words and part-of-speech tags (CoNLL-2000)',
  columns: ['word', 'pos', 'chunk'],
  tokens: 'words',
  inputFormat: 'columns',
  presets: {
    default: {
      help: 'fast and nearly as accurate; chosen by cross-validation on CoNLL-2000 training data',
      options: base,
    },
    'paper-001': {
      help:
        'the settings of Wu et al. (2008): possible classes, mask data, words seen once left out, hinge loss to convergence, ' +
        'greedy decoding',
      options: {
        ...base,
        // The paper trains with SVM-light, which has the hinge loss and stops by tolerance; its C is not given.
        loss: 'l1',
        epochs: 100,
        epsilon: 0.1,
        templates: '001',
        'cut-off': 1,
        'word-cut-off': 2,
        mask: 10,
        classes: 'full',
        decoder: 'greedy',
      },
    },
    'paper-004': {
      help: 'the settings of Wu et al. (2010b): no cut-off, C = 1.25, trained to convergence',
      options: { ...base, 'cut-off': 1, C: 1.25, epochs: 200, epsilon: 0.1 },
    },
    'chunk-level': {
      help: 'whole-chunk features, semi-Markov decoding and k-best MIRA (Zhou et al. 2012)',
      options: chunkLevel,
    },
    'token-level': {
      help: 'token-level counterpart of chunk-level: the same learner and token templates',
      options: { ...chunkLevel, scheme: 'iob2', templates: 'token-level', dictionary: 'none' },
    },
    accurate: {
      help: 'best single model by cross-validation on CoNLL-2000 training data: chunk-level',
      options: chunkLevel,
    },
    fast: {
      help: 'greedy decoding and fewer features',
      options: { ...base, 'cut-off': 3, decoder: 'greedy' },
    },
  },
};
