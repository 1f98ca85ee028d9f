// Labelling end to end, file in, file out: train and test of CoNLL-2000 with sentences shuffled, on one and two
// threads. Tokens per second of the whole process, and in steady state: start-up (Node, loading the model) is measured
// on a file of one sentence and taken off.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../dist/base/random.js';
import { conll2000, scratchFolder, showSpread, spanwright } from './support.js';

const RUNS = 5;
const files = conll2000();
const folder = scratchFolder();
const model = join(folder, 'model.safetensors');
spanwright(['train', '--task', 'chunking', '--train', files.train, '--model', model, '--threads', '2']);

const sentences = [files.train, files.test].flatMap((file) =>
  readFileSync(file, 'utf8').trim().split(/\n\n+/),
);
const order = Uint32Array.from(sentences, (_, i) => i);
new Random(1).shuffle(order);
const input = join(folder, 'input.txt');
writeFileSync(input, Array.from(order, (i) => `${sentences[i]}\n\n`).join(''));
const tokens = sentences.reduce((sum, sentence) => sum + sentence.split('\n').length, 0);
const one = join(folder, 'one.txt');
writeFileSync(one, `${sentences[0]}\n\n`);
console.log(`${tokens} tokens, ${sentences.length} sentences`);

const output = join(folder, 'output.txt');
for (const decoder of ['greedy', 'hybrid']) {
  for (const threads of [1, 2]) {
    const label = (file) =>
      spanwright([
        'label',
        '--model',
        model,
        file,
        '--output',
        output,
        '--decoder',
        decoder,
        '--threads',
        String(threads),
      ]);
    const startup = Array.from({ length: RUNS }, () => label(one).seconds);
    const runs = Array.from({ length: RUNS }, () => label(input));
    const least = Math.min(...startup);
    console.log(
      `${decoder}, ${threads} thread(s): whole process ${showSpread(
        runs.map(({ seconds }) => tokens / seconds),
        0,
        'tokens/s',
      )}; ` +
        `steady ${showSpread(
          runs.map(({ seconds }) => tokens / (seconds - least)),
          0,
          'tokens/s',
        )}; ` +
        `start-up ${showSpread(startup, 2, 's')}; peak ${showSpread(
          runs.map(({ megabytes }) => megabytes),
          0,
          'MB',
        )}`,
    );
  }
}
