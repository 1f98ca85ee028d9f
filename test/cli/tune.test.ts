import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(60)));
const tune = (...args: string[]) =>
  run(['tune', '--task', 'chunking', '--train', data, '--epochs', '3', ...args]);
const GRID = ['--grid', 'C=0.0001,0.5 cut-off=1,2'];

describe('spanwright tune', () => {
  it('tries every combination on a held-out quarter and names the best, the same for any number of threads', async () => {
    const config = workspace.path('best.json');
    const [one, two] = await Promise.all([
      tune(...GRID, '--json', '--output', config),
      tune(...GRID, '--json', '--threads', '2'),
    ]);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(two.stdout).toBe(one.stdout);
    const { trials, best } = JSON.parse(one.stdout);
    expect(trials.map(({ point }: { point: object }) => point)).toEqual([
      { C: 0.0001, 'cut-off': 1 },
      { C: 0.0001, 'cut-off': 2 },
      { C: 0.5, 'cut-off': 1 },
      { C: 0.5, 'cut-off': 2 },
    ]);
    const scores = trials.map((trial: { scores: number[] }) => trial.scores[0]);
    const top = trials[scores.indexOf(Math.max(...scores))].point;
    expect(best).toEqual({ task: 'chunking', epochs: 3, ...top });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual(best);
    const model = workspace.path('best.safetensors');
    expect(await run(['train', '--config', config, '--train', data, '--model', model])).toMatchObject({
      code: 0,
    });
  });

  it('scores by cross-validation if asked to, and prints a table', async () => {
    const { stdout } = await tune(
      ...['--grid', 'C=0.0001,0.5', '--folds', '3', '--cut-off', '1', '--report', workspace.path('tune.svg')],
    );
    expect(readFileSync(workspace.path('tune.svg'), 'utf8')).toContain('Score by C');
    expect(stdout).toMatch(
      /^ +C +score\n0\.0001 +[\d.]+ ± [\d.]+\n +0\.5 +[\d.]+ ± [\d.]+ +best\n2 combinations in /,
    );
    const { stdout: json } = await tune('--grid', 'C=0.5', '--folds', '3', '--cut-off', '1', '--json');
    const validated = await run(
      [
        'crossval',
        '--task',
        'chunking',
        '--train',
        data,
        '--epochs',
        '3',
        '--cut-off',
        '1',
        '--C',
        '0.5',
      ].concat(['--folds', '3', '--json']),
    );
    const folds = JSON.parse(validated.stdout).folds.map(({ f1 }: { f1: number }) => f1);
    expect(JSON.parse(json).trials[0].scores).toEqual(folds);
  });

  it('goes on from its trace, even one cut short, and only from its own', async () => {
    const path = workspace.path('trace.jsonl');
    const whole = await tune(...GRID, '--json', '--trace', path);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines).toHaveLength(6);
    // As if it had been killed while it wrote its second result; the first one is made up, so that it is seen to count.
    const { key, part } = JSON.parse(lines[1]);
    expect(part).toBe('C=0.0001 cut-off=1');
    const made = JSON.stringify({ key, part, result: [101] });
    writeFileSync(path, `${lines[0]}\n${made}\n${lines[2].slice(0, 9)}`);
    const rest = await tune(...GRID, '--json', '--trace', path);
    const { trials, best } = JSON.parse(rest.stdout);
    expect(trials[0].scores).toEqual([101]);
    expect(best).toMatchObject({ C: 0.0001, 'cut-off': 1 });
    expect(trials.slice(1)).toEqual(JSON.parse(whole.stdout).trials.slice(1));
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([lines[0], made, ...lines.slice(2)]);
    const other = workspace.write('other.jsonl', '{"partsOf":"curve"}\n');
    expect(await tune(...GRID, '--trace', other)).toMatchObject({
      code: 2,
      stderr: `spanwright: ${other}:1: expected a trace of tune, found something else\n`,
    });
    writeFileSync(path, `${lines[0]}\n${lines[1]}\n{"key":"x","result":["a"]}\n`);
    expect((await tune(...GRID, '--trace', path)).stderr).toContain(`${path}:3: expected a result of tune`);
  });

  it('shares a folder of results: each process does what no other is at, and gives the same', async () => {
    const folder = workspace.path('shared');
    const join = () => tune(...GRID, '--json', '--trace', folder, '--join');
    const both = await Promise.all([join(), join()]);
    const { stdout } = await tune(...GRID, '--json');
    expect(both.map(({ stdout: own }) => own)).toEqual([stdout, stdout]);
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    const results = files.flatMap((name) =>
      readFileSync(`${folder}/${name}`, 'utf8').split('\n').slice(1, -1),
    );
    expect(files).toHaveLength(2);
    expect(results).toHaveLength(4);
    expect(readdirSync(`${folder}/lease`)).toEqual([]);
    expect((await tune(...GRID, '--join')).stderr).toContain('--join: expected --trace DIR');
    expect(await tune(...GRID, '--trace', data, '--join')).toMatchObject({ code: 2 });
  });

  it('takes no result from its trace that depends on something else', async () => {
    const path = workspace.path('changing.jsonl');
    const templates = workspace.path('templates');
    const search = async (...args: string[]) => {
      const how = ['--grid', 'C=0.5', '--templates', templates, '--cut-off', '1', '--json'];
      const { stdout } = await tune(...how, '--trace', path, ...args);
      const measured = readFileSync(path, 'utf8').split('\n').length - 2;
      return { score: JSON.parse(stdout).trials[0].scores[0], measured };
    };
    writeFileSync(templates, 'word[0]\nword[-1]\npos[0]\n');
    const first = await search();
    expect(first).toMatchObject({ measured: 1 });
    writeFileSync(templates, 'word[2]\n');
    const second = await search();
    expect(second.measured).toBe(2);
    expect(second.score).toBeLessThan(first.score);
    expect((await search('--seed', '2')).measured).toBe(3);
    expect((await search('--folds', '2')).measured).toBe(4);
    writeFileSync(templates, 'word[0]\nword[-1]\npos[0]\n');
    expect(await search()).toEqual({ ...first, measured: 4 });
  });

  it.each([
    [['--grid', 'C=0.1', '--C', '1'], '--grid and --C contradict each other'],
    [['--grid', 'decoder=greedy,best'], '--decoder: expected greedy'],
    [['--grid', 'decoder=greedy beam=4'], '--grid: decoder=greedy beam=4: --beam belongs to'],
    [[], '--grid "C=0.05,0.1" is required'],
  ])('refuses %j before it starts', async (args, message) => {
    const { code, stderr } = await tune(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
