// Labelling end to end, file in, file out, on one and two threads: the default model with float32 and with int8 weights, a CRF and a hidden
// Markov model. Train and test of CoNLL-2000 with sentences shuffled, none twice; the first half of that; four and sixteen shuffles one after
// another. Tokens per second of the whole process, and in steady state: without start-up (Node, loading the model), measured on a file
// of one sentence. The second half of the text, which the first half of it is taken off from, is steady without any repetition: code
// is compiled by then, and what is met for the first time is met as often as in any text.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../dist/base/random.js';
import { conll2000, scratchFolder, showSpread, spanwright, spread } from './support.js';

const RUNS = 5;
const files = conll2000();
const folder = scratchFolder();
const training = ['train', '--task', 'chunking', '--train', files.train, '--threads', '2'];
const models = {
  float32: [],
  int8: ['--precision', 'int8'],
  crf: ['--learner', 'crf-adf'],
  hmm: ['--learner', 'hmm'],
};
const pathOf = (name) => join(folder, `${name}.safetensors`);
for (const [name, options] of Object.entries(models))
  spanwright([...training, '--model', pathOf(name), ...options]);

const sentences = [files.train, files.test].flatMap((file) =>
  readFileSync(file, 'utf8').trim().split(/\n\n+/),
);
const random = new Random(1);
const shuffled = () => {
  const order = Uint32Array.from(sentences, (_, i) => i);
  random.shuffle(order);
  return Array.from(order, (i) => sentences[i]);
};
const write = (name, some) => {
  const path = join(folder, `${name}.txt`);
  writeFileSync(path, some.map((sentence) => `${sentence}\n\n`).join(''));
  return { path, tokens: some.reduce((sum, sentence) => sum + sentence.split('\n').length, 0) };
};
const repeated = (times) => write(`times-${times}`, Array.from({ length: times }, shuffled).flat());
const order = shuffled();
const once = write('once', order);
const half = write('half', order.slice(0, order.length / 2));
const inputs = [once, repeated(4), repeated(16)];
const one = write('one', sentences.slice(0, 1));

const output = join(folder, 'output.txt');
for (const [name, decoder, model] of [
  ['SVM, greedy', 'greedy', 'float32'],
  ['SVM, greedy, int8', 'greedy', 'int8'],
  ['SVM, hybrid', 'hybrid', 'float32'],
  ['SVM, hybrid, int8', 'hybrid', 'int8'],
  ['CRF, Viterbi', 'viterbi', 'crf'],
  ['HMM, Viterbi', 'viterbi', 'hmm'],
]) {
  for (const threads of [1, 2]) {
    const options = ['--model', pathOf(model), '--decoder', decoder, '--threads', String(threads)];
    const label = (file) => spanwright(['label', file, '--output', output, ...options]);
    // All inputs in turn, so that a slower minute of the machine slows all.
    const runs = Array.from({ length: RUNS }, () => ({
      start: label(one.path).seconds,
      half: label(half.path).seconds,
      inputs: inputs.map(({ path }) => label(path)),
    }));
    const start = spread(runs.map((run) => run.start)).median;
    console.log(
      `${name}, ${threads} thread(s): start-up ${showSpread(
        runs.map((run) => run.start),
        2,
        's',
      )}`,
    );
    const rates = (tokens, seconds) =>
      showSpread(
        seconds.map((each) => tokens / each),
        0,
        'tokens/s',
      );
    inputs.forEach(({ tokens }, i) => {
      const seconds = runs.map((run) => run.inputs[i].seconds);
      const steady = seconds.map((each) => each - start);
      const memory = showSpread(
        runs.map((run) => run.inputs[i].megabytes),
        0,
        'MB',
      );
      console.log(
        `  ${tokens} tokens: whole process ${rates(tokens, seconds)}; steady ${rates(tokens, steady)}; peak ${memory}`,
      );
    });
    const halfMedian = spread(runs.map((run) => run.half)).median;
    const secondHalf = runs.map((run) => run.inputs[0].seconds - halfMedian);
    console.log(`  second half of ${once.tokens}: ${rates(once.tokens - half.tokens, secondHalf)}`);
  }
}
