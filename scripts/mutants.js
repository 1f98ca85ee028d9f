// Mutation tests, `npm run mutants`: changes the sources at one place at a time, in a copy of the repository, runs the tests that concern
// the file and tells which changes no test noticed. The same seed takes the same places of the same sources.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutationsOf } from './mutants/mutations.js';
import { Workspace } from './mutants/workspace.js';

const USAGE = `usage: npm run mutants -- [options]
  --count N      number of mutants (default 40)
  --seed N       seed of the choice (default 1)
  --folder PATH  only files below it, such as src/reduce (default src)
  --jobs N       mutants tested at a time (default 1)
  --json FILE    write the report as JSON, after every mutant
  --again FILE   test the mutants once more that survived in such a report`;

const root = fileURLToPath(new URL('..', import.meta.url));
const options = readOptions();
const equivalents = JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalent.json'), 'utf8'));
const mutants = options.again
  ? survivorsOf(options.again)
  : choose(allMutations(options.folder)).map(mutantOf);

const waiting = mutants.map((mutant, i) => ({ ...mutant, number: i + 1 }));
const done = [];
/** Whether a test file passes without a mutant, as far as that is known. */
const sound = new Map();
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
await Promise.all(Array.from({ length: Math.min(options.jobs, mutants.length) }, work));
console.log(summary());
process.exitCode = mutants.length > 0 ? 0 : 1;

async function work() {
  const path = mkdtempSync(join(tmpdir(), 'spanwright-mutants-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  const workspace = new Workspace(root, path, Math.max(1, Math.floor(2 / options.jobs)), sound);
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const { file, line, kind, from, to } = mutant;
    const reason = equivalents.find((one) => one.file === file && one.from === from && one.to === to)?.reason;
    const by = reason === undefined ? await workspace.test(file, mutant.mutated) : undefined;
    const result = reason !== undefined ? 'equivalent' : by === undefined ? 'survived' : 'caught';
    done.push({ file, line, kind, from, to, result, by, reason });
    console.log(
      `${done.length}/${mutants.length} ${result}: ${file}:${line} (${kind})\n  - ${from}\n  + ${to}`,
    );
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report(), null, 2)}\n`);
  }
}

function readOptions() {
  const names = ['count', 'seed', 'folder', 'jobs', 'json', 'again'];
  try {
    const { values } = parseArgs({
      options: Object.fromEntries([
        ...names.map((name) => [name, { type: 'string' }]),
        ['help', { type: 'boolean' }],
      ]),
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const number = (name, fallback) => {
      const value = Number(values[name] ?? fallback);
      if (!Number.isSafeInteger(value) || value < 1) {
        throw new Error(`--${name}: expected a number above 0, found ${values[name]}`);
      }
      return value;
    };
    const { json, again, folder = 'src' } = values;
    return {
      json,
      again,
      folder,
      count: number('count', 40),
      seed: number('seed', 1),
      jobs: number('jobs', 1),
    };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

/** All mutations of the files below a folder, in the order of their names. */
function allMutations(folder) {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((name) => join('src', name))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.endsWith('simd-binary.ts'))
    .filter((name) => `${name}/`.startsWith(`${folder.replace(/\/+$/, '')}/`))
    .sort();
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return mutationsOf(file, source).map((mutation) => ({ file, source, mutation }));
  });
}

function mutantOf({ file, source, mutation: { kind, start, end, text } }) {
  const mutated = source.slice(0, start) + text + source.slice(end);
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = (source.indexOf('\n', end) + 1 || source.length + 1) - 1;
  return {
    file,
    line: source.slice(0, start).split('\n').length,
    kind,
    from: source.slice(lineStart, lineEnd).trim(),
    to: mutated.slice(lineStart, lineEnd + mutated.length - source.length).trim(),
    mutated,
  };
}

/** As many of the mutations as were asked for, each once, drawn at random. */
function choose(all) {
  const random = mulberry32(options.seed);
  const chosen = [];
  for (let left = all.length; left > 0 && chosen.length < options.count; left--) {
    const at = Math.floor(random() * left);
    chosen.push(all[at]);
    all[at] = all[left - 1];
  }
  return chosen;
}

/** A small generator of numbers in [0, 1), of 32 bits of state. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The survivors of a report whose lines are still there. */
function survivorsOf(path) {
  const survivors = JSON.parse(readFileSync(path, 'utf8')).mutants.filter(
    ({ result }) => result === 'survived',
  );
  return survivors.flatMap(({ file, from, to, line }) => {
    const found = allMutations(file)
      .map(mutantOf)
      .filter((mutant) => mutant.from === from && mutant.to === to);
    if (found.length === 0) console.log(`gone: ${file}:${line}\n  - ${from}\n  + ${to}`);
    // Of lines that are alike, the one nearest to where it was.
    return found.sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line)).slice(0, 1);
  });
}

function report() {
  const count = (result) => done.filter((mutant) => mutant.result === result).length;
  const [caught, survived, equivalent] = ['caught', 'survived', 'equivalent'].map(count);
  const { seed, folder } = options;
  return {
    seed,
    folder,
    caught,
    survived,
    equivalent,
    rate: caught / Math.max(1, caught + survived),
    mutants: done,
  };
}

function summary() {
  const { caught, survived, equivalent, rate } = report();
  const lines = done
    .filter(({ result }) => result === 'survived')
    .map(({ file, line, kind, from, to }) => `${file}:${line} (${kind})\n  - ${from}\n  + ${to}`);
  return [
    ...(lines.length > 0 ? ['', 'survived:', ...lines] : []),
    '',
    `${caught} of ${caught + survived} mutants caught (${(100 * rate).toFixed(1)} %), ${equivalent} equivalent`,
  ].join('\n');
}
