import { expect, it } from 'vitest';
import { run, Workspace } from './program.js';

const workspace = new Workspace();

it('nothing in tokens, labels or names reaches a terminal that could steer it', async () => {
  const [clear, title, turned] = ['\x1b[2J', '\x1b]0;pwn\x07', '\u202e'];
  const line = (word: string, type: string) => `${word} NN B-${type} B-${type}\n`;
  const text = `${line(`dog${clear}`, `X${title}`)}${line('x', `Y${turned}`)}the DT B-NP O\n\n`;
  const scored = workspace.write('scored.txt', text.repeat(2));
  const other = workspace.write('other.txt', text.repeat(2).replaceAll(/ O$/gm, ' B-NP'));
  const data = workspace.write('data.txt', text.repeat(2).replaceAll(/ \S+$/gm, ''));
  const once = workspace.write('once.txt', text.replaceAll(/ \S+$/gm, ''));
  const model = workspace.path('model');
  for (const args of [
    ['train', '--task', 'chunking', '--train', once, '--model', model, '--cut-off', '1', '--dev', data],
    ['label', '--model', model, data, '--format', 'pretty'],
    ['evaluate', scored],
    ['errors', scored],
    ['errors', scored, '--markdown'],
    ['errors', scored, '--json'],
    ['compare', scored, other, '--rounds', '100'],
    ['inspect', '--model', model],
    ['inspect', '--model', model, '--explain', `dog${clear}/NN`],
    ['crossval', '--task', 'chunking', '--train', data, '--folds', '2'],
  ]) {
    const { code, stdout, stderr } = await run(args);
    expect(code, args.join(' ')).toBe(0);
    expect(stdout + stderr, args.join(' ')).not.toMatch(/[\x1b\x07\u202e]/);
  }
  // Programs get the bytes as they are.
  expect((await run(['label', '--model', model, data])).stdout).toContain(`dog${clear} NN B-X${title} B-`);
});
