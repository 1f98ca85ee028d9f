import type { OptionValues } from '../base/options.js';
import type { Task } from './task.js';

const fast: OptionValues = {
  scheme: 'iobes',
  direction: 'forward',
  templates: 'characters',
  'cut-off': 2,
  learner: 'svm',
  C: 0.1,
  strategy: 'ova',
  decoder: 'hybrid',
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
    default: {
      help: 'character n-grams and types; tuned on a held-out part of PKU training data',
      options: fast,
    },
  },
};
