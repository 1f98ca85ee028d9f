// Models: size on disk and gzipped, time to load, time to the first label, peak memory.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadModel } from '../dist/index.js';
import { scratchFolder, showSpread, spanwright } from './support.js';

const RUNS = 7;
const folder = fileURLToPath(new URL('../models', import.meta.url));
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
let disk = 0;
let gzipped = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith('.safetensors'))) {
  const bytes = readFileSync(join(folder, file));
  const small = gzipSync(bytes, { level: 9 }).length;
  disk += bytes.length;
  gzipped += small;
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    loadModel(bytes, file);
    return performance.now() - started;
  });
  console.log(
    `${file}: ${megabytes(bytes.length)}, gzipped ${megabytes(small)}; load: first ${times[0].toFixed(0)} ms, then ` +
      showSpread(times.slice(1), 1, 'ms'),
  );
}
console.log(`together: ${megabytes(disk)}, gzipped ${megabytes(gzipped)}`);

const scratch = scratchFolder();
const one = join(scratch, 'one.txt');
writeFileSync(one, 'The quick brown fox jumped over the lazy dog.\n');
const model = join(folder, 'english-chunk.safetensors');
const seconds = (run) =>
  Array.from({ length: RUNS }, () => {
    const started = performance.now();
    run();
    return (performance.now() - started) / 1000;
  });
const bare = seconds(() => execFileSync(process.execPath, ['-e', '0']));
const runs = Array.from({ length: RUNS }, () =>
  spanwright(['label', one, '--text', '--model', model, '--output', join(scratch, 'out.txt')]),
);
const column = (name) => runs.map((run) => run[name]);
console.log(`node -e 0: ${showSpread(bare, 3, 's')}`);
console.log(
  `first label: ${showSpread(column('seconds'), 3, 's')}, processor ${showSpread(column('cpuSeconds'), 3, 's')}, ` +
    `peak ${showSpread(column('megabytes'), 0, 'MB')}`,
);
