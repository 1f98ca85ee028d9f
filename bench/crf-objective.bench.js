// The optimum of our first-order CRF beside CRFsuite's, for the same features and the same regulariser (l2/2 ‖w‖² with
// l2 = 1): every eighth sentence of CoNLL-2000, template set 004 without those that read two labels. CRFsuite comes as
// the npm package crfsuite, which is built in a scratch folder; the benchmark is skipped where that fails.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure } from '../dist/index.js';
import { LEARNERS } from '../dist/learn/learners.js';
import { readColumnsFile } from '../dist/node/index.js';
import { prepare } from '../dist/train/prepare.js';
import { conll2000, everyNth, scratchFolder } from './support.js';

const folder = scratchFolder();
writeFileSync(join(folder, 'package.json'), '{"name":"scratch","private":true}');
const installed = spawnSync('npm', ['install', '--silent', 'crfsuite@1.0.1'], {
  cwd: folder,
  stdio: 'ignore',
});
if (installed.status !== 0) {
  console.log('skipped: the npm package crfsuite does not build here');
  process.exit(0);
}

const part = join(folder, 'part.txt');
writeFileSync(part, everyNth(conll2000().train, 8));
const options = { learner: 'crf', 'cut-off': 1, l2: 1, iterations: 5000, tolerance: 1e-8 };
const configuration = configure({ task: 'chunking', options });
const corpus = await readColumnsFile(part, { columns: configuration.columns });
const { dataset, tagSet } = prepare(corpus, configuration);
const { rows, labels, starts, history } = dataset;

// One sentence a line: our feature ids as attributes; that of the sentence start stands for our label before it.
const sentences = Array.from({ length: starts.length - 1 }, (_, s) => {
  const attributes = [];
  const tags = [];
  for (let n = starts[s]; n < starts[s + 1]; n++) {
    const own = Array.from(
      rows.indices.subarray(rows.offsets[n], rows.offsets[n + 1]),
      (feature) => `f${feature}`,
    );
    attributes.push(n === starts[s] ? [...own, 'start'] : own);
    tags.push(tagSet.tags[labels[n]]);
  }
  return JSON.stringify([attributes, tags]);
});
writeFileSync(join(folder, 'data.jsonl'), sentences.join('\n'));
writeFileSync(
  join(folder, 'train.cjs'),
  `const { readFileSync } = require('node:fs');
const { Trainer } = require('crfsuite');
const trainer = new Trainer({ debug: true });
trainer.set_params({ c1: '0', c2: '0.5', max_iterations: '5000', epsilon: '1e-6', delta: '1e-8', period: '10',
  'feature.possible_states': '1', 'feature.possible_transitions': '1' });
for (const line of readFileSync('data.jsonl', 'utf8').split('\\n')) trainer.append(...JSON.parse(line));
trainer.train('model.crfsuite');
`,
);
let started = performance.now();
const log = execFileSync(process.execPath, ['train.cjs'], {
  cwd: folder,
  encoding: 'utf8',
  maxBuffer: 1 << 30,
});
const theirSeconds = (performance.now() - started) / 1000;
const last = (pattern) => Number([...log.matchAll(pattern)].at(-1)?.[1]);
const theirs = { objective: last(/^Loss: ([\d.]+)/gm), norm: last(/^Feature norm: ([\d.]+)/gm) };

started = performance.now();
let objective = 0;
const problem = { ...dataset, labelCount: tagSet.tags.length, seed: 1 };
const weights = await LEARNERS.crf.train(problem, configuration.options, ({ measures }) => {
  objective = measures.objective ?? objective;
});
const ourSeconds = (performance.now() - started) / 1000;
const ours = { objective, norm: Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) };

const likelihood = ({ objective: value, norm }) => -(value - norm ** 2 / 2);
const line = (name, own, seconds) =>
  console.log(
    `${name}: objective ${own.objective.toFixed(2)}, log-likelihood ${likelihood(own).toFixed(2)}, ‖w‖ ${own.norm.toFixed(3)}, ${seconds.toFixed(1)} s`,
  );
console.log(`${labels.length} tokens, ${rows.features} features, ${history.alone.length - 1} labels`);
line('ours', ours, ourSeconds);
line('CRFsuite', theirs, theirSeconds);
const apart = Math.abs(likelihood(ours) - likelihood(theirs)) / Math.abs(likelihood(theirs));
console.log(`log-likelihoods are ${(100 * apart).toFixed(3)} % apart`);
