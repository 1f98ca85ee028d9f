import type { OptionValues } from '../base/options.js';
import type { Task } from './task.js';

const base: OptionValues = {
  scheme: 'iobes',
  direction: 'backward',
  templates: 'lexicon',
  'cut-off': 3,
  learner: 'svm',
  C: 0.3,
  strategy: 'ova',
  decoder: 'hybrid',
  precision: 'int8',
};

/** Chinese words and their parts of speech at once: chunks of characters whose types are parts of speech. */
export const jointPos: Task = {
  name: 'joint-pos',
  help: 'joint word segmentation and part-of-speech tagging of Chinese text',
  columns: ['word', 'pos'],
  tokens: 'characters',
  inputFormat: 'tagged',
  presets: {
    default: {
      help: 'character n-grams, types and longest training words; hybrid decoding',
      options: base,
    },
    fast: {
      help: 'the same, decoded greedily: words are found in half of the time, unknown ones less often',
      options: { ...base, decoder: 'greedy' },
    },
  },
};
