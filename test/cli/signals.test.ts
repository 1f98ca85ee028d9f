import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { MAIN, run, Workspace } from './program.js';

const workspace = new Workspace();
// Training on it takes minutes with every learner below.
const types = Array.from({ length: 40 }, (_, i) => `T${i}`);
const long = Array.from({ length: 4000 }, (_, s) =>
  types.map((type, t) => `w${(s * 31 + t * 17) % 997} P${(s + t) % 23} B-${type}`),
);
const data = workspace.write('data.txt', corpusText(long));

let model: string;
beforeAll(async () => {
  model = await workspace.train('model', corpusText(corpus(20)));
});

/** Starts a command, sends it a signal once it is at work, and says how it ended. */
async function interrupt(args: readonly string[], told: NodeJS.Signals, isAtWork: () => boolean) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  const end = once(child, 'exit');
  while (!isAtWork() && child.exitCode === null) await sleep(5);
  // By now it computes, without a turn for anything else.
  await sleep(500);
  const children = childrenOf(child.pid as number);
  child.kill(told);
  const [code, signal] = await end;
  return { code, signal, children };
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

const temporaries = () => workspace.files().filter((name) => name.endsWith('.tmp'));

describe('a command that is told to end', () => {
  it.each<[string, NodeJS.Signals, number]>([
    ['crf', 'SIGTERM', 143],
    ['crf-adf', 'SIGINT', 130],
    ['maxent', 'SIGTERM', 143],
    ['structured-svm', 'SIGINT', 130],
    ['mira', 'SIGTERM', 143],
    ['svm', 'SIGINT', 130],
  ])(
    'ends in the middle of a pass, and leaves nothing: train --learner %s, %s',
    async (learner, signal, code) => {
      const files = workspace.files();
      const args = ['train', '--task', 'chunking', '--train', data, '--model', workspace.path('never')];
      const isAtWork = () => temporaries().length > 0;
      expect((await interrupt([...args, '--learner', learner], signal, isAtWork)).code).toBe(code);
      expect(workspace.files()).toEqual(files);
    },
  );

  it('ends in the middle of a sentence, with a file to write and without: label', async () => {
    const sentence = workspace.write('sentence.txt', corpusText([Array(400_000).fill('the DT')]));
    const files = workspace.files();
    for (const output of [['--output', workspace.path('labelled')], []]) {
      const args = ['label', '--model', model, '--decoder', 'viterbi', sentence, ...output];
      const isAtWork = () => output.length === 0 || temporaries().length > 0;
      const { code, signal } = await interrupt(args, 'SIGTERM', isAtWork);
      expect([code, signal]).toEqual(output.length > 0 ? [143, null] : [null, 'SIGTERM']);
      expect(workspace.files()).toEqual(files);
    }
  });

  it('ends its processes too: experiment', async () => {
    const configurations = [{ name: 'crf', learner: 'crf' }];
    const corpora = [{ name: 'long', task: 'chunking', train: 'data.txt', test: 'data.txt' }];
    const experiment = { name: 'long', measure: ['test'], corpora, configurations };
    const file = workspace.write('experiment.json', JSON.stringify(experiment));
    const folder = workspace.path('experiment');
    const isAtWork = () => existsSync(`${folder}/parts.jsonl`);
    const { code, children } = await interrupt(['experiment', file, '--output', folder], 'SIGTERM', isAtWork);
    expect(code).toBe(143);
    for (const pid of children) {
      while (isAlive(pid)) await sleep(20);
    }
  });
});

describe('a command that is killed', () => {
  it('leaves a temporary file that the next run with the same output removes', async () => {
    const output = workspace.path('labelled');
    const child = spawn(process.execPath, [MAIN, 'label', '--model', model, '--output', output]);
    const ended = once(child, 'exit');
    child.stdin.write('the DT\n\n');
    while (temporaries().length === 0) await sleep(5);
    const other = workspace.write(`.labelled.${'x'.repeat(8)}.tmp`, 'of someone else');
    // Its temporary file is not abandoned while it runs.
    expect(await run(['label', '--model', model, '--output', output], 'the DT\n\n')).toMatchObject({
      code: 0,
    });
    expect(temporaries()).toHaveLength(2);
    child.kill('SIGKILL');
    await ended;
    expect(temporaries()).toHaveLength(2);
    expect(await run(['label', '--model', model, '--output', output], 'the DT\n\n')).toMatchObject({
      code: 0,
    });
    expect(temporaries()).toEqual([other.slice(workspace.folder.length + 1)]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
