// Jobs whose workers die, stand still, or find no room: the output is that of label, to the byte, and nothing is done twice or left behind.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../fuzz/dist.js';
import { inMount } from './failures.js';
import { expect, run } from './program.js';

const { Random } = await load('base/random.js');
/** Copies of the large input that a job labels: some seconds of work. */
const COPIES = 8;
/** Longest life of a worker that is killed, in milliseconds. */
const LIFE = 2500;

export const JOB_FAILURES = [
  {
    name: 'job, workers killed',
    run: (inputs, folder, { kills, seed }) => killWorkers(inputs, folder, kills, seed),
  },
  {
    name: 'job, queue killed and emptied',
    run: (inputs, folder, { kills, seed }) => onQueue(inputs, folder, kills, seed),
  },
  { name: 'job, worker stands still', run: (inputs, folder) => freezeWorker(inputs, folder) },
  {
    name: 'job, disk full',
    run: (inputs, folder) =>
      inMount(folder, 'size=1m', async () => {
        const job = await plan(inputs, folder);
        const { code, stderr } = await run(['job', 'work', job.path, '--attempts', '1']);
        expect(code === 1, () => `expected exit code 1, found ${code}: ${stderr}`);
        expect(/cannot be written: no space is left\n$/.test(stderr), () => `found ${stderr}`);
        const done = readdirSync(join(job.path, 'done'));
        expect(done.length > 0 && done.length < job.parts, () => `${done.length} parts done`);
        expect(readdirSync(join(job.path, 'tmp')).length === 0, 'a temporary file was left');
        execFileSync('mount', ['-o', 'remount,size=64m', folder]);
        await finish(job);
      }),
  },
];

/** Plans a job, and labels the same input at once. */
async function plan({ model, large, folder: inputs }, folder) {
  const input = join(inputs, 'job.txt');
  writeFileSync(input, readFileSync(large, 'utf8').replace(/ \S+$/gm, '').repeat(COPIES));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'job');
  rmSync(path, { recursive: true, force: true });
  await succeed(['job', 'plan', path, input, '--model', model, '--part-bytes', '100kB']);
  const parts = Number(/"parts":(\d+)/.exec((await succeed(['job', 'status', path, '--json'])).stdout)[1]);
  return { path, parts, serial: (await succeed(['label', '--model', model, input])).stdout };
}

async function succeed(args) {
  const ended = await run(args);
  expect(ended.code === 0, () => `${args.join(' ')}: exit code ${ended.code}: ${ended.stderr}`);
  return ended;
}

/** Finishes a job and looks at everything that it left. */
async function finish({ path, parts, serial }) {
  await succeed(['job', 'work', path]);
  const { stdout } = await succeed(['job', 'merge', path]);
  expect(stdout === serial, 'the output is not that of label');
  for (const kind of ['parts', 'done']) {
    const { length } = readdirSync(join(path, kind));
    expect(length === parts, () => `expected ${parts} in ${kind}, found ${length}`);
  }
  for (const kind of ['lease', 'failed', 'tmp']) {
    const left = readdirSync(join(path, kind));
    expect(left.length === 0, () => `left in ${kind}: ${left.join(' ')}`);
  }
}

/** Kills one of two workers after another, at random moments, until as many have died; a job that is finished makes room for another. */
async function killWorkers(inputs, folder, kills, seed, how = [], disturb = async () => undefined) {
  const random = new Random(seed, 77);
  const work = (job, killAfter) =>
    run(['job', 'work', job.path, '--attempts', '1000', ...how], { killAfter });
  let killed = 0;
  let jobs = 0;
  while (killed < kills) {
    const job = await plan(inputs, folder);
    jobs++;
    let isOver = false;
    while (!isOver && killed < kills) {
      const both = [work(job, random.below(LIFE)), work(job, random.below(LIFE))];
      await disturb(random);
      const ends = await Promise.all(both);
      killed += ends.filter(({ signal }) => signal === 'SIGKILL').length;
      isOver = ends.some(({ code }) => code === 0);
      const bad = ends.find(({ code, signal }) => code !== 0 && signal !== 'SIGKILL');
      expect(bad === undefined, () => `a worker failed: ${bad.stderr}`);
    }
    await finish(job);
  }
  console.log(`${''.padEnd(28)} ${killed} workers killed, ${jobs} jobs finished`);
}

/** The same by a queue, whose server is killed or emptied now and then. */
async function onQueue(inputs, folder, kills, seed) {
  mkdirSync(folder, { recursive: true });
  const port = 20_000 + (process.pid % 20_000);
  const start = async () => {
    const how = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
    const server = spawn('redis-server', how.map(String), { stdio: 'ignore' });
    const [error] = await Promise.race([once(server, 'error'), once(server, 'spawn')]);
    return error instanceof Error ? undefined : server;
  };
  let server = await start();
  if (server === undefined) return 'no redis-server';
  const counts = { killed: 0, emptied: 0 };
  const disturb = async (random) => {
    await sleep(random.below(LIFE));
    if (random.below(2) === 0) {
      server.kill('SIGKILL');
      await once(server, 'exit');
      await sleep(300);
      server = await start();
      counts.killed++;
    } else if (spawnSync('redis-cli', ['-p', port, 'flushall']).status === 0) counts.emptied++;
  };
  try {
    await killWorkers(
      inputs,
      folder,
      kills,
      seed,
      ['--queue', `redis://127.0.0.1:${port}`, '--lease', '2'],
      disturb,
    );
  } finally {
    server.kill('SIGKILL');
  }
  console.log(`${''.padEnd(28)} Redis killed ${counts.killed} times, emptied ${counts.emptied} times`);
}

/** Stops a worker in the middle of a part until another has done that part, and lets it go on. */
async function freezeWorker(inputs, folder) {
  const job = await plan(inputs, folder);
  let frozen;
  const first = run(['job', 'work', job.path, '--lease', '2'], { started: (child) => (frozen = child) });
  while (readdirSync(join(job.path, 'lease')).length === 0) await sleep(5);
  frozen.kill('SIGSTOP');
  const held = readdirSync(join(job.path, 'lease'));
  await succeed(['job', 'work', job.path, '--lease', '2']);
  const records = () => held.map((key) => readFileSync(join(job.path, 'done', key), 'utf8')).join('');
  const before = records();
  frozen.kill('SIGCONT');
  const { code, stderr } = await first;
  expect(code === 0, () => `exit code ${code}: ${stderr}`);
  expect(records() === before, 'the part has another record');
  await finish(job);
}
