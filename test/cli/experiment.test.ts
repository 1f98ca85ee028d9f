import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readExperiment } from '../../src/cli/experiment-file.js';
import { corpus, corpusText } from './corpus.js';
import { MAIN, run, Workspace } from './program.js';

const workspace = new Workspace();
workspace.write('train.txt', corpusText(corpus(60)));
workspace.write('test.txt', corpusText(corpus(20, 2)));

const experiment = (changes: object = {}) =>
  JSON.stringify(
    {
      name: 'small',
      measure: ['test', 'crossval', 'curve'],
      folds: 3,
      sizes: [20, 100],
      corpora: [{ name: 'toy', task: 'chunking', train: 'train.txt', test: 'test.txt' }],
      configurations: [
        { name: 'greedy', decoder: 'greedy', epochs: 3 },
        { name: 'poor', decoder: 'greedy', C: 0.0001, epochs: 1 },
      ],
      ...changes,
    },
    null,
    1,
  );

const parts = (folder: string) =>
  readFileSync(`${folder}/parts.jsonl`, 'utf8').split('\n').slice(1, -1).sort();

describe('spanwright experiment', () => {
  it('tests the others against a baseline', async () => {
    const file = workspace.write('baseline.json', experiment({ measure: ['test'], baseline: 'poor' }));
    const folder = workspace.path('baseline');
    const { code, stdout, stderr } = await run(['experiment', file, '--output', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/toy: against poor\n/);
    expect(stdout).toMatch(/greedy +\d+\.\d\d +\S+ … \S+ +. \(p [=<≤] \S+\) +. \(p [=<≤] \S+\) +. \(p/);
    const [toy] = JSON.parse(readFileSync(`${folder}/results.json`, 'utf8')).corpora;
    expect(toy.comparisons.map(({ names }: { names: string[] }) => names)).toEqual([['greedy', 'poor']]);
  });

  it('measures what the file asks for, as the other commands do', async () => {
    const file = workspace.write('small.json', experiment());
    const folder = workspace.path('small');
    const { code, stdout, stderr } = await run(['experiment', file, '--output', folder, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [toy] = JSON.parse(stdout).corpora;
    expect(JSON.parse(readFileSync(`${folder}/results.json`, 'utf8')).corpora[0]).toEqual(toy);
    const [greedy, poor] = toy.systems;
    expect(greedy.test.scores.f1).toBeGreaterThan(poor.test.scores.f1);
    expect(greedy.test).toMatchObject({ modelBytes: expect.any(Number), problems: expect.any(Number) });
    expect(greedy.test.peakMegabytes).toBeGreaterThan(20);
    expect(greedy.test.routineSeconds).toBeGreaterThan(0);
    // One-vs-all looks at every problem, whatever the labels; the shares of the labels make all of both texts.
    const { problems } = greedy.test;
    expect(greedy.test.expectedEvaluations).toEqual([problems, problems]);
    const shares = Object.values(greedy.test.labelShares as Record<string, number[]>);
    for (const side of [0, 1]) expect(shares.reduce((sum, share) => sum + share[side], 0)).toBeCloseTo(100);
    expect(toy.anova.within).toBe(4);
    // The predictions are a file as compare takes it, with the same outcome.
    const [a, b] = ['greedy', 'poor'].map((name) => `${folder}/predictions/toy-${name}.txt`);
    const compared = JSON.parse((await run(['compare', a, b, '--json'])).stdout);
    expect(toy.comparisons[0].randomisation).toEqual(compared[0].randomisation);
    const options = ['--task', 'chunking', '--train', workspace.path('train.txt'), '--decoder', 'greedy'];
    const cv = await run(['crossval', ...options, '--epochs', '3', '--folds', '3', '--json']);
    const folds = JSON.parse(cv.stdout).folds.map(({ f1 }: { f1: number }) => f1);
    expect(greedy.crossValidation).toEqual(folds);
    expect(toy.curves[0].points[1].scores).toEqual(folds);
    const report = readFileSync(`${folder}/results.md`, 'utf8');
    expect(report).toContain('](results-1.svg)');
    const { recall, precision, f1 } = greedy.test.scores.types.NP;
    expect(report).toContain(
      `| NP | ${[recall, precision, f1].map((rate) => rate.toFixed(2)).join(' / ')} |`,
    );
    expect(existsSync(`${folder}/results-1.svg`)).toBe(true);
    expect(readFileSync(`${folder}/results.html`, 'utf8')).toContain('<svg');
  });

  it('goes on after it was killed, without doing a finished part again', async () => {
    const file = workspace.write('killed.json', experiment());
    const folder = workspace.path('killed');
    const child = spawn(process.execPath, [MAIN, 'experiment', file, '--output', folder], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    while (!existsSync(`${folder}/parts.jsonl`) || parts(folder).length < 2) await setTimeout(10);
    child.kill('SIGKILL');
    await ended;
    const before = parts(folder);
    expect(before.length).toBeLessThan(14);
    await run(['experiment', file, '--output', folder]);
    expect(parts(folder)).toHaveLength(14);
    expect(parts(folder)).toEqual(expect.arrayContaining(before));
    const whole = readFileSync(`${folder}/results.json`, 'utf8');
    // Another configuration: only its own parts are new.
    const changed = JSON.parse(experiment());
    changed.configurations[1].C = 0.5;
    writeFileSync(file, JSON.stringify(changed));
    await run(['experiment', file, '--output', folder, '--threads', '2']);
    expect(parts(folder)).toHaveLength(21);
    expect(JSON.parse(readFileSync(`${folder}/results.json`, 'utf8')).corpora[0].systems[0]).toEqual(
      JSON.parse(whole).corpora[0].systems[0],
    );
  });

  it('measures again what is read otherwise, or of another file of templates', async () => {
    const configurations = [{ name: 'own', templates: 'own.tpl', epochs: 1, 'cut-off': 1 }];
    const corpora = (separator: string) => [
      { name: 'toy', task: 'chunking', train: 'train.txt', test: 'test.txt', separator },
    ];
    const folder = workspace.path('separator');
    const runWith = async (separator: string) => {
      const changes = {
        configurations,
        corpora: corpora(separator),
        measure: ['test', 'crossval'],
        folds: 2,
      };
      const file = workspace.write('separator.json', experiment(changes));
      return run(['experiment', file, '--output', folder]);
    };
    workspace.write('own.tpl', 'word[0]\npos[0]\n');
    expect(await runWith('blanks')).toMatchObject({ code: 0 });
    expect(parts(folder)).toHaveLength(3);
    workspace.write('own.tpl', 'word[2]\n');
    expect(await runWith('blanks')).toMatchObject({ code: 0 });
    expect(parts(folder)).toHaveLength(6);
    const { code, stderr } = await runWith('tab');
    expect(code).toBe(2);
    expect(stderr).toContain('train.txt:1: expected at least 3 columns, found 1');
  });

  it('names the first label that is no tag, as crossval does', async () => {
    const file = workspace.write(
      'bad-tags.json',
      experiment({
        measure: ['crossval'],
        corpora: [{ name: 'bad', task: 'chunking', train: 'bad-tags.txt' }],
      }),
    );
    const lines = corpusText(corpus(20)).split('\n');
    workspace.write('bad-tags.txt', lines.with(3, 'a DT Q').with(70, 'a DT R').join('\n'));
    const { code, stderr } = await run(['experiment', file, '--output', workspace.path('bad-tags')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^spanwright: .*bad-tags\.txt:4: expected a tag in column chunk: .*; found "Q"\n$/,
    );
  });

  it('warns of a test score far above cross-validation', async () => {
    // Contradictory training data; the test data are two of its sentences.
    const noise = (s: number) => ['the DT B-NP', `w${s} NN ${s % 2 ? 'I-NP' : 'B-VP'}`];
    workspace.write('noise.txt', corpusText(Array.from({ length: 40 }, (_, s) => noise(s))));
    workspace.write('leak.txt', corpusText([noise(1), noise(2), noise(4)]));
    const corpora = [{ name: 'leak', task: 'chunking', train: 'noise.txt', test: 'leak.txt' }];
    const configurations = [{ name: 'svm', 'cut-off': 1, C: 10, epochs: 50 }];
    const file = workspace.write(
      'leak.json',
      experiment({ corpora, configurations, measure: ['test', 'crossval'] }),
    );
    const { stdout } = await run(['experiment', file, '--output', workspace.path('leak')]);
    expect(stdout).toContain('svm: F on the test data is far above cross-validation');
  });

  it.each([
    [{ folds: 1 }, /bad\.json:8: --folds: expected an integer ≥ 2, found 1/],
    [{ fold: 3 }, /bad\.json:\d+: unknown key "fold"; known are corpora, configurations, measure/],
    [{ measure: ['speed'] }, /bad\.json:4: --measure: expected test, crossval or curve, found "speed"/],
    [
      { configurations: [{ name: 'a', cutoff: 2 }] },
      /bad\.json:24: unknown option "cutoff"; did you mean cut-off\?/,
    ],
    [{ configurations: [{ name: 'a', decoder: 'greedy', beam: 3 }] }, /bad\.json:\d+: --beam belongs to/],
    [{ configurations: [{ name: 'a' }, { name: 'a' }] }, /expected names that differ, found a second "a"/],
    [
      { baseline: 'good' },
      /bad\.json:\d+: expected the name of a configuration as baseline: greedy or poor; found "good"/,
    ],
    [{ configurations: [{ name: '../a' }] }, /expected a name without blanks/],
    [{ configurations: [] }, /expected a list "configurations" that is not empty/],
    [
      { corpora: [{ name: 'x', task: 'chunking', train: 'no-1.txt', test: 'no-2.txt' }] },
      /files that cannot be read: .*no-1\.txt, .*no-2\.txt/,
    ],
    [{ corpora: [{ name: 'x', task: 'chunking', train: 'train.txt' }] }, /x needs "test"/],
  ])('refuses %j, naming the line', async (changes, message) => {
    const file = workspace.write('bad.json', experiment(changes));
    const { code, stderr } = await run(['experiment', file, '--output', workspace.path('bad')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('the experiments of the repository', () => {
  const folder = new URL('../../experiments/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonc'));

  it.each(files)('%s can be run', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const file = workspace.write(name, text.replace(/"(train|test)": "[^"]*"/g, '"$1": "$1.txt"'));
    const { systems, configurations } = await readExperiment(file);
    expect(configurations[0]).toHaveLength(systems.length);
  });
});

describe('spanwright info --schema', () => {
  it('has a member for every option, with its limits', async () => {
    const schema = JSON.parse((await run(['info', '--schema', 'configuration'])).stdout);
    expect(schema.properties['cut-off']).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schema.properties.decoder.enum).toContain('hybrid');
    expect(schema.additionalProperties).toBe(false);
    const { properties } = JSON.parse((await run(['info', '--schema', 'experiment'])).stdout);
    expect(properties.configurations.items.properties.C).toMatchObject({
      type: 'number',
      exclusiveMinimum: 0,
    });
  });

  it('refuses a folder that cannot be made', async () => {
    const file = workspace.write('good.json', experiment());
    const taken = workspace.write('taken', '');
    const { code, stderr } = await run(['experiment', file, '--output', `${taken}/results`]);
    const folder = `${taken}/results/predictions`;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `spanwright: ${folder}: cannot be made: a part of its path is not a folder\n`,
    });
  });
});
