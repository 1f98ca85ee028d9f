import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { MAIN, run, runShell, Workspace } from './program.js';

const workspace = new Workspace();
const sentences = corpus(12, 5);
/** Words and parts of speech, as label reads them. */
const plain = corpusText(sentences, [0, 1]);
const GOOD = 'the DT\ndog NN\n\n';
const BAD = 'alone\nsees VBZ\n\n';
const GOOD_LABELLED = 'the DT B-NP\ndog NN I-NP\n\n';

let model: string;
/** A model that labels large inputs fast. */
let fast: string;
beforeAll(async () => {
  const templates = workspace.write('templates', 'word[0]\npos[0]\npos[-1]\n');
  [model, fast] = await Promise.all([
    workspace.train('model', corpusText(corpus(80))),
    workspace.train('fast', corpusText(corpus(80)), '--templates', templates, '--decoder', 'greedy'),
  ]);
});

const label = (args: readonly string[], input: string | Uint8Array = '') =>
  run(['label', '--model', model, ...args], input);

describe('spanwright label', () => {
  it('adds a column in the training file’s scheme, from a file and from standard input alike', async () => {
    const fromFile = await label([workspace.write('plain.txt', plain)]);
    expect(fromFile).toMatchObject({ code: 0, stderr: '' });
    // The corpus is easy enough to be labelled without a mistake.
    expect(fromFile.stdout).toBe(corpusText(sentences));
    expect(await label([], plain)).toEqual(fromFile);
    const piped = await runShell('cat "$3" | "$0" "$1" label --model "$2" | cat', [
      model,
      workspace.path('plain.txt'),
    ]);
    expect(piped).toEqual(fromFile);
  });

  it('never reads the gold column', async () => {
    const scrambled = corpusText(sentences).replace(/ [BI]-\w+$/gm, ' I-XX');
    const { stdout } = await label([], scrambled);
    expect(stdout.replace(/ \S+( \S+)$/gm, '$1')).toBe(corpusText(sentences));
  });

  it('fails with its cause, and leaves no file, when a thread dies', async () => {
    const input = workspace.write('large.txt', corpusText(corpus(3000, 7), [0, 1]));
    const before = workspace.files().length;
    for (const [name, death, cause] of [
      ['exits', 'process.exit(7)', 'a labelling thread ended early with exit code 7'],
      ['throws', 'throw new Error("out of luck")', 'out of luck'],
    ]) {
      const preload = workspace.write(
        `${name}.cjs`,
        // The thread of the command itself is none that labels.
        `const { isMainThread, workerData } = require('node:worker_threads');
         if (!isMainThread && workerData?.terminals === undefined) { ${death}; }`,
      );
      const command =
        'NODE_OPTIONS="--require $5" "$0" "$1" label --model "$2" "$3" --output "$4" --threads 2';
      const died = await runShell(command, [fast, input, workspace.path('unfinished'), preload]);
      expect(died.code).toBe(1);
      expect(died.stderr).toContain(`spanwright: ${name === 'throws' ? 'Error: ' : ''}${cause}`);
    }
    expect(workspace.files()).toHaveLength(before + 2);
  });

  it.each(['columns', 'brackets', 'json'])(
    'writes the same on two threads as on one, as %s',
    async (format) => {
      const input = corpusText(corpus(9000, 6), [0, 1]);
      const args = ['--format', format, '--decoder', 'greedy', '--confidence'];
      const one = await label(args, input);
      expect(one.stdout.length).toBeGreaterThan(500_000);
      expect(await label([...args, '--threads', '2'], input)).toEqual(one);
    },
  );

  it('lists the best labellings with their probabilities, where the format has a place for them', async () => {
    const { stdout, stderr } = await label(['--format', 'json', '--kbest', '3'], 'the DT\ndog NN\n');
    expect(stderr).toBe('');
    const { alternatives, chunks } = JSON.parse(stdout);
    expect(alternatives).toHaveLength(3);
    expect(alternatives[0]).toMatchObject({ tags: ['B-NP', 'I-NP'], chunks });
    expect(alternatives[0].probability).toBeGreaterThan(alternatives[1].probability);
    const refused = await label(['--kbest', '3'], plain);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      '--kbest: the format columns has no place for several labellings; expected --format json',
    );
    const greedy = await label(['--kbest', '3', '--format', 'json', '--decoder', 'greedy'], plain);
    expect(greedy.stderr).toContain('--kbest 3: expected a number from 1 to 1');
  });

  it('passes line ends, a byte order mark, -DOCSTART- lines, blanks and extra columns through', async () => {
    const input =
      '\ufeff-DOCSTART- -X- O\r\n\r\n\r\nthe DT extra\r\ndog\tNN\tx\r\n \t\r\nshe  PRP x \r\nsees VBZ x\n-DOCSTART-\n\nParis NNP x';
    const { code, stdout, stderr } = await label([], input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      '\ufeff-DOCSTART- -X- O O\r\n\r\n\r\nthe DT extra B-NP\r\ndog\tNN\tx\tI-NP\r\n \t\r\nshe  PRP x  B-NP\r\nsees VBZ x B-VP\n' +
        '-DOCSTART- O\n\nParis NNP x B-NP\n',
    );
  });

  it('labels a file without its final newline as with it', async () => {
    expect((await label([], plain.trimEnd())).stdout).toBe(corpusText(sentences).replace(/\n$/, ''));
  });

  it('gives nothing for nothing', async () => {
    expect(await label([])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await label(['--format', 'json'], '\n\n')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('--confidence adds a column between 0 and 1', async () => {
    const { stdout } = await label(['--confidence'], plain);
    const lines = stdout.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.replace(/ \S+$/, ''))).toEqual(
      corpusText(sentences)
        .split('\n')
        .filter((line) => line !== ''),
    );
    for (const line of lines) {
      expect(line).toMatch(/ [01]\.\d{4}$/);
      const confidence = Number(line.split(' ').at(-1));
      expect(confidence).toBeGreaterThan(0.2);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  it('--format brackets', async () => {
    const input = 'the DT\nbig JJ\ncat NN\nsees VBZ\n[she] PRP\n. .\n\nParis NNP\n';
    const { stdout } = await label(['--format', 'brackets'], input);
    expect(stdout).toBe('[NP the big cat] [VP sees] [NP \\[she\\]] .\n[NP Paris]\n');
    const rated = await label(['--format', 'brackets', '--confidence'], input);
    expect(rated.stdout.replace(/\|[01]\.\d\d/g, '')).toBe(stdout);
    expect(rated.stdout.match(/\|/g)).toHaveLength(4);
  });

  it('--format json', async () => {
    const input = 'the DT\ndog NN\nsees VBZ\n. .\n\nParis NNP\n';
    const { stdout } = await label(['--format', 'json'], input);
    const objects = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const place = (text: string, start: number) => {
      const end = start + text.length;
      return { text, start, end, startCodePoint: start, endCodePoint: end };
    };
    expect(objects).toEqual([
      {
        ...place('the dog sees .', 0),
        tokens: [
          { ...place('the', 0), pos: 'DT', tag: 'B-NP' },
          { ...place('dog', 4), pos: 'NN', tag: 'I-NP' },
          { ...place('sees', 8), pos: 'VBZ', tag: 'B-VP' },
          { ...place('.', 13), pos: '.', tag: 'O' },
        ],
        chunks: [
          { type: 'NP', ...place('the dog', 0), firstToken: 0, lastToken: 1 },
          { type: 'VP', ...place('sees', 8), firstToken: 2, lastToken: 2 },
        ],
      },
      {
        ...place('Paris', 0),
        tokens: [{ ...place('Paris', 0), pos: 'NNP', tag: 'B-NP' }],
        chunks: [{ type: 'NP', ...place('Paris', 0), firstToken: 0, lastToken: 0 }],
      },
    ]);
    const rated = await label(['--format', 'json', '--confidence'], input);
    const [first] = rated.stdout.split('\n').map((line) => line && JSON.parse(line));
    for (const { confidence } of [...first.tokens, ...first.chunks]) {
      expect(confidence).toBeGreaterThan(0.2);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  it('--output writes a file and nothing to standard output', async () => {
    const output = workspace.path('labelled.txt');
    expect(await label(['--output', output], plain)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(output, 'utf8')).toBe(corpusText(sentences));
    expect(workspace.files().filter((name) => name.includes('labelled'))).toEqual(['labelled.txt']);
  });

  it('--decoder takes another decoder than the model’s', async () => {
    for (const args of [
      ['--decoder', 'greedy'],
      ['--decoder', 'beam', '--beam', '3'],
    ]) {
      expect(await label(args, plain)).toEqual({ code: 0, stdout: corpusText(sentences), stderr: '' });
    }
  });
});

describe('a sentence that cannot be read', () => {
  const input = `${GOOD}${GOOD}${BAD}${GOOD}`;
  const problem = '<stdin>:7: expected at least 2 columns, found 1';

  it.each(['1', '2'])(
    'stops labelling by default, whole sentences before it being written (%s threads)',
    async (threads) => {
      expect(await label(['--threads', threads], input)).toEqual({
        code: 2,
        stdout: `${GOOD_LABELLED}${GOOD_LABELLED.trimEnd()}\n`,
        stderr: `spanwright: ${problem}\n`,
      });
    },
  );

  it('stops labelling on several threads in every run, the whole input being bad', async () => {
    const words = workspace.write('words-only.txt', 'x\n\n'.repeat(100_000));
    for (const threads of ['2', '2', '2', '3', '3']) {
      const { code, stderr } = await label([words, '--output', workspace.path('none'), '--threads', threads]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `spanwright: ${words}:1: expected at least 2 columns, found 1\n`,
      });
    }
    expect(workspace.files()).not.toContain('none');
  });

  it('--on-error skip leaves it out and counts it', async () => {
    expect(await label(['--on-error', 'skip'], input)).toEqual({
      code: 0,
      stdout: GOOD_LABELLED.repeat(3),
      stderr: `warning: 1 sentence skipped; the first: ${problem}\n`,
    });
  });

  it('--on-error keep passes it through and counts it', async () => {
    expect(await label(['--on-error', 'keep'], `${input}${BAD}`)).toEqual({
      code: 0,
      stdout: GOOD_LABELLED.repeat(2) + BAD + GOOD_LABELLED + BAD,
      stderr: `warning: 2 sentences kept unlabelled; the first: ${problem}\n`,
    });
    const json = await label(['--on-error', 'keep', '--format', 'json'], input);
    const kept = JSON.parse(json.stdout.split('\n')[2]);
    expect({ ...kept, input: kept.input.trim() }).toEqual({ error: problem, input: BAD.trim() });
    const brackets = await label(['--on-error', 'keep', '--format', 'brackets'], input);
    expect(brackets.stdout.split('\n')[2]).toBe('alone sees VBZ');
  });

  it.each(['skip', 'keep'])('--on-error %s goes on after invalid UTF-8 and NUL bytes', async (policy) => {
    const bytes = Buffer.concat([
      Buffer.from(GOOD),
      Buffer.from('ca\xff DT\n\n', 'latin1'),
      Buffer.from(GOOD),
      Buffer.from('a\0b DT\n\n'),
      Buffer.from(GOOD),
    ]);
    const { code, stdout, stderr } = await label(['--on-error', policy], bytes);
    expect(code).toBe(0);
    expect(stdout.split(GOOD_LABELLED).length).toBe(4);
    expect(stderr).toContain('2 sentences');
    expect(stderr).toContain('<stdin>:4 (byte 17): expected UTF-8 text, found the invalid byte 0xff');
  });

  it('leaves no output file, and one that was there as it was', async () => {
    const fresh = workspace.path('fresh.txt');
    expect(await label(['--output', fresh], input)).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(fresh)).toBe(false);
    const existing = workspace.write('existing.txt', 'as it was');
    expect((await label(['--output', existing], input)).code).toBe(2);
    expect(readFileSync(existing, 'utf8')).toBe('as it was');
    expect(workspace.files().filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('so does a program that is told to end', async () => {
    const before = workspace.files();
    const child = spawn(process.execPath, [
      MAIN,
      'label',
      '--model',
      model,
      '--output',
      workspace.path('ended.txt'),
    ]);
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.stdin.write(plain);
    while (workspace.files().length === before.length) await sleep(10);
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(workspace.files()).toEqual(before);
  });
});

describe('inputs of unusual size', () => {
  it('labels a sentence of 20,000 tokens', async () => {
    const { code, stdout, stderr } = await label([], `${'the DT\ndog NN\n'.repeat(10_000)}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(20_002);
    expect(stdout.startsWith('the DT B-NP\ndog NN I-NP\nthe DT B-NP\n')).toBe(true);
  });

  it.each(['1', '2'])('ends quietly when its reader has seen enough (%s threads)', async (threads) => {
    const big = workspace.write('big.txt', GOOD.repeat(60_000));
    const command = 'set -o pipefail; "$0" "$1" label --model "$2" "$3" --threads "$4" | head -n 1; echo $?';
    const { stdout, stderr } = await runShell(command, [fast, big, threads]);
    expect({ stdout, stderr }).toEqual({ stdout: 'the DT B-NP\n0\n', stderr: '' });
  });

  it('needs no more memory for forty megabytes than for twelve', async () => {
    const part = workspace.write('part.txt', GOOD.repeat(2 ** 16));
    const printPeak =
      'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))';
    const command =
      'set -o pipefail; for i in $(seq "$5"); do cat "$3"; done | ' +
      '"$0" --max-old-space-size=48 --import "$4" "$1" label --model "$2" | wc -c';
    const peakMegabytes = async (parts: number) => {
      const args = [fast, part, printPeak, String(parts)];
      const { code, stdout, stderr } = await runShell(command, args);
      expect({ code, bytes: Number(stdout) }).toEqual({
        code: 0,
        bytes: parts * GOOD_LABELLED.length * 2 ** 16,
      });
      return Number(stderr) / 1000;
    };
    // What was written and not collected yet makes a difference of up to forty; all in and out would be eighty.
    expect(await peakMegabytes(50)).toBeLessThan((await peakMegabytes(15)) + 50);
  });
});
