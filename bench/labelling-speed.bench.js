// Labelling end to end, file in, file out, on one and two threads, the default model, a CRF and a hidden Markov model: train and test of
// CoNLL-2000 with sentences shuffled, and a file four times as long (four shuffles of the same sentences). Tokens per second of the whole process,
// and in steady state: start-up (Node, loading the model) is measured on a file of one sentence and taken off.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../dist/base/random.js';
import { conll2000, scratchFolder, showSpread, spanwright } from './support.js';

const RUNS = 5;
const files = conll2000();
const folder = scratchFolder();
const model = join(folder, 'model.safetensors');
const crf = join(folder, 'crf.safetensors');
const hmm = join(folder, 'hmm.safetensors');
const training = ['train', '--task', 'chunking', '--train', files.train, '--threads', '2'];
spanwright([...training, '--model', model]);
spanwright([...training, '--model', crf, '--learner', 'crf-adf']);
spanwright([...training, '--model', hmm, '--learner', 'hmm']);

const sentences = [files.train, files.test].flatMap((file) =>
  readFileSync(file, 'utf8').trim().split(/\n\n+/),
);
const random = new Random(1);
const shuffled = () => {
  const order = Uint32Array.from(sentences, (_, i) => i);
  random.shuffle(order);
  return Array.from(order, (i) => `${sentences[i]}\n\n`).join('');
};
const once = sentences.reduce((sum, sentence) => sum + sentence.split('\n').length, 0);
const inputs = [
  { tokens: once, path: join(folder, 'once.txt'), text: shuffled() },
  {
    tokens: 4 * once,
    path: join(folder, 'four-times.txt'),
    text: shuffled() + shuffled() + shuffled() + shuffled(),
  },
];
for (const { path, text } of inputs) writeFileSync(path, text);
const one = join(folder, 'one.txt');
writeFileSync(one, `${sentences[0]}\n\n`);

const output = join(folder, 'output.txt');
for (const [name, decoder, trained] of [
  ['SVM, greedy', 'greedy', model],
  ['SVM, hybrid', 'hybrid', model],
  ['CRF, Viterbi', 'viterbi', crf],
  ['HMM, Viterbi', 'viterbi', hmm],
]) {
  for (const threads of [1, 2]) {
    const options = [
      '--model',
      trained,
      '--output',
      output,
      '--decoder',
      decoder,
      '--threads',
      String(threads),
    ];
    const label = (file) => spanwright(['label', file, ...options]);
    const startup = Array.from({ length: RUNS }, () => label(one).seconds);
    const least = Math.min(...startup);
    console.log(`${name}, ${threads} thread(s): start-up ${showSpread(startup, 2, 's')}`);
    for (const { tokens, path } of inputs) {
      const runs = Array.from({ length: RUNS }, () => label(path));
      const rates = (spent) =>
        showSpread(
          runs.map(({ seconds }) => tokens / (seconds - spent)),
          0,
          'tokens/s',
        );
      const memory = showSpread(
        runs.map(({ megabytes }) => megabytes),
        0,
        'MB',
      );
      console.log(`  ${tokens} tokens: whole process ${rates(0)}; steady ${rates(least)}; peak ${memory}`);
    }
  }
}
