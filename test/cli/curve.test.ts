import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(60)));
const curve = (...args: string[]) =>
  run(['curve', '--task', 'chunking', '--train', data, '--epochs', '3', '--folds', '3', ...args]);

describe('spanwright curve', () => {
  it('scores growing parts of the training data, the same for any number of threads', async () => {
    const plot = workspace.path('curve.svg');
    const grid = ['--sizes', '100,20', '--grid', 'decoder=greedy,hybrid'];
    const [one, two] = await Promise.all([
      curve(...grid, '--json', '--report', plot),
      curve(...grid, '--json', '--threads', '2'),
    ]);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(two.stdout).toBe(one.stdout);
    const { curves } = JSON.parse(one.stdout);
    expect(curves.map(({ name }: { name: string }) => name)).toEqual(['decoder=greedy', 'decoder=hybrid']);
    expect(curves[0].points).toMatchObject([
      { size: 20, sentences: 8 },
      { size: 100, sentences: 40 },
    ]);
    expect(readFileSync(plot, 'utf8')).toContain('<polyline class="line"');
    // All of the training data: what cross-validation gives.
    const { stdout } = await run(
      ['crossval', '--task', 'chunking', '--train', data, '--epochs', '3', '--folds', '3', '--json'].concat([
        '--decoder',
        'hybrid',
      ]),
    );
    const folds = JSON.parse(stdout).folds.map(({ f1 }: { f1: number }) => f1);
    expect(curves[1].points[1].scores).toEqual(folds);
  });

  it('goes on from its trace', async () => {
    const trace = workspace.path('trace.jsonl');
    const args = ['--sizes', '50', '--trace', trace, '--json'];
    const whole = await curve(...args);
    const lines = readFileSync(trace, 'utf8').split('\n');
    expect(lines).toHaveLength(5);
    writeFileSync(trace, `${lines.slice(0, 2).join('\n')}\n{"curve":`);
    expect((await curve(...args)).stdout).toBe(whole.stdout);
    const made = lines
      .slice(1, 4)
      .map((line) => JSON.parse(line))
      .find(({ part }) => part === 'chunking 50 % fold 1');
    writeFileSync(trace, `${lines[0]}\n${JSON.stringify({ ...made, result: 101 })}\n`);
    expect(JSON.parse((await curve(...args)).stdout).curves[0].points[0].scores[0]).toBe(101);
    // Data of the same bytes, but read otherwise.
    const measured = () => readFileSync(trace, 'utf8').split('\n').length - 2;
    expect(measured()).toBe(3);
    await curve(...args, '--columns', 'pos,word,chunk');
    expect(measured()).toBe(6);
  });

  it.each([
    [['--sizes', '0,10'], '--sizes: expected percentages'],
    [['--grid', 'C=1', '--C', '2'], '--grid and --C contradict each other'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await curve(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
