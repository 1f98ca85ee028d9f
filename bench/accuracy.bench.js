// F on CoNLL-2000 with the default chunking task: test set over five seeds, greedy and hybrid decoding of the same
// models, and 10-fold cross-validation on the training data.

import { crossValidate, meanAndDeviation } from '../dist/evaluate/cross-validation.js';
import { configure, conllevalTable, scoreModel, Tagger, train } from '../dist/index.js';
import { blockRunner, readColumnsFile } from '../dist/node/index.js';
import { conll2000 } from './support.js';

const files = conll2000();
const columns = ['word', 'pos', 'chunk'];
const training = await readColumnsFile(files.train, { columns });
const test = await readColumnsFile(files.test, { columns });
const runBlocks = blockRunner(2);
const decoders = ['greedy', 'hybrid'];

const byDecoder = decoders.map(() => []);
for (let seed = 1; seed <= 5; seed++) {
  const model = await train(training, configure({ task: 'chunking', options: { seed } }), { runBlocks });
  const scores = decoders.map((decoder) => scoreModel(new Tagger(model, { decoder }), test));
  scores.forEach((score, d) => {
    byDecoder[d].push(score.f1);
  });
  console.log(`seed ${seed}: ${decoders.map((name, d) => `${name} ${scores[d].f1.toFixed(2)}`).join(', ')}`);
  if (seed === 1) console.log(conllevalTable(scores[decoders.indexOf('hybrid')]));
}
report('test, mean of 5 seeds', byDecoder);

const folds = await crossValidate(training, configure({ task: 'chunking' }), {
  folds: 10,
  seed: 1,
  decoders: decoders.map((decoder) => ({ decoder })),
  train: { runBlocks },
});
report(
  '10-fold cross-validation on the training data',
  folds.map((scores) => scores.map(({ f1 }) => f1)),
);

function report(title, values) {
  const shown = decoders.map((name, d) => {
    const { mean, deviation } = meanAndDeviation(values[d]);
    return `${name} ${mean.toFixed(2)} ± ${deviation.toFixed(2)}`;
  });
  console.log(`${title}: ${shown.join(', ')}`);
}
