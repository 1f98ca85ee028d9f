import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const SCHEMES = ['iob1', 'iob2', 'ioe1', 'ioe2', 'iobes'];
const workspace = new Workspace();
const iob2 = corpusText(corpus(40, 4));

async function convert(from: string, to: string, input: string): Promise<string> {
  const { code, stdout, stderr } = await run(['convert', '--from', from, '--to', to], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('spanwright convert', () => {
  it('writes each scheme as it is defined', async () => {
    const input = 'a B-NP\nb I-NP\nc B-NP\nd B-VP\ne O\n';
    const tags = async (to: string) =>
      (await convert('iob2', to, input)).replace(/^\w /gm, '').trim().split('\n');
    const found = await Promise.all(SCHEMES.map(tags));
    expect(Object.fromEntries(SCHEMES.map((scheme, i) => [scheme, found[i].join(' ')]))).toEqual({
      iob1: 'I-NP I-NP B-NP I-VP O',
      iob2: 'B-NP I-NP B-NP B-VP O',
      ioe1: 'I-NP E-NP I-NP I-VP O',
      ioe2: 'I-NP E-NP E-NP E-VP O',
      iobes: 'B-NP E-NP S-NP S-VP O',
    });
    expect(await Promise.all(['bilou', 'bmewo', 'bieo', 'bioes'].map(tags))).toEqual([
      ['B-NP', 'L-NP', 'U-NP', 'U-VP', 'O'],
      ['B-NP', 'E-NP', 'W-NP', 'W-VP', 'O'],
      ['B-NP', 'E-NP', 'B-NP', 'B-VP', 'O'],
      ['B-NP', 'E-NP', 'S-NP', 'S-VP', 'O'],
    ]);
  });

  it('goes from scheme to scheme and back', async () => {
    const files = await Promise.all(SCHEMES.map((scheme) => convert('iob2', scheme, iob2)));
    expect(new Set(files).size).toBe(SCHEMES.length);
    // The tests of schemes try all pairs; here each is read once and written once.
    const next = SCHEMES.map((_, i) => (i + 1) % SCHEMES.length);
    const others = await Promise.all(SCHEMES.map((from, i) => convert(from, SCHEMES[next[i]], files[i])));
    expect(others).toEqual(next.map((i) => files[i]));
  });

  it('leaves all else as it is, byte for byte', async () => {
    const input = '\ufeff-DOCSTART- -X- O\r\n\r\na\tx  B-NP \r\nb y I-NP\r\n\r\n\r\nc z O';
    expect(await convert('iob2', 'ioe2', input)).toBe(
      input.replace('B-NP', 'I-NP').replace('b y I-NP', 'b y E-NP'),
    );
    expect(await convert('iob2', 'iob1', '')).toBe('');
  });

  it('reads and writes files', async () => {
    const input = workspace.write('iob2.txt', iob2);
    const output = workspace.path('ioe2.txt');
    const args = ['convert', '--from', 'iob2', '--to', 'ioe2', '--output', output, input];
    expect(await run(args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(output, 'utf8')).toBe(await convert('iob2', 'ioe2', iob2));
  });

  it('counts tags that the scheme does not have as they stand', async () => {
    const { code, stdout, stderr } = await run(
      ['convert', '--from', 'iob2', '--to', 'iob2'],
      'a O\nb I-NP\nc I-NP\nd I-VP\n',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a O\nb B-NP\nc I-NP\nd B-VP\n' });
    expect(stderr).toBe('warning: <stdin>: 2 tags not as iob2 has it, read as conlleval does\n');
  });

  it('refuses unknown tags, naming the line, and writes no file', async () => {
    const input = workspace.write('unknown.txt', 'a B-NP\n\nb O\nc Q-NP\n');
    const output = workspace.path('unknown-converted.txt');
    const args = ['convert', '--from', 'iob2', '--to', 'ioe2', '--output', output, input];
    expect(await run(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `spanwright: ${input}:4: expected a tag such as B-NP or O in the last column, found "Q-NP"\n`,
    });
    expect(existsSync(output)).toBe(false);
  });

  it('makes columns of trees of several files, which training and scoring read as well', async () => {
    const dog = '( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks) (NP (-NONE- *))) (. .)))\n';
    const one = workspace.write('one.mrg', dog);
    const two = workspace.write('two.mrg', '(S (ADVP (RB So)) (VP (VB be) (NP (PRP it))))');
    const args = ['convert', '--from', 'trees', '--to', 'columns'];
    const columns = 'The DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n. . O\n\n';
    const more = 'So RB B-ADVP\nbe VB B-VP\nit PRP B-NP\n\n';
    expect(await run([...args, one, two])).toEqual({ code: 0, stdout: columns + more, stderr: '' });
    const basenp = await run([...args, '--phrases', 'basenp'], dog);
    expect(basenp.stdout).toBe(columns.replace('B-VP', 'O'));
    const model = workspace.path('trees.safetensors');
    const trained = ['train', '--task', 'chunking', '--cut-off', '1', '--train', one, '--model', model];
    expect((await run(trained)).code).toBe(0);
    const scores = await run(['evaluate', '--model', model, one, '--json']);
    expect(JSON.parse(scores.stdout)).toMatchObject({ f1: 100 });
    expect((await run(['label', '--model', model, one])).stdout).toBe(columns.replace(/ (\S+)\n/g, ' $1\n'));
  });

  it('refuses malformed trees with their place, and what does not go with trees', async () => {
    const input = workspace.write('bad.mrg', '(S (NN a))\n(S\n(NN b c))\n');
    const output = workspace.path('bad.txt');
    const args = ['convert', '--from', 'trees', '--to', 'columns', '--output', output, input];
    expect(await run(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `spanwright: ${input}:3: expected ) after the word "b", found "c"\n`,
    });
    expect(existsSync(output)).toBe(false);
    for (const [more, message] of [
      [
        ['--from', 'trees', '--to', 'ioe2'],
        'expected --from trees --to columns, or two tag schemes, found --from trees --to ioe2',
      ],
      [['--from', 'iob2', '--to', 'ioe2', '--phrases', 'plain'], '--phrases goes with --from trees'],
      [
        ['--from', 'trees', '--to', 'columns', '--separator', 'tab'],
        '--separator does not go with --from trees',
      ],
      [
        ['--from', 'iob2', '--to', 'ioe2', input, input],
        'expected one INPUT, several with --from trees only, found 2',
      ],
    ] as const) {
      expect(await run(['convert', ...more], '')).toEqual({
        code: 2,
        stdout: '',
        stderr: `spanwright: ${message}\n`,
      });
    }
  });

  it('needs to be told both schemes, and lists them', async () => {
    const { code, stderr } = await run(['convert', '--from', 'iob2'], iob2);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'spanwright: --to SCHEME is required\n' });
    const unknown = await run(['convert', '--from', 'biox', '--to', 'iob2'], iob2);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(
      /--from: expected (?=.*iob1)(?=.*iob2)(?=.*ioe1)(?=.*ioe2)(?=.*iobes).*, found "biox"/,
    );
  });
});
