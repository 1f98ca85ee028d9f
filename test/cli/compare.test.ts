import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const gold = 'a B-X\nb I-X\nc O\n\nd B-Y\ne B-X\n\n';
const withTags = (tags: string) => {
  let next = 0;
  return gold.replace(/(\S+ \S+)\n/g, (_, line) => `${line} ${tags.split(' ')[next++]}\n`);
};
const right = workspace.write('right.txt', withTags('B-X I-X O B-Y B-X'));
const wrong = workspace.write('wrong.txt', withTags('B-X O O B-Y B-Y'));
const other = workspace.write('other.txt', withTags('B-X O O B-Y B-Y').replace('d B-Y', 'd O'));
const longer = workspace.write('longer.txt', `${withTags('B-X I-X O B-Y B-X')}f O O\n`);

describe('spanwright compare', () => {
  it('prints every test on two outputs', async () => {
    const { code, stdout, stderr } = await run(['compare', right, wrong]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`A = ${right}: F 100.00, accuracy 100.00\n`);
    expect(stdout).toContain(`B = ${wrong}: F 33.33, accuracy 60.00\n`);
    expect(stdout).toContain('difference in F +66.67');
    expect(stdout).toContain(
      'tokens that only one has right: 2 and 0; gold chunks that only one has right: 2 and 0',
    );
    for (const test of [
      'paired randomisation of F',
      'sign test, gold chunks',
      's-test',
      'McNemar',
      'two proportions',
    ]) {
      expect(stdout).toMatch(new RegExp(`  ${test}.* A ~ B   p = `));
    }
  });

  it('gives JSON and Markdown', async () => {
    const [comparison] = JSON.parse((await run(['compare', right, wrong, '--json'])).stdout);
    expect(comparison).toMatchObject({
      names: [right, wrong],
      tokens: { onlyFirst: 2, onlySecond: 0 },
      sTest: { p: 0.5, sign: '~' },
      randomisation: { exact: true, p: 0.5 },
    });
    const { stdout } = await run(['compare', right, wrong, '--markdown']);
    expect(stdout).toContain(
      '| test | outcome | p |\n| --- | --- | --- |\n| paired randomisation of F | A ~ B | = 0.5000 |',
    );
  });

  it('compares every pair of three', async () => {
    const { stdout } = await run(['compare', right, wrong, right, '--json']);
    expect(JSON.parse(stdout).map(({ names }: { names: string[] }) => names)).toEqual([
      [right, wrong],
      [right, right],
      [wrong, right],
    ]);
  });

  it('names the first place where outputs differ in more than predictions', async () => {
    const { code, stderr } = await run(['compare', right, other]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `expected the same sentences with the same gold tags, but ${right}:5 has B-Y, ${other}:5 has O`,
    );
    expect((await run(['compare', right, longer])).stderr).toContain(
      `but ${right} has 2 sentences, ${longer} has 3 sentences`,
    );
  });

  it('labels gold data with models', async () => {
    const data = workspace.write('data.txt', corpusText(corpus(40)));
    const dev = workspace.write('dev.txt', corpusText(corpus(20, 2)));
    const models = ['a.safetensors', 'b.st'].map((name) => workspace.path(name));
    const how = ['--task', 'chunking', '--train', data, '--cut-off', '1'];
    await run(['train', ...how, '--model', models[0]]);
    await run(['train', ...how, '--model', models[1], '--C', '0.001', '--epochs', '1']);
    const { stdout } = await run(['compare', ...models, '--gold', dev, '--json']);
    const [{ scores }] = JSON.parse(stdout);
    for (const [i, model] of models.entries()) {
      const evaluated = JSON.parse((await run(['evaluate', '--model', model, dev, '--json'])).stdout);
      expect(scores[i]).toEqual(evaluated);
    }
    expect((await run(['compare', ...models])).stderr).toContain('--gold FILE is required');
  });

  it('refuses cross-validations of other data or folds', async () => {
    const data = workspace.write('folds.txt', corpusText(corpus(20)));
    const more = workspace.write('more.txt', corpusText(corpus(21)));
    const made = async (name: string, file: string, ...args: string[]) => {
      const how = [
        'crossval',
        '--task',
        'chunking',
        '--train',
        file,
        '--cut-off',
        '1',
        '--folds',
        '3',
        '--json',
      ];
      return workspace.write(name, (await run([...how, ...args])).stdout);
    };
    const first = await made('first.json', data);
    expect(JSON.parse(readFileSync(first, 'utf8'))).toMatchObject({
      data: { file: data, sha256: createHash('sha256').update(readFileSync(data)).digest('hex') },
      seed: 1,
      stratified: false,
      options: { task: 'chunking', 'cut-off': 1 },
    });
    expect((await run(['compare', first, await made('C.json', data, '--C', '0.1')])).code).toBe(0);
    for (const [name, file, args, problem] of [
      ['data.json', more, [], 'found another data: '],
      ['seed.json', data, ['--seed', '2'], 'found another seed: 2, not 1'],
      ['stratified.json', data, ['--stratified'], 'found another stratified: true, not false'],
    ] as const) {
      const other = await made(name, file, ...args);
      const { code, stderr } = await run(['compare', first, other]);
      expect(code).toBe(2);
      expect(stderr).toContain(
        `${other}: expected a cross-validation of the same data and folds as ${first}, ${problem}`,
      );
    }
  });

  it('compares cross-validations by analysis of variance', async () => {
    const folds = (name: string, f1: number[]) =>
      workspace.write(name, JSON.stringify({ folds: f1.map((value) => ({ f1: value })) }));
    const files = [folds('a.json', [6, 8, 4, 5, 3, 4]), folds('b.json', [8, 12, 9, 11, 6, 8])];
    files.push(folds('c.json', [13, 9, 11, 8, 7, 12]));
    const { stdout: markdown } = await run(['compare', ...files, '--markdown']);
    expect(markdown).toContain(`| ${files[0]} | 5.00 ± 1.79 | 6 |\n`);
    const { stdout } = await run(['compare', ...files]);
    expect(stdout).toContain('one-way analysis of variance: F(2, 15) = 9.265, p = 0.0024');
    expect((await run(['compare', files[0], right])).stderr).toContain(
      'expected outputs and models, or cross-validations',
    );
    const bad = workspace.write('bad.json', '{"folds":[{"f1":1}]}');
    expect((await run(['compare', files[0], bad])).stderr).toContain(
      `${bad}: expected what crossval --json writes`,
    );
  });

  it('refuses gold data that no system is to label', async () => {
    const { code, stderr } = await run(['compare', right, right, '--gold', right]);
    expect(code).toBe(2);
    expect(stderr).toContain('--gold: expected a model among the systems');
  });

  it('wants two systems', async () => {
    expect((await run(['compare', right])).stderr).toContain('expected two systems or more, found 1');
  });
});
