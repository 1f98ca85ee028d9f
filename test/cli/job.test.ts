import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
let model: string;
/** Column files without labels. */
const columns = ['a.txt', 'b.txt'].map((name, i) => {
  return workspace.write(name, corpusText(corpus(30, 5 + i)).replace(/ \S+$/gm, ''));
});
let number = 0;
const newJob = () => workspace.path(`job${++number}`);

beforeAll(async () => {
  model = await workspace.train('model', corpusText(corpus(60)));
});

/** Runs a command that is to end well; what it wrote. */
async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  return stderr;
}

const keys = (job: string, kind: string) => readdirSync(join(job, kind)).sort();

describe('a job', () => {
  it('of column files gives the bytes of label, on several workers', async () => {
    const job = newJob();
    const planned = await ok('job', 'plan', job, ...columns, '-m', model, '--part-bytes', '500');
    expect(planned).toMatch(/: \d+ parts of [\d.]+ kB in all\n$/);
    expect(await refused('job', 'merge', job)).toMatch(
      /found \d+ that are not: .*bytes 0 … \d+: nobody has begun it/,
    );
    await ok('job', 'work', job, '--workers', '2');
    const status = JSON.parse(await ok('job', 'status', job, '--json'));
    expect(status).toMatchObject({ done: status.parts, working: 0, failed: [], secondsLeft: 0 });
    expect(status.parts).toBeGreaterThan(5);
    expect(status.bytesDone).toBe(status.bytes);
    expect(await ok('job', 'merge', job)).toBe(await ok('label', ...columns, '-m', model));
    expect(keys(job, 'lease')).toEqual([]);
    expect(keys(job, 'tmp')).toEqual([]);
    // The same plan again changes nothing.
    expect(await ok('job', 'plan', job, ...columns, '-m', model, '--part-bytes', '500')).toContain(
      `${status.parts} of them done`,
    );
  });

  it('in ranks is shared out by number', async () => {
    const job = newJob();
    await ok('job', 'plan', job, ...columns, '-m', model, '--part-bytes', '500');
    await ok('label', '--rank', '1', '--ranks', '2', job);
    const { parts, done } = JSON.parse(await ok('job', 'status', job, '--json'));
    expect(done).toBe(Math.floor(parts / 2));
    await ok('label', '--rank', '0', '--ranks', '2', job);
    expect(await ok('job', 'merge', job)).toBe(await ok('label', ...columns, '-m', model));
    expect(await refused('label', '--rank', '2', '--ranks', '2', job)).toContain('R from 0 to N − 1');
    expect(await refused('label', '--rank', '0', '--ranks', '2', job, '--confidence')).toContain(
      '--confidence',
    );
  });

  it.each([
    ['text.txt', 'The dog "barks.\n😀\n\nShe was seen." It\n\n\nended', ['--text', '--format', 'json']],
    ['docs.jsonl', '{"text":"The dog barks. It ended."}\n{"text":"😀 She was"}\n', []],
    [
      'docs2.jsonl',
      '{"text":"The dog barks."}\n{"text":\n{"text":"It"}\n',
      ['--format', 'json', '--on-error', 'keep'],
    ],
    ['x.conllu', '1\tThe\t_\t_\tDT\t_\t_\t_\t_\t_\n\n# c\n1\tdog\t_\t_\tNN\t_\t_\t_\t_\t_\n', []],
  ])('of %s gives the bytes of label', async (name, content, how) => {
    const job = newJob();
    const input = workspace.write(name, content);
    const args = [input, '-m', 'english-chunk', ...how];
    await ok('job', 'plan', job, ...args, '--part-bytes', '1');
    expect(JSON.parse(await ok('job', 'status', job, '--json')).parts).toBeGreaterThan(1);
    await ok('job', 'work', job);
    const merged = await run(['job', 'merge', job]);
    expect(merged).toEqual(await run(['label', ...args]));
    expect(merged.code).toBe(0);
  });

  it('goes on past bad input, names its place, and takes the part up again once that is mended', async () => {
    const job = newJob();
    const good = corpusText(corpus(20, 9)).replace(/ \S+$/gm, '');
    const lines = good.split('\n');
    const at = lines.findIndex((line, i) => i > 60 && line.includes(' '));
    const bad = workspace.write(
      'bad.txt',
      [...lines.slice(0, at), lines[at].replace(' ', '_'), ...lines.slice(at + 1)].join('\n'),
    );
    await ok('job', 'plan', job, bad, '-m', model, '--part-bytes', '400');
    const worked = await run(['job', 'work', job]);
    expect(worked.code).toBe(2);
    expect(worked.stderr).toContain(`1 part of`);
    expect(worked.stderr).toContain(`bad.txt:${at + 1}: expected`);
    const status = JSON.parse(await ok('job', 'status', job, '--json'));
    expect(status.failed).toMatchObject([{ isInput: true, line: at + 1, attempts: 1 }]);
    expect(status.done).toBe(status.parts - 1);
    expect(await refused('job', 'merge', job)).toContain(`bad.txt:${at + 1}`);
    const done = keys(job, 'done');
    // Mended: the file is another, of which the other parts are as they were.
    writeFileSync(bad, good);
    await ok('job', 'retry', job);
    expect((await run(['job', 'work', job])).stderr).toContain('the file has changed');
    const again = ['job', 'plan', job, bad, '-m', model, '--part-bytes', '400'];
    expect(await refused(...again)).toContain('--again');
    await ok(...again, '--again');
    await ok('job', 'work', job);
    expect(keys(job, 'done')).toEqual(expect.arrayContaining(done));
    expect(await ok('job', 'merge', job)).toBe(await ok('label', bad, '-m', model));
  });

  it('is refused where version, model or folder are others', async () => {
    const job = newJob();
    const [input] = columns;
    await ok('job', 'plan', job, input, '-m', model);
    expect(await refused('job', 'plan', job, input, '-m', model, '--confidence')).toContain(
      'found others; plan another job',
    );
    expect(await refused('job', 'plan', workspace.folder, input, '-m', model)).toContain('found files in it');
    expect(await refused('job', 'work', job, '-m', 'english-chunk')).toContain(
      'expected the model that the job was planned with',
    );
    const plan = readFileSync(join(job, 'job.json'), 'utf8');
    writeFileSync(join(job, 'job.json'), plan.replace(/"version":"[^"]*"/, '"version":"0.0.9"'));
    for (const command of ['work', 'merge']) expect(await refused('job', command, job)).toContain('"0.0.9"');
    writeFileSync(join(job, 'job.json'), plan.replace('"jobFormat":1', '"jobFormat":7'));
    expect(await refused('job', 'status', job)).toContain('found format 7');
    writeFileSync(join(job, 'job.json'), plan.slice(0, 100));
    expect(await refused('job', 'status', job)).toContain('found no JSON');
    rmSync(join(job, 'job.json'));
    expect(await refused('job', 'status', job)).toContain('found no job.json in it');
    expect(await refused('job', 'plan', newJob(), '-', '-m', model)).toContain('standard input');
    expect(await refused('job', 'plan', newJob(), input, '-m', model, '--part-bytes', 'much')).toContain(
      'such as 500kB',
    );
    expect(await refused('job', 'list')).toContain(
      'expected plan, work, status, retry or merge, found "list"',
    );
  });

  it('tells of damaged output, and makes it anew', async () => {
    const job = newJob();
    await ok('job', 'plan', job, ...columns, '-m', model, '--part-bytes', '1kB');
    await ok('job', 'work', job);
    const merged = await ok('job', 'merge', job);
    const [key] = keys(job, 'parts');
    writeFileSync(join(job, 'parts', key), 'x');
    expect(await refused('job', 'merge', job)).toContain('retry --damaged');
    expect(await ok('job', 'retry', job, '--damaged')).toContain('1 part whose output is damaged');
    expect(existsSync(join(job, 'done', key))).toBe(false);
    await ok('job', 'work', job);
    expect(await ok('job', 'merge', job)).toBe(merged);
  });
});

describe('label --line-by-line', () => {
  it('gives a line for each line', async () => {
    const input = 'The dog barks. She was seen.\n\n\ufeffIt\r\n😀 ended';
    const { stdout } = await run(['label', '--text', '--line-by-line', '--format', 'json'], input);
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line).length)).toEqual([2, 0, 1, 1]);
    expect(JSON.parse(lines[3])[0]).toMatchObject({ text: '😀 ended', start: 0 });
    const brackets = await run(['label', '--text', '--line-by-line'], input);
    expect(brackets.stdout.split('\n').length).toBe(5);
    const documents = await run(['label', '--text', '--line-by-line', '--format', 'jsonl'], input);
    expect(
      documents.stdout
        .split('\n')
        .slice(0, 4)
        .map((line) => JSON.parse(line).text),
    ).toEqual(['The dog barks. She was seen.', '', '\ufeffIt', '😀 ended']);
    const kept = await run(
      ['label', '--text', '--line-by-line', '--format', 'json', '--on-error', 'keep'],
      Buffer.from('It\n\xff\nIt', 'latin1'),
    );
    expect(kept.stdout.split('\n').map((line) => line.slice(0, 8))).toEqual([
      '[{"text"',
      '{"error"',
      '[{"text"',
      '',
    ]);
  });

  it('is refused where lines are no texts', async () => {
    const [input] = columns;
    expect(await refused('label', '-m', model, '--line-by-line', input)).toContain(
      'an input of the format text, jsonl',
    );
    expect(await refused('label', '--text', '--line-by-line', '--format', 'columns', input)).toContain(
      'brackets, json',
    );
    expect(
      await refused(
        'label',
        '--line-by-line',
        '--on-error',
        'skip',
        '-m',
        'english-chunk',
        workspace.write('d.jsonl', ''),
      ),
    ).toContain('stop or keep');
  });
});
