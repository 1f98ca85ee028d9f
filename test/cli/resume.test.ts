import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { MAIN, run, runShell, Workspace } from './program.js';

const workspace = new Workspace();
const data = workspace.write('data.txt', corpusText(corpus(200)));

const argumentsOf = (model: string, ...how: string[]) => [
  'train',
  '--task',
  'chunking',
  '--train',
  data,
  '--model',
  workspace.path(model),
  ...how,
];

/** Starts training and kills it once its state is in a file. */
async function trainAndKill(model: string, how: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...argumentsOf(model, ...how)], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!existsSync(workspace.path(`${model}.state-0`)) && child.exitCode === null) await setTimeout(2);
  child.kill('SIGKILL');
  expect((await ended)[1]).toBe('SIGKILL');
}

describe('spanwright train --resume', () => {
  it.each([
    ['svm', ['--epochs', '2000', '--epsilon', '1e-9', '--threads', '2']],
    ['crf', ['--learner', 'crf', '--iterations', '30', '--tolerance', '0']],
    ['mira', ['--preset', 'chunk-level', '--epochs', '10']],
  ])('gives the model that training without a kill gives: %s', async (name, how) => {
    const whole = await run(argumentsOf(`${name}.whole`, ...how));
    expect(whole).toMatchObject({ code: 0 });
    await trainAndKill(name, [...how, '--resume']);
    expect(existsSync(workspace.path(name))).toBe(false);
    const resumed = await run(argumentsOf(name, ...how, '--resume', '--json'));
    expect(resumed).toMatchObject({ code: 0 });
    const [first] = resumed.stdout
      .split('\n')
      .filter((line) => /"kind":"(epoch|iteration)"/.test(line))
      .map((line) => JSON.parse(line));
    expect(first.epoch ?? first.iteration).toBeGreaterThan(1);
    const model = readFileSync(workspace.path(name));
    expect(model.equals(readFileSync(workspace.path(`${name}.whole`)))).toBe(true);
    expect(workspace.files().filter((file) => file.includes('.state-'))).toEqual([]);
  });

  it('refuses the state of other training', async () => {
    await trainAndKill('other', ['--epochs', '2000', '--epsilon', '1e-9', '--resume']);
    const { code, stderr } = await run(argumentsOf('other', '--epochs', '5', '--resume'));
    expect(code).toBe(2);
    expect(stderr).toContain(
      `${workspace.path('other')}.state-0: expected the state of this training, found one of other data or options`,
    );
  });

  it.each([
    ['svm', ['--epochs', '3']],
    ['crf', ['--learner', 'crf', '--iterations', '5']],
  ])('goes on where its state cannot be written, and says so: %s', async (name, how) => {
    const whole = await run(argumentsOf(`${name}.usual`, ...how));
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    // A model fits into so many blocks, a state does not.
    const blocks = Math.ceil(statSync(workspace.path(`${name}.usual`)).size / 1024) + 1;
    const { code, stderr } = await runShell(
      `ulimit -f ${blocks}; "$0" "$@"`,
      argumentsOf(name, ...how, '--resume'),
    );
    expect(stderr).toBe(
      `warning: --resume: training goes on, but its state is not kept: ${workspace.path(name)}.state-0: cannot be written: the file is too large\n`,
    );
    expect(code).toBe(0);
    expect(readFileSync(workspace.path(name)).equals(readFileSync(workspace.path(`${name}.usual`)))).toBe(
      true,
    );
    expect(workspace.files().filter((file) => /\.state-|\.tmp$/.test(file) && file.includes(name))).toEqual(
      [],
    );
  });

  it('refuses a state that is no state, and says what helps', async () => {
    mkdirSync(workspace.path('folder.state-0'));
    workspace.write('empty.state-0', '');
    for (const learner of ['svm', 'crf']) {
      const folder = await run(argumentsOf('folder', '--learner', learner, '--resume'));
      expect(folder).toMatchObject({ code: 2 });
      expect(folder.stderr).toBe(
        `spanwright: ${workspace.path('folder.state-0')}: cannot be read: it is a folder\n`,
      );
      const empty = await run(argumentsOf('empty', '--learner', learner, '--resume'));
      expect(empty).toMatchObject({ code: 2 });
      expect(empty.stderr).toMatch(
        /^spanwright: .*empty\.state-0: expected the state of this training, found a file that is damaged.*; delete it to begin anew\n$/,
      );
    }
  });
});
