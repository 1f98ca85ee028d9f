// From the bytes of CoNLL-2000's training file to training rows, in this process: reading, then tags and features.
import { readFileSync } from 'node:fs';
import { configure, readColumns } from '../dist/index.js';
import { prepare } from '../dist/train/prepare.js';
import { conll2000, showSpread } from './support.js';

const RUNS = 5;
const bytes = readFileSync(conll2000().train);
const configuration = configure({ task: 'chunking' });
const reading = [];
const preparing = [];
let rows;
for (let run = 0; run < RUNS; run++) {
  const started = performance.now();
  const corpus = readColumns(bytes, { columns: configuration.columns });
  const read = performance.now();
  ({ rows } = prepare(corpus, configuration).dataset);
  reading.push((read - started) / 1000);
  preparing.push((performance.now() - read) / 1000);
}
console.log(`${rows.offsets.length - 1} rows, ${rows.features} features, ${rows.indices.length} entries`);
console.log(
  `reading ${showSpread(reading, 2, 's')}, rows ${showSpread(preparing, 2, 's')}; the first run cold:`,
);
console.log(`reading ${reading[0].toFixed(2)} s, rows ${preparing[0].toFixed(2)} s`);
