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
/** Milliseconds spent on making a failing input smaller. */
const SHRINKING_TIME = 3000;

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
const names = all.map(({ name }) => name);
if (values.only !== undefined && !names.includes(values.only)) {
  console.error(`--only: expected ${names.join(', ')}, found ${values.only}`);
  process.exit(2);
}
const kinds = values.only === undefined ? all : all.filter(({ name }) => name === values.only);
const started = performance.now();
let total = 0;
let failures = 0;
const reported = new Set();
for (const kind of kinds) {
  const numbers = numbersOf(kind);
  const counts = { accepted: 0, refused: 0, failed: 0 };
  let slowest = 0;
  for (const number of numbers) {
    const from = performance.now();
    const result = await run({ seed, kind: kind.name, number });
    slowest = Math.max(slowest, performance.now() - from);
    counts[result.outcome]++;
    total++;
    if (result.outcome === 'failed') await report({ seed, kind: kind.name, number }, result);
  }
  failures += counts.failed;
  console.log(
    `${kind.name.padEnd(15)} ${numbers.length} cases: ${counts.accepted} accepted, ${counts.refused} refused, ` +
      `${counts.failed} failed; slowest ${Math.round(slowest)} ms`,
  );
}
console.log(`${total} cases, ${failures} failed, ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exit(failures > 0 ? 1 : 0);

/** Numbers of a kind's cases: its share of all, or for a slow kind a few. */
function numbersOf({ slow }) {
  if (values.case !== undefined) return [Number(values.case)];
  const cases = Number(values.cases);
  const few = Math.min(40, Math.ceil(cases / 60));
  const slowKinds = kinds.filter((kind) => kind.slow).length;
  const others = kinds.length - slowKinds;
  const count = others === 0 ? cases : slow ? few : Math.ceil((cases - few * slowKinds) / others);
  return Array.from({ length: count }, (_, number) => number);
}

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
    const current = worker;
    const finish = (result) => {
      clearTimeout(timer);
      current.off('message', finish).off('error', died).off('exit', died);
      resolve(result);
    };
    const replace = (problem) => {
      finish({ outcome: 'failed', problem });
      current.terminate();
      start();
    };
    const died = (cause) => replace(`the thread died: ${cause.message ?? cause}`);
    const timer = setTimeout(() => replace(`no answer in ${patience / 1000} s`), patience);
    current.on('message', finish).on('error', died).on('exit', died);
    current.postMessage(request);
  });
}

async function report(request, { problem, stack, bytes }) {
  const { kind, number } = request;
  const shown = problem.length > 500 ? `${problem.slice(0, 500)}…` : problem;
  console.error(`FAILED ${kind}, case ${number} (--seed ${seed} --only ${kind} --case ${number}): ${shown}`);
  const place = stack?.split('\n').find((line) => /^ +at /.test(line) && !line.includes('oracles.js'));
  // The same problem again needs no example of its own.
  const what = `${kind} ${wayOf(problem)} ${place}`;
  if (reported.has(what)) return;
  reported.add(what);
  // A case that gave no answer is left as it is: to make it smaller would take that long again and again.
  const original = bytes ?? (await run({ ...request, makeOnly: true })).bytes;
  const smallest = bytes ? await shrink(request, bytes, problem) : original;
  if (smallest === undefined) return;
  const file = join(mkdtempSync(join(tmpdir(), 'spanwright-fuzz-')), `${kind}-${number}`);
  writeFileSync(file, smallest);
  console.error(
    `  ${place?.trim() ?? ''}\n  ${original.length} bytes, ${smallest.length} when made smaller: ${file}`,
  );
  if (smallest.length < 200) console.error(`  ${JSON.stringify(Buffer.from(smallest).toString('latin1'))}`);
}

/** What is alike of problems that are the same. */
function wayOf(problem) {
  return problem.replace(/\d+/g, '#').slice(0, 40);
}

/** Leaves out parts, ever smaller ones, as long as the case still fails in the same way. */
async function shrink(request, bytes, problem) {
  let smallest = bytes;
  const until = performance.now() + SHRINKING_TIME;
  for (let size = smallest.length >> 1; size > 0; ) {
    const before = smallest.length;
    for (let at = 0; at < smallest.length && performance.now() < until; ) {
      const input = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      const result = await run({ ...request, input: Uint8Array.from(input) });
      if (wayOf(result.problem ?? '') === wayOf(problem)) smallest = Uint8Array.from(input);
      else at += size;
    }
    // Single bytes again as long as that helps: what follows one may have kept it.
    if (size > 1 || smallest.length === before) size >>= 1;
  }
  return smallest;
}
