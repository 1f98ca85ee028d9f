import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(60)));
const few = workspace.write('few.txt', corpusText(corpus(3)));

const crossval = (...args: string[]) =>
  run(['crossval', '--task', 'chunking', '--train', data, '--cut-off', '1', '--folds', '4', ...args]);

describe('spanwright crossval', () => {
  it('prints every fold, mean and deviation, the same for any number of threads', async () => {
    const [one, two] = await Promise.all([crossval(), crossval('--threads', '2')]);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    const lines = one.stdout.split('\n');
    expect(lines[0]).toMatch(/^fold +sentences +accuracy +precision +recall +f1$/);
    expect(lines.slice(1, 5).map((line) => line.split(/ +/).slice(0, 2))).toEqual([
      ['1', '15'],
      ['2', '15'],
      ['3', '15'],
      ['4', '15'],
    ]);
    expect(lines[7]).toMatch(/^4 folds in /);
    expect(two.stdout.split('\n').slice(0, 7)).toEqual(lines.slice(0, 7));
  });

  it('gives JSON whose mean is that of the folds', async () => {
    const { folds, mean, deviation } = JSON.parse((await crossval('--json')).stdout);
    expect(folds).toHaveLength(4);
    const f1 = folds.map((fold: { f1: number }) => fold.f1);
    const average = f1.reduce((sum: number, value: number) => sum + value, 0) / 4;
    expect(mean.f1).toBeCloseTo(average, 10);
    const squares = f1.reduce((sum: number, value: number) => sum + (value - average) ** 2, 0);
    expect(deviation.f1).toBeCloseTo(Math.sqrt(squares / 3), 10);
  });

  it('splits by the seed', async () => {
    const [a, b] = await Promise.all([crossval('--json', '--seed', '1'), crossval('--json', '--seed', '2')]);
    const tokens = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).folds.map((fold: { tokens: number }) => fold.tokens);
    expect(tokens(a)).not.toEqual(tokens(b));
  });

  it('names the first label that is no tag, on any number of threads', async () => {
    const lines = corpusText(corpus(60)).split('\n');
    const bad = workspace.write('bad.txt', lines.with(5, 'a DT Q').with(200, 'a DT R').join('\n'));
    const problem = `spanwright: ${bad}:6: expected a tag in column chunk: `;
    for (const threads of ['1', '2']) {
      const how = ['--train', bad, '--folds', '4', '--threads', threads];
      const { code, stderr } = await run(['crossval', '--task', 'chunking', ...how]);
      expect(code).toBe(2);
      expect(stderr.slice(0, problem.length)).toBe(problem);
    }
  });

  it('refuses more folds than sentences', async () => {
    const { code, stderr } = await run(['crossval', '--task', 'chunking', '--train', few]);
    expect(code).toBe(2);
    expect(stderr).toContain('--folds: expected an integer from 2 to the 3 sentences, found 10');
  });
});
