import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { MAIN, run, Workspace } from './program.js';

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
});
