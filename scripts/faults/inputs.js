// Small inputs, made up: a corpus, an experiment, a model.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../fuzz/dist.js';
import { run } from './program.js';

const { Random } = await load('base/random.js');

const PHRASES = [
  'the DT B-NP|dog NN I-NP',
  'a DT B-NP|big JJ I-NP|cat NN I-NP',
  'she PRP B-NP',
  'sees VBZ B-VP',
  'will MD B-VP|find VB I-VP',
  'in IN B-PP',
];

/** Sentences as a column file: word, part of speech, chunk. */
export function corpusText(sentences, seed = 1) {
  const random = new Random(seed);
  const sentence = () => {
    const tokens = Array.from({ length: 4 }, () => PHRASES[random.below(PHRASES.length)])
      // Some types are wrong, so that training has something to weigh.
      .map((phrase) => (random.below(12) === 0 ? phrase.replace(/-\wP/g, '-PP') : phrase))
      .join('|')
      .split('|')
      .map((token) => token.replace(' ', `${random.below(50)} `));
    return `${[...tokens, '. . O'].join('\n')}\n\n`;
  };
  return Array.from({ length: sentences }, sentence).join('');
}

/** Writes the inputs of all commands into a folder; returns their paths. */
export async function makeInputs(folder) {
  mkdirSync(folder, { recursive: true });
  const path = (name) => join(folder, name);
  const write = (name, text) => {
    writeFileSync(path(name), text);
    return path(name);
  };
  const training = write('train.txt', corpusText(80));
  const test = write('test.txt', corpusText(20, 2));
  const experiment = {
    name: 'faults',
    measure: ['test', 'crossval'],
    folds: 2,
    rounds: 100,
    corpora: [{ name: 'made-up', task: 'chunking', train: training, test }],
    configurations: [
      { name: 'svm', epochs: 3 },
      { name: 'perceptron', learner: 'perceptron', epochs: 3 },
    ],
  };
  const model = path('model');
  const trained = await run(['train', '--task', 'chunking', '--train', training, '--model', model]);
  if (trained.code !== 0) throw new Error(`no model to label with: ${trained.stderr}`);
  return {
    folder,
    training,
    model,
    experiment: write('experiment.json', JSON.stringify(experiment)),
    large: write('large.txt', corpusText(8000, 3)),
  };
}
