import type { OptionValues } from '../base/options.js';
import type { Task } from './task.js';

const base: OptionValues = {
  scheme: 'ioe2',
  direction: 'backward',
  templates: 'entities',
  'cut-off': 2,
  learner: 'svm',
  C: 0.1,
  strategy: 'ova',
  decoder: 'hybrid',
};

/** Languages and corpora differ in which of these finds more. */
const alternatives: readonly OptionValues[] = [
  { scheme: 'ioe2', direction: 'backward' },
  { scheme: 'iob2', direction: 'forward' },
];

/** Names of persons, places, organisations, genes, diseases: whatever types the data have. No parts of speech are read. */
export const entities: Task = {
  name: 'entities',
  help: 'named entities of any types, from words alone',
  columns: ['word', '...', 'entity'],
  tokens: 'words',
  inputFormat: 'columns',
  presets: {
    default: {
      help: 'chosen on the development data of CoNLL-2003',
      options: base,
      alternatives,
    },
    accurate: {
      help: 'two stages: the second reads which labels the first gives to the same words elsewhere in the document',
      options: { ...base, stages: 2 },
      alternatives,
    },
    fast: {
      help: 'greedy decoding and fewer features',
      options: { ...base, templates: 'words', 'cut-off': 3, decoder: 'greedy', precision: 'int8' },
    },
  },
};
