import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { MAIN, type Run, run, Workspace } from './program.js';

const workspace = new Workspace();
const text = 'The dog slept.\n';
const columns = 'The DT B-NP\ndog NN I-NP\nslept VBD B-VP\n. . O\n';
const [plain, packed] = [workspace.write('a.txt', text), workspace.write('b.txt.gz', gzipSync(text))];

/** Runs the program in a terminal of 40 columns, as `script` of util-linux makes one. */
function runInTerminal(command: string): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn('script', ['-qec', `stty cols 40; ${command}`, '/dev/null'], {
      env: { ...process.env, SPANWRIGHT_MAIN: MAIN },
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.on('close', (code) => resolve({ code, stdout, stderr: '' }));
  });
}

const withVariables = (variables: Record<string, string>, args: readonly string[], input = '') =>
  new Promise<Run>((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...variables } });
    const run = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      run.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      run.stderr += chunk;
    });
    child.on('close', (code) => resolve({ code, ...run }));
    child.stdin.end(input);
  });

describe('label', () => {
  it('takes several inputs, packed ones too, and parts their sentences', async () => {
    const output = workspace.path('out.txt');
    const args = ['label', '-t', '--format', 'columns', plain, packed];
    expect(await run(args)).toEqual({ code: 0, stdout: `${columns}\n${columns}\n`, stderr: '' });
    expect(await run([...args, '-o', output])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run(['label', '-t', '--format', 'brackets', plain, '-', packed], 'It rained')).stdout).toBe(
      '[NP The dog] [VP slept] .\n[NP It] [VP rained]\n[NP The dog] [VP slept] .\n',
    );
    expect((await run(['label', '-t', '--format', 'columns'], gzipSync(text))).stdout).toBe(`${columns}\n`);
  });

  it('ends the last sentence of a column file before the next file', async () => {
    const [a, b] = [workspace.write('a.col', 'The DT\ndog NN'), workspace.write('b.col', 'It PRP\n\n')];
    const { stdout } = await run(['label', '-m', 'english-chunk', a, b]);
    expect(stdout).toBe('The DT B-NP\ndog NN I-NP\n\nIt PRP B-NP\n\n');
  });

  it('names the input that cannot be read', async () => {
    const cut = workspace.write('cut.gz', gzipSync(text).subarray(0, 20));
    expect((await run(['label', '-t', cut])).stderr).toBe(
      `spanwright: ${cut}: cannot be read: it is a gzip file that was cut short\n`,
    );
    const [a, b] = [workspace.write('a.jsonl', '{"text": "x"}\n'), workspace.write('b.conllu', '')];
    expect((await run(['label', '-m', 'english-pos', a, b])).stderr).toContain(
      `expected inputs of one format, found jsonl (${a}) and conllu (${b})`,
    );
  });

  it('takes a model by name, and says which there are', async () => {
    expect((await run(['label', '-m', 'english-pos', '-t', plain])).stdout).toBe(
      'The/DT dog/NN slept/VBD ./.\n',
    );
    expect((await run(['label', '-m', 'english-post', '-t', plain])).stderr).toBe(
      'spanwright: english-post: no such file; models of this package: english-chunk, english-pos, english-entities or chinese-gsd\n',
    );
  });
});

describe('options', () => {
  it('are given by environment variables, unless the command line has them', async () => {
    const variables = { SPANWRIGHT_MODEL: 'english-pos', SPANWRIGHT_OUTPUT: '/nowhere/x' };
    expect((await withVariables(variables, ['label', '-t', plain])).stdout).toBe(
      'The/DT dog/NN slept/VBD ./.\n',
    );
    expect((await withVariables(variables, ['label', '-t', '-m', 'english-chunk', plain])).stdout).toContain(
      '[NP',
    );
    expect(await withVariables({ SPANWRIGHT_THREADS: '0' }, ['label', '-t', plain])).toMatchObject({
      code: 2,
      stderr: 'spanwright: SPANWRIGHT_THREADS, for --threads: expected an integer ≥ 1 and ≤ 64, found "0"\n',
    });
  });

  it('of colours: --color, then NO_COLOR, then FORCE_COLOR', async () => {
    const pretty = ['label', '-t', '--format', 'pretty', plain];
    const isColoured = async (variables: Record<string, string>, ...more: string[]) =>
      (await withVariables(variables, [...pretty, ...more])).stdout.includes('\x1b[');
    expect(await isColoured({})).toBe(false);
    expect(await isColoured({ FORCE_COLOR: '1' })).toBe(true);
    expect(await isColoured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await isColoured({ NO_COLOR: '1' }, '--color', 'always')).toBe(true);
  });
});

describe('help', () => {
  it('of a command in both orders, and the command that was meant', async () => {
    const help = await run(['help', 'convert']);
    expect(help).toEqual(await run(['convert', '--help']));
    expect(help.code).toBe(0);
    expect(await run(['lable'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^spanwright: unknown command "lable"; did you mean label\? there are train, /,
      ),
    });
  });
});

describe('a terminal', () => {
  it('shows progress within its columns, and what was done; --quiet leaves both out', async () => {
    const data = workspace.write('data.txt', corpusText(corpus(200)));
    const model = workspace.path('model.st');
    const train = `"${process.execPath}" "${MAIN}" train --task chunking -t "${data}" -m "${model}"`;
    const { stdout } = await runInTerminal(`${train} --epochs 30 --epsilon 1e-9`);
    const shown = [...stdout.matchAll(/\r\x1b\[K([^\r\x1b\n]*)(?=\r\x1b\[K)/g)].map(([, line]) => line);
    expect(shown.filter((line) => line.startsWith('block ')).length).toBeGreaterThan(3);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(40);
    expect((await runInTerminal(`${train} --quiet`)).stdout).not.toContain('\x1b[K');
    const label = `"${process.execPath}" "${MAIN}" label -m "${model}" "${data}" -o "${workspace.path('out')}"`;
    expect((await runInTerminal(label)).stdout).toMatch(
      /labelled 200 sentences \([\d,]+ tokens\) in [\d.]+ s, [\d,]+ tokens a second/,
    );
    expect((await runInTerminal(`${label} -q`)).stdout).toBe('');
  });
});

describe('completion', () => {
  it('of commands, options and values in bash', async () => {
    const script = workspace.write('complete.sh', (await run(['completion', 'bash'])).stdout);
    const complete = (...words: string[]) =>
      `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _spanwright; echo "\${COMPREPLY[@]}"`;
    const calls = [
      complete('spanwright', 'cross'),
      complete('spanwright', 'train', '--learner', 'cr'),
      complete('spanwright', 'label', '--kb'),
      complete('spanwright', 'label', workspace.path('complete.s')),
    ];
    const { stdout } = await new Promise<Run>((resolve) => {
      const child = spawn('bash', ['-c', `. "${script}"; ${calls.join('; ')}`]);
      let stdout = '';
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.on('close', (code) => resolve({ code, stdout, stderr: '' }));
    });
    expect(stdout).toBe(`crossval\ncrammer-singer crf crf-adf\n--kbest\n${script}\n`);
  });

  it('in fish and zsh, and in no other shell', async () => {
    expect((await run(['completion', 'fish'])).stdout).toContain(
      "-l decoder -x -a 'greedy beam viterbi hybrid",
    );
    expect((await run(['completion', 'zsh'])).stdout).toMatch(/^autoload .*bashcompinit/);
    expect(await run(['completion', 'csh'])).toMatchObject({
      code: 2,
      stderr: 'spanwright: expected a shell, bash, zsh or fish, found "csh"\n',
    });
  });
});

describe('init', () => {
  it('writes a configuration that training takes as it stands, and overwrites none', async () => {
    const config = workspace.path('config.json');
    const init = ['init', '--task', 'chunking', '--preset', 'fast', '-o', config];
    expect(await run(init)).toMatchObject({ code: 0, stdout: `wrote ${config}\n` });
    expect(await run(init)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('found one that is there'),
    });
    const data = workspace.write('data.txt', corpusText(corpus(20)));
    const train = ['train', '-t', data, '-m', workspace.path('by-config.st')];
    expect((await run([...train, '--config', config])).stdout).toContain('svm, ova, greedy');
    // What is commented out is what holds anyway.
    const all = readFileSync(config, 'utf8').replace(/^ {2}\/\/ (".*,)$/gm, '  $1');
    expect(all).toContain('\n  "learner": "svm",\n');
    const same = [
      'train',
      '-t',
      data,
      '-m',
      workspace.path('all.st'),
      '--config',
      workspace.write('all.json', all),
    ];
    expect(await run(same)).toMatchObject({ code: 0 });
    expect(readFileSync(workspace.path('all.st')).equals(readFileSync(workspace.path('by-config.st')))).toBe(
      true,
    );
  });
});
