import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import type { JobPlan } from '../../src/jobs/job-plan.js';
import { JobFolder } from '../../src/node/job-folder.js';
import { workFromQueue } from '../../src/node/job-queue.js';
import { planParts } from '../../src/node/plan-job.js';
import type { WorkOptions } from '../../src/node/work-on-job.js';
import { Workspace } from '../cli/program.js';
import { mergedJob } from './merged-job.js';

const workspace = new Workspace();
const program = process.env.SPANWRIGHT_REDIS ?? 'redis-server';
const isThere =
  process.env.SPANWRIGHT_REDIS !== undefined || spawnSync(program, ['--version']).error === undefined;
const describeWithRedis = (title: string, body: () => void) =>
  isThere
    ? describe(title, body)
    : describe.skip(`${title} (skipped: no redis-server; apt-get install redis-server)`, body);

const PARTS = 60;
let server: ChildProcess | undefined;
afterAll(() => server?.kill('SIGKILL'));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

async function startRedis(port: number): Promise<void> {
  const folder = workspace.path('redis');
  mkdirSync(folder, { recursive: true });
  const how = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  server = spawn(program, how.map(String), { stdio: 'ignore' });
  await once(server, 'spawn');
}

async function killRedis(): Promise<void> {
  server?.kill('SIGKILL');
  if (server) await once(server, 'exit');
}

async function newJob(name: string) {
  workspace.write(name, Array.from({ length: PARTS }, (_, i) => `line ${i}\n`).join(''));
  const folder = new JobFolder(workspace.path(`job-${name}`));
  const settings = { version: '1', options: {}, model: { name: 'm', sha256: '' }, posModel: null };
  const request = { settings, inputs: [name], folder: workspace.folder, size: 1, rule: 'lines' as const };
  const plan: JobPlan = { settings, folder: '..', ...(await planParts(request)) };
  folder.writePlan(plan, false);
  const text = readFileSync(workspace.path(name), 'utf8');
  const labelled: string[] = [];
  const label: WorkOptions['label'] = async ({ byte, bytes, key }, write) => {
    await sleep(40);
    labelled.push(key);
    await write(Buffer.from(text.slice(byte, byte + bytes).toUpperCase()));
    return { sentences: 1, tokens: 1, badSentences: 0, firstProblem: null };
  };
  return { folder, plan, text, labelled, options: { label, attempts: 3, leaseSeconds: 4 } };
}

describeWithRedis('a job on a queue', () => {
  it('is done once, though Redis is killed and emptied meanwhile, without a flood of messages', async () => {
    const port = await freePort();
    await startRedis(port);
    const url = `redis://127.0.0.1:${port}`;
    const { folder, plan, text, labelled, options } = await newJob('a');
    const said: string[] = [];
    const work = () =>
      workFromQueue(folder, plan, options, { url, onTrouble: (message) => said.push(message) });
    const both = Promise.all([work(), work()]);
    const until = async (done: number) => {
      while (folder.keys('done').size < done) await sleep(10);
    };
    await until(8);
    await killRedis();
    await sleep(700);
    await startRedis(port);
    await until(25);
    const other = new Redis(url);
    await other.flushall();
    other.disconnect();
    await both;
    expect(await mergedJob(folder, plan)).toBe(text.toUpperCase());
    // At most what was under way when Redis was emptied is done a second time.
    expect(labelled.length).toBeLessThan(PARTS + 8);
    expect(said.length).toBeLessThanOrEqual(8);
    expect(said.some((message) => /waiting for it$/.test(message))).toBe(true);
    expect(said.some((message) => /it is back$/.test(message))).toBe(true);
    await killRedis();
  });

  it('is refused where there is no Redis', async () => {
    const { folder, plan, options } = await newJob('b');
    const port = await freePort();
    const queue = (url: string) => workFromQueue(folder, plan, options, { url, onTrouble: () => undefined });
    await expect(queue(`redis://:secret@127.0.0.1:${port}`)).rejects.toThrow(
      `redis://127.0.0.1:${port}: expected a Redis server, found none that can be used: ECONNREFUSED`,
    );
    await expect(queue('http://x')).rejects.toThrow('expected redis://HOST:PORT');
  });
});
