import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InputError, SpanwrightError } from '../../src/base/errors.js';
import type { FailedPart, JobPart, JobPlan } from '../../src/jobs/job-plan.js';
import { JobFolder, sha256 } from '../../src/node/job-folder.js';
import { Leases } from '../../src/node/leases.js';
import { planParts } from '../../src/node/plan-job.js';
import { machine } from '../../src/node/temporary-files.js';
import { type WorkOptions, workOnJob } from '../../src/node/work-on-job.js';
import { Workspace } from '../cli/program.js';
import { mergedJob } from './merged-job.js';

const workspace = new Workspace();
let number = 0;

/** A job of lines, which are to be written in capitals. */
async function newJob(lines = ['a', 'b', 'c', 'd']) {
  const name = `input${++number}`;
  workspace.write(name, lines.map((line) => `${line}\n`).join(''));
  const folder = new JobFolder(workspace.path(`job${number}`));
  const settings = { version: '1', options: {}, model: { name: 'm', sha256: '' }, posModel: null };
  const request = { settings, inputs: [name], folder: workspace.folder, size: 1, rule: 'lines' as const };
  const plan: JobPlan = { settings, folder: '..', ...(await planParts(request)) };
  folder.writePlan(plan, false);
  const text = readFileSync(workspace.path(name), 'utf8');
  const label: WorkOptions['label'] = async ({ byte, bytes }, write) => {
    await write(Buffer.from(text.slice(byte, byte + bytes).toUpperCase()));
    return { sentences: 1, tokens: 1, badSentences: 0, firstProblem: null };
  };
  return { folder, plan, text, options: { label, attempts: 2, leaseSeconds: 60 } satisfies WorkOptions };
}

describe('a job', () => {
  it('is read as it was written', async () => {
    const { folder, plan } = await newJob();
    expect(folder.plan()).toEqual(plan);
    expect(plan.parts.map(({ sha256: hash }) => hash)).toEqual(['a\n', 'b\n', 'c\n', 'd\n'].map(sha256));
    expect(new Set(plan.parts.map(({ key }) => key)).size).toBe(4);
    expect(folder.writePlan({ ...plan, folder: 'x' }, false)).toBe(false);
    expect(folder.plan().folder).toBe('..');
  });

  it('goes on where a part cannot be read, and tries again where a machine failed', async () => {
    const { folder, plan, text, options } = await newJob();
    const tries = new Map<number, number>();
    const label: WorkOptions['label'] = async (part, write) => {
      tries.set(part.byte, (tries.get(part.byte) ?? 0) + 1);
      if (part.byte === 2) throw new InputError({ source: 'x', line: 2, byte: 3 }, 'bad');
      if (part.byte === 4 && tries.get(4) === 1) throw new SpanwrightError('disk-failed', 'no disk');
      if (part.byte === 6) throw new SpanwrightError('no-memory', 'none');
      return options.label(part, write);
    };
    const failed: FailedPart[] = [];
    const waits: number[] = [];
    await workOnJob(folder, plan, {
      ...options,
      label,
      onPart: (outcome) => 'message' in outcome && failed.push(outcome),
      onRetry: (_part, _problem, seconds) => waits.push(seconds),
    });
    expect(failed.sort((a, b) => a.attempts - b.attempts)).toMatchObject([
      { isInput: true, message: 'x:2 (byte 3): bad', line: 2, byte: 3, attempts: 1 },
      { isInput: false, message: 'none', attempts: 2 },
    ]);
    expect(waits).toEqual([1, 1]);
    expect(folder.keys('done').size).toBe(2);
    expect(folder.keys('lease').size).toBe(0);
    await expect(mergedJob(folder, plan)).rejects.toThrow(/found 2 that are not: x:2 \(byte 3\): bad; none/);
    for (const key of folder.keys('failed')) folder.remove('failed', key);
    await workOnJob(folder, plan, options);
    expect(await mergedJob(folder, plan)).toBe(text.toUpperCase());
  });

  it('gives a part back where nothing can be written', async () => {
    const { folder, plan, options } = await newJob(['a']);
    const [{ key }] = plan.parts;
    // A folder where the output is to be.
    const output = folder.pathOf('parts', key);

    mkdirSync(join(output, 'x'), { recursive: true });
    await expect(workOnJob(folder, plan, { ...options, attempts: 1 })).rejects.toThrow(/cannot be written/);
    expect(['lease', 'failed', 'done', 'tmp'].map((kind) => readdirSync(join(folder.path, kind)))).toEqual([
      [],
      [],
      [],
      [],
    ]);
    rmdirSync(join(output, 'x'));
    rmdirSync(output);
    await workOnJob(folder, plan, options);
    expect(await mergedJob(folder, plan)).toBe('A\n');
  });

  it('is shared by workers, none of which does what another does', async () => {
    const { folder, plan, text, options } = await newJob([...'abcdefghijklmnop']);
    const done: string[] = [];
    const label: WorkOptions['label'] = async (part: JobPart, write) => {
      await sleep(2);
      done.push(part.key);
      return options.label(part, write);
    };
    await Promise.all([1, 2, 3].map(() => workOnJob(folder, plan, { ...options, label })));
    expect(new Set(done).size).toBe(done.length);
    expect(await mergedJob(folder, plan)).toBe(text.toUpperCase());
  });

  it('leaves no records of workers that are gone', async () => {
    const { folder, plan, options } = await newJob();
    const child = spawn('true');
    await once(child, 'exit');
    const gone = { worker: 'x', host: machine(), pid: child.pid, attempt: 1, beat: 3 };
    for (const { key } of plan.parts.slice(0, 2)) folder.create('lease', key, gone);
    // One that died too often.
    folder.create('lease', plan.parts[2].key, { ...gone, attempt: 2 });
    const left = join(folder.path, 'tmp', `.${plan.parts[0].key}.${machine()}-${child.pid}-12ab.tmp`);
    writeFileSync(left, 'half');
    await workOnJob(folder, plan, options);
    expect(existsSync(left)).toBe(false);
    expect([...folder.keys('failed')]).toEqual([plan.parts[2].key]);
    expect(folder.failed(plan.parts[2].key)?.message).toContain('2 workers ended while they were at it');
    expect(folder.done(plan.parts[0].key)?.attempt).toBe(2);
    expect(folder.keys('lease').size).toBe(0);
  });
});

describe('a lease', () => {
  it('is held by one worker, and expires when it is not renewed', async () => {
    const { folder, plan } = await newJob();
    const [{ key }] = plan.parts;
    const [first, second] = [new Leases(folder, 0.3), new Leases(folder, 0.3)];
    expect(first.claim(key)).toBe(1);
    expect(second.claim(key)).toBeUndefined();
    await sleep(500);
    // It has been renewed.
    expect(second.claim(key)).toBeUndefined();
    first.release();
    // A worker of a machine that this one knows nothing of.
    const far = { worker: 'far-1', host: 'elsewhere', pid: 1, attempt: 1, beat: 0 };
    folder.create('lease', key, far);
    expect(second.claim(key)).toBeUndefined();
    await sleep(350);
    expect(second.claim(key)).toBe(2);
    // One that comes back does not take away what another has.
    first.release();
    expect(folder.has('lease', key)).toBe(true);
    second.release();
    expect(folder.has('lease', key)).toBe(false);
  });
});
