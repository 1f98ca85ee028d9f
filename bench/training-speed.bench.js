// Features and training on CoNLL-2000 from the command line, whole process, on one and two threads; LIBLINEAR's
// one-vs-rest solver (-s 1, the same C) beside it on exactly the same rows, where liblinear-train is installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure } from '../dist/index.js';
import { scoreModel } from '../dist/label/score-model.js';
import { readColumnsFile } from '../dist/node/index.js';
import { blockRunner } from '../dist/node/thread-pool.js';
import { Tagger } from '../dist/tag/tagger.js';
import { prepare } from '../dist/train/prepare.js';
import { train as trainModel } from '../dist/train/train.js';
import { exportRows, readWeights } from './liblinear.js';
import { conll2000, scratchFolder, showSpread, spanwright, spread, writePlot } from './support.js';

const RUNS = 3;
const { train, test } = conll2000();
const folder = scratchFolder();
const digests = new Set();
/** [system, seconds] */
const bars = [];
for (const threads of [1, 2]) {
  const runs = Array.from({ length: RUNS }, () => {
    const model = join(folder, `model-${threads}.safetensors`);
    const run = spanwright([
      'train',
      '--task',
      'chunking',
      '--train',
      train,
      '--model',
      model,
      '--threads',
      String(threads),
    ]);
    digests.add(createHash('sha256').update(readFileSync(model)).digest('hex'));
    return run;
  });
  const column = (name) => runs.map((run) => run[name]);
  bars.push([`${threads} thread${threads === 1 ? '' : 's'}`, spread(column('seconds')).median]);
  console.log(
    `${threads} thread(s): ${showSpread(column('seconds'), 1, 's')}, processor ${showSpread(column('cpuSeconds'), 1, 's')}, ` +
      `peak ${showSpread(column('megabytes'), 0, 'MB')}`,
  );
}
console.log(`models of all runs ${digests.size === 1 ? 'are the same bytes' : 'DIFFER'}`);

try {
  execFileSync('liblinear-train', [], { stdio: 'pipe' });
} catch (error) {
  if (error.code === 'ENOENT') {
    console.log('LIBLINEAR: not installed (Debian: liblinear-tools)');
    process.exit(0);
  }
}
// The solvers alone: ours from rows to weights, threads and their start included, reading and extraction left out; of
// LIBLINEAR's process what it takes longer than with a tolerance that stops it after one pass over the data for each class. So
// reading and writing are left out, and of its solver the first pass, which is to its advantage.
const configuration = configure({ task: 'chunking' });
const { columns } = configuration;
const [corpus, testCorpus] = await Promise.all(
  [train, test].map((path) => readColumnsFile(path, { columns })),
);
const prepared = prepare(corpus, configuration);
const rows = join(folder, 'rows.txt');
writeFileSync(rows, exportRows(prepared.dataset));
const liblinearModel = join(folder, 'liblinear.model');
const liblinear = (epsilon) => {
  const started = performance.now();
  const options = ['-s', '1', '-c', String(configuration.options.C), '-e', String(epsilon), '-q'];
  execFileSync('liblinear-train', [...options, rows, liblinearModel]);
  return (performance.now() - started) / 1000;
};
/** [2] seconds of our solver on one and two threads. */
const ours = [[], []];
const theirs = { whole: [], onePass: [] };
let model;
// By turns, so that all see the same machine.
for (let run = 0; run < RUNS; run++) {
  for (const threads of [1, 2]) {
    const runBlocks = async (...args) => {
      const started = performance.now();
      const blocks = await blockRunner(threads)(...args);
      ours[threads - 1].push((performance.now() - started) / 1000);
      return blocks;
    };
    model = await trainModel(corpus, configuration, { runBlocks });
  }
  theirs.onePass.push(liblinear(1e9));
  theirs.whole.push(liblinear(0.1));
}
const solver = spread(theirs.whole).median - spread(theirs.onePass).median;
bars.push(['LIBLINEAR', spread(theirs.whole).median]);
console.log(
  `LIBLINEAR -s 1 -c ${configuration.options.C} -e 0.1, the same rows: ${showSpread(theirs.whole, 1, 's')}, ` +
    `after one pass ${showSpread(theirs.onePass, 1, 's')}; solver alone ${solver.toFixed(1)} s`,
);
ours.forEach((seconds, i) => {
  const ratio = solver / spread(seconds).median;
  console.log(
    `our solver alone, ${i + 1} thread(s): ${showSpread(seconds, 2, 's')}, ${ratio.toFixed(1)} times as fast`,
  );
});
const labels = model.tagSet.tags.length;
const { size } = prepared.index;
// The same model with LIBLINEAR's weights: features, decoder and test file are the same.
const theirModel = {
  ...model,
  features: prepared.index,
  weights: readWeights(liblinearModel, size, labels),
};
for (const [name, own] of [
  ['ours', model],
  ['LIBLINEAR', theirModel],
]) {
  console.log(`test F, ${name}: ${scoreModel(new Tagger(own), testCorpus).f1.toFixed(2)}`);
}
writePlot('training-speed', {
  kind: 'bars',
  title: 'Training on CoNLL-2000: features and training; LIBLINEAR gets the features made',
  y: 'seconds',
  groups: bars.map(([name]) => name),
  series: [{ name: 'seconds', values: bars.map(([, seconds]) => seconds) }],
});
