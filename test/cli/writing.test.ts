import {
  appendFileSync,
  chmodSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, runShell, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data', corpusText(corpus(30)));

let model: string;
beforeAll(async () => {
  model = await workspace.train('model', corpusText(corpus(30)));
});

const trainTo = (target: string) => ['train', '--task', 'chunking', '--train', data, '--model', target];

/** A shell that makes files of a block at most. */
const SMALL = 'ulimit -f 1; "$0" "$@"';

describe('a file that is written', () => {
  it('is refused, and not there, where it does not fit', async () => {
    const before = workspace.files();
    const target = workspace.path('too-large.st');
    // A file of this shell has no more than a block.
    const { code, stderr } = await runShell(SMALL, trainTo(target));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `spanwright: ${target}: cannot be written: the file is too large\n`,
    });
    expect(workspace.files()).toEqual(before);
    const labelled = workspace.path('labelled');
    const input = workspace.write('many', corpusText(corpus(300), [0, 1]));
    const label = await runShell(SMALL, ['label', '--model', model, input, '--output', labelled]);
    expect(label.stderr).toBe(`spanwright: ${labelled}: cannot be written: the file is too large\n`);
    const report = workspace.path('report.html');
    const evaluation = ['evaluate', '--model', model, data, '--calibration', '--report', report];
    const reported = await runShell(SMALL, evaluation);
    expect(reported.stderr).toBe(`spanwright: ${report}: cannot be written: the file is too large\n`);
    expect(workspace.files()).toEqual([...before, 'many'].sort());
  });

  it('is refused on a full device', async () => {
    const full = workspace.path('full');
    symlinkSync('/dev/full', full);
    const { code, stderr } = await run(trainTo(full));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `spanwright: ${full}: cannot be written: no space is left\n`,
    });
    expect(lstatSync(full).isSymbolicLink()).toBe(true);
    expect(statSync(full).isCharacterDevice()).toBe(true);
  });

  it('is refused where its links lead nowhere', async () => {
    symlinkSync('loop-b', workspace.path('loop-a'));
    symlinkSync('loop-a', workspace.path('loop-b'));
    const { code, stderr } = await run([
      'label',
      '--model',
      model,
      data,
      '--output',
      workspace.path('loop-a'),
    ]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `spanwright: ${workspace.path('loop-a')}: cannot be written: its links lead nowhere\n`,
    });
  });

  it('stays what it was: a pipe, a link, a mode', async () => {
    const labelled = (await run(['label', '--model', model, data])).stdout;
    const pipe = workspace.path('pipe');
    const piped = await runShell(
      'mkfifo "$4"; cat "$4" & "$0" "$1" label --model "$2" "$3" --output "$4"; wait',
      [model, data, pipe],
    );
    expect(piped).toEqual({ code: 0, stdout: labelled, stderr: '' });
    expect(lstatSync(pipe).isFIFO()).toBe(true);

    const secret = workspace.write('secret', 'old');
    chmodSync(secret, 0o600);
    const link = workspace.path('link');
    symlinkSync('secret', link);
    expect((await run(['label', '--model', model, data, '--output', link])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(secret, 'utf8')).toBe(labelled);
    expect(statSync(secret).mode & 0o777).toBe(0o600);

    symlinkSync('later', workspace.path('dangling'));
    expect((await run(['label', '--model', model, data, '--output', workspace.path('dangling')])).code).toBe(
      0,
    );
    expect(readFileSync(workspace.path('later'), 'utf8')).toBe(labelled);
    expect(lstatSync(workspace.path('dangling')).isSymbolicLink()).toBe(true);
  });
});

describe('a file that is read', () => {
  it('is never written too, by whatever name', async () => {
    const input = workspace.write('input', corpusText(corpus(3)));
    const link = workspace.path('input-link');
    symlinkSync('input', link);
    const config = workspace.write('config.json', JSON.stringify({ train: input, task: 'chunking' }));
    const bytes = readFileSync(model);
    for (const [args, option, other] of [
      [['label', '--model', model, input, '--output', model], `--output ${model}`, `--model ${model}`],
      [['label', '--model', model, input, '--output', link], `--output ${link}`, input],
      [['convert', '--from', 'iob2', '--to', 'iobes', link, '--output', input], `--output ${input}`, link],
      [
        ['train', '--task', 'chunking', '--train', input, '--model', link],
        `--model ${link}`,
        `--train ${input}`,
      ],
      [trainTo(input).concat('--dev', link), `--model ${input}`, `--dev ${link}`],
      [['train', '--config', config, '--model', input], `--model ${input}`, `--train ${input}`],
    ] as const) {
      expect(await run(args)).toEqual({
        code: 2,
        stdout: '',
        stderr: `spanwright: ${option}: expected another file than those that are read, found that of ${other}\n`,
      });
    }
    const piped = await runShell('"$0" "$1" label --model "$2" --output "$3" < "$3"', [model, input]);
    expect(piped.stderr).toContain('found that of standard input');
    for (const command of ['"$3" >> "$3"', '< "$3" >> "$4"', '"$4" --on-error skip >> "$3"']) {
      const appended = await runShell(`"$0" "$1" label --model "$2" ${command}`, [model, input, link]);
      expect(appended).toMatchObject({ code: 2, stdout: '' });
      expect(appended.stderr).toMatch(
        /^spanwright: standard output: expected another file than those that are read, found that of .*input/,
      );
    }
    expect(readFileSync(input, 'utf8')).toBe(corpusText(corpus(3)));
    expect(readFileSync(model)).toEqual(bytes);
  });
});

describe('a file that changes while it is read', () => {
  const long = corpusText(corpus(500)).repeat(20);

  it.each([
    ['grows', (path: string) => appendFileSync(path, 'the DT B-NP\n\n')],
    ['is written again', (path: string) => writeFileSync(path, long, { flag: 'r+' })],
  ])('is refused, and nothing is written: one that %s', async (_, change) => {
    const input = workspace.write('changing', long);
    const output = workspace.write('unchanged', 'old');
    const timer = setInterval(() => change(input), 1);
    const { code, stderr } = await run(['label', '--model', model, input, '--output', output]);
    clearInterval(timer);
    expect(stderr).toMatch(/changing: cannot be read: it changes while it is read|changing:\d+: expected/);
    expect(code).toBeGreaterThan(0);
    expect(readFileSync(output, 'utf8')).toBe('old');
  });
});

describe('standard output', () => {
  it('that nobody reads any more ends reading in peace, and training with an error', async () => {
    const command = 'set -o pipefail; "$0" "$@" | head -n 1 > /dev/null';
    const many = workspace.write('many', corpusText(corpus(3000)));
    expect(await runShell(command, ['label', '--model', model, many])).toMatchObject({ code: 0, stderr: '' });
    const target = workspace.path('unfinished');
    const trained = await runShell(command, [
      ...trainTo(target),
      '--json',
      '--epochs',
      '300',
      '--epsilon',
      '1e-12',
    ]);
    expect(trained).toMatchObject({
      code: 1,
      stderr: 'spanwright: standard output: cannot be written: nobody reads it any more\n',
    });
    expect(workspace.files()).not.toContain('unfinished');
  });

  it('that cannot be written is told', async () => {
    const full = {
      code: 1,
      stdout: '',
      stderr: 'spanwright: standard output: cannot be written: no space is left\n',
    };
    expect(await runShell('"$0" "$1" --help > /dev/full')).toEqual(full);
    expect(await runShell('"$0" "$1" label --model "$2" "$3" > /dev/full', [model, data])).toEqual(full);
  });

  it('and standard input are named -', async () => {
    const usual = await run(['label', '--model', model, data]);
    expect(await run(['label', '--model', model, '-', '--output', '-'], corpusText(corpus(30)))).toEqual(
      usual,
    );
    expect(workspace.files()).not.toContain('-');
    const trained = await run(
      ['train', '--task', 'chunking', '--train', '-', '--model', workspace.path('from-input')],
      corpusText(corpus(30)),
    );
    expect(trained.code).toBe(0);
    expect(readFileSync(workspace.path('from-input'))).toEqual(readFileSync(model));
    const refused = await run(trainTo('-'));
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^spanwright: --model: expected a file/);
  });
});
