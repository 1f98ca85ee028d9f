// The kernels in WebAssembly beside their plain twins, in one process, alternately: training one block of CoNLL-2000's
// one-vs-all problems, and labelling the test text again and again (all words known, so that only the kernels differ).
import { readFileSync } from 'node:fs';
import { ColumnLabeller, configure, SparseWeights, Tagger, train } from '../dist/index.js';
import { LEARNERS } from '../dist/learn/learners.js';
import { readColumnsFile } from '../dist/node/index.js';
import { conll2000, showSpread } from './support.js';

const RUNS = 5;
const NAMES = ['plain', 'simd'];
const files = conll2000();
const configuration = configure({ task: 'chunking' });
const corpus = await readColumnsFile(files.train, { columns: configuration.columns });

/** Runs both implementations alternately and prints their times and the ratio of the medians. */
function compare(what, run) {
  const times = { plain: [], simd: [] };
  for (let i = 0; i < RUNS; i++) {
    for (const name of NAMES) {
      const started = performance.now();
      run(name);
      times[name].push(performance.now() - started);
    }
  }
  const median = (name) => [...times[name]].sort((a, b) => a - b)[Math.floor(RUNS / 2)];
  for (const name of NAMES) console.log(`${what}, ${name}: ${showSpread(times[name], 0, 'ms')}`);
  console.log(`${what}: SIMD is ${(median('plain') / median('simd')).toFixed(2)} times as fast`);
}

let block;
const model = await train(corpus, configuration, {
  // Keeps the first block aside, to be trained again below.
  runBlocks: async (learner, problems, options) => {
    block = problems[0];
    return problems.map((problem) =>
      SparseWeights.ofRows(LEARNERS[learner].trainBlock(problem, options), problem.problems),
    );
  },
});
const { learner, options } = configuration;
compare(`training ${block.problems} problems`, (kernels) =>
  LEARNERS[learner].trainBlock({ ...block, kernels }, options),
);

const test = readFileSync(files.test);
for (const decoder of ['greedy', 'hybrid']) {
  const taggers = Object.fromEntries(
    NAMES.map((kernels) => [kernels, new Tagger(model, { decoder, kernels })]),
  );
  const label = (name) => {
    const how = { source: 'test', format: 'columns', confidence: false, onError: 'stop' };
    const labeller = new ColumnLabeller(taggers[name], how);
    return [labeller.push(test).slice(), labeller.finish().slice()];
  };
  const same = JSON.stringify(label('plain').map(String)) === JSON.stringify(label('simd').map(String));
  console.log(`${decoder}: labels ${same ? 'are the same bytes' : 'DIFFER'}`);
  compare(`labelling 47,377 tokens, ${decoder}`, (name) => {
    for (let pass = 0; pass < 5; pass++) label(name);
  });
}
