// Hostile input, seeded: damages well-formed inputs of every kind and watches what comes of it.
//   npm run fuzz -- [--seed 1] [--cases 2500] [--only KIND] [--case NUMBER]
// Ends with 1 if a case fell over, hung, lost something, or was refused without saying where. Its smallest input is kept.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

/** A case that takes longer hangs. */
const PATIENCE = 20_000;
/** Runs spent on making a failing input smaller. */
const SHRINKING_RUNS = 400;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '2500' },
    only: { type: 'string' },
    case: { type: 'string' },
    // Other kinds than those of fuzz/kinds.js: how the tests see that failures are noticed.
    kinds: { type: 'string', default: new URL('./fuzz/kinds.js', import.meta.url).href },
    patience: { type: 'string', default: String(PATIENCE) },
  },
});
const seed = Number(values.seed);
const patience = Number(values.patience);

let worker;
let ready;
start();
const all = await ready;
if (values.only !== undefined && !all.includes(values.only)) {
  console.error(`--only: expected ${all.join(', ')}, found ${values.only}`);
  process.exit(2);
}
const kinds = values.only === undefined ? all : [values.only];
const perKind = Math.ceil(Number(values.cases) / kinds.length);
const started = performance.now();
let total = 0;
let failures = 0;
for (const kind of kinds) {
  const counts = { accepted: 0, refused: 0, failed: 0 };
  const numbers =
    values.case === undefined ? Array.from({ length: perKind }, (_, i) => i) : [Number(values.case)];
  for (const number of numbers) {
    const result = await run({ seed, kind, number });
    counts[result.outcome]++;
    total++;
    if (result.outcome === 'failed') await report({ seed, kind, number }, result);
  }
  failures += counts.failed;
  console.log(
    `${kind.padEnd(15)} ${numbers.length} cases: ${counts.accepted} accepted, ${counts.refused} refused, ${counts.failed} failed`,
  );
}
console.log(`${total} cases, ${failures} failed, ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exit(failures > 0 ? 1 : 0);

function start() {
  worker = new Worker(new URL('./fuzz/worker.js', import.meta.url), { workerData: { kinds: values.kinds } });
  ready = new Promise((resolve, reject) => {
    worker.once('message', (message) => resolve(message.kinds));
    worker.once('error', reject);
  });
}

/** Runs a case; one that does not end counts as failed, and its thread is replaced. */
async function run(request) {
  await ready;
  return new Promise((resolve) => {
    const finish = (result) => {
      clearTimeout(timer);
      worker.off('message', finish).off('error', died);
      resolve(result);
    };
    const replace = (problem) => {
      finish({ outcome: 'failed', problem });
      worker.terminate();
      start();
    };
    const died = (error) => replace(`the thread died: ${error.message}`);
    const timer = setTimeout(() => replace(`no answer in ${patience / 1000} s`), patience);
    worker.on('message', finish).on('error', died);
    worker.postMessage(request);
  });
}

async function report(request, { problem, stack, bytes }) {
  const { kind, number } = request;
  console.error(
    `FAILED ${kind}, case ${number} (--seed ${seed} --only ${kind} --case ${number}): ${problem}`,
  );
  if (bytes === undefined) return;
  const smallest = await shrink(request, bytes);
  const file = join(mkdtempSync(join(tmpdir(), 'spanwright-fuzz-')), `${kind}-${number}`);
  writeFileSync(file, smallest);
  console.error(
    `  ${stack?.split('\n')[1]?.trim() ?? ''}\n  ${bytes.length} bytes, ${smallest.length} when made smaller: ${file}`,
  );
  if (smallest.length < 200) console.error(`  ${JSON.stringify(Buffer.from(smallest).toString('latin1'))}`);
}

/** Leaves out parts, ever smaller ones, as long as the case still fails. */
async function shrink(request, bytes) {
  let smallest = bytes;
  let runs = 0;
  for (let size = smallest.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < smallest.length && runs < SHRINKING_RUNS; runs++) {
      const input = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      const { outcome } = await run({ ...request, input: Uint8Array.from(input) });
      if (outcome === 'failed') smallest = Uint8Array.from(input);
      else at += size;
    }
  }
  return smallest;
}
