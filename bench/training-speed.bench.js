// Features and training on CoNLL-2000 from the command line, whole process, on one and two threads; LIBLINEAR's
// one-vs-rest solver (-s 1, the same C) beside it on exactly the same rows, where liblinear-train is installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportLiblinear } from './export-liblinear.js';
import { conll2000, scratchFolder, showSpread, spanwright, spread, writePlot } from './support.js';

const RUNS = 3;
const { train } = conll2000();
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
const rows = join(folder, 'rows.txt');
writeFileSync(rows, await exportLiblinear(train));
for (const epsilon of ['0.1']) {
  const started = performance.now();
  execFileSync('liblinear-train', [
    '-s',
    '1',
    '-c',
    '0.1',
    '-e',
    epsilon,
    '-q',
    rows,
    join(folder, 'liblinear.model'),
  ]);
  const seconds = (performance.now() - started) / 1000;
  bars.push(['LIBLINEAR', seconds]);
  console.log(
    `LIBLINEAR -s 1 -c 0.1 -e ${epsilon}, the same rows, reading and writing included: ${seconds.toFixed(1)} s`,
  );
}
writePlot('training-speed', {
  kind: 'bars',
  title: 'Training on CoNLL-2000: features and training; LIBLINEAR gets the features made',
  y: 'seconds',
  groups: bars.map(([name]) => name),
  series: [{ name: 'seconds', values: bars.map(([, seconds]) => seconds) }],
});
