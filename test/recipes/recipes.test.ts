import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from '../cli/corpus.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** One block of a recipe: a new file, or lines to add and replace in one. */
interface Block {
  readonly kind: string;
  readonly path: string;
  readonly text: string;
}

const recipes = new Map(
  contributing
    .split(/^### /m)
    .slice(1)
    .map((section): [string, Block[]] => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^```(ts|diff) (\S+)\n([\s\S]*?)^```$/gm)].map(([, kind, path, text]) => ({
        kind,
        path,
        text,
      })),
    ]),
);

/** Makes the change of a diff: every line without + is in the file once. */
function applyDiff(source: string, diff: string): string {
  let result = `\n${source}`;
  let anchor = '';
  let added: string[] = [];
  let isReplaced = false;
  const flush = () => {
    if (added.length === 0) return;
    expect(result.split(`\n${anchor}\n`), anchor).toHaveLength(2);
    const lines = isReplaced ? added : [anchor, ...added];
    result = result.replace(`\n${anchor}\n`, () => `\n${lines.join('\n')}\n`);
    added = [];
  };
  for (const line of diff.split('\n').filter((text) => text !== '')) {
    if (line.startsWith('+')) added.push(line.slice(1));
    else {
      flush();
      anchor = line.slice(1);
      isReplaced = line.startsWith('-');
    }
  }
  flush();
  return result.slice(1);
}

describe('recipes of CONTRIBUTING.md, all made in a copy', () => {
  let copy: string;
  const path = (name: string) => join(copy, name);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [path('dist/main.js'), ...args], {
      cwd: copy,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const train = (...args: string[]) => run('train', '--train', 'data.txt', '--model', 'model.st', ...args);

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'spanwright-recipes-'));
    for (const name of ['src', 'scripts', 'package.json', 'tsconfig.base.json', 'tsconfig.build.json']) {
      cpSync(join(root, name), path(name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), path('node_modules'));
    for (const { kind, path: name, text } of [...recipes.values()].flat()) {
      writeFileSync(path(name), kind === 'ts' ? text : applyDiff(readFileSync(path(name), 'utf8'), text));
    }
    execFileSync(process.execPath, ['scripts/kernels.js'], { cwd: copy });
    const entryPoints = [
      'cli/main',
      'cli/command-thread',
      'node/block-worker',
      'kernels/kernels',
      'kernels/dot-product',
      'kernels/layout',
    ];
    buildSync({
      absWorkingDir: path('src'),
      entryPoints: entryPoints.map((name) => `${name}.ts`),
      mainFields: ['module', 'main'],
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      outdir: path('dist'),
      entryNames: '[name]',
      logLevel: 'silent',
    });
    writeFileSync(path('data.txt'), corpusText(corpus(40)));
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('covers what the map promises', () => {
    expect(recipes.size).toBe(11);
    for (const blocks of recipes.values()) expect(blocks).not.toEqual([]);
  });

  it('keeps the types right', () => {
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const check = () =>
      execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noEmit'], {
        cwd: copy,
        encoding: 'utf8',
      });
    expect(check()).toBe('');
    // A whole compilation.
  }, 300_000);

  it('a learner trains', () => {
    expect(train('--task', 'chunking', '--learner', 'binary-perceptron', '--epochs', '2')).toContain(
      'binary-perceptron, ova',
    );
    expect(run('evaluate', '--model', 'model.st', 'data.txt')).toMatch(/FB1: {1,2}\d/);
  });

  it('a strategy decides, and goes with greedy decoding alone', () => {
    expect(train('--task', 'chunking', '--strategy', 'first-positive')).toContain('first-positive, greedy');
    expect(run('evaluate', '--model', 'model.st', 'data.txt')).toContain('FB1:');
    expect(() => train('--task', 'chunking', '--strategy', 'first-positive', '--decoder', 'beam')).toThrow(
      'expected greedy',
    );
  });

  it('a decoder labels, with every strategy and learner whose scores it accepts', () => {
    train('--task', 'chunking', '--learner', 'crf', '--decoder', 'nearsighted');
    expect(run('evaluate', '--model', 'model.st', 'data.txt')).toContain('FB1:');
    expect(run('train', '--help').replace(/\s+/g, ' ')).toContain(
      'nearsighted strategies ova, c-ova; learners crammer-singer',
    );
  });

  it('a scheme is detected and written', () => {
    const converted = run('convert', '--from', 'iob2', '--to', 'bilo', 'data.txt');
    writeFileSync(path('bilo.txt'), converted);
    expect(converted).toMatch(/ X-\w+\n/);
    run('train', '--task', 'chunking', '--train', 'bilo.txt', '--model', 'bilo.st');
    expect(run('label', '--model', 'bilo.st', 'bilo.txt')).toMatch(/ X-\w+ X-\w+\n/);
  });

  it('a view and a derived column are read by templates', () => {
    writeFileSync(path('initial.txt'), 'word.initial[0]\n');
    train('--task', 'chunking', '--templates', 'initial.txt', '--cut-off', '1');
    expect(run('inspect', '--model', 'model.st', '--label', 'I-NP', '--json')).toMatch(
      /word\.initial\[0\]=[A-Z]"/,
    );
    writeFileSync(path('parity.txt'), 'parity[0] word[0]\n');
    writeFileSync(path('words.txt'), '中文 分词\n中 文\n');
    run(
      'train',
      '--task',
      'segmentation',
      '--train',
      'words.txt',
      '--templates',
      'parity.txt',
      '--cut-off',
      '1',
      '--model',
      'words.st',
    );
    expect(run('inspect', '--model', 'words.st', '--json')).toContain('parity[0]');
  });

  it('knowledge is learned, stored and told', () => {
    writeFileSync(path('pos.txt'), 'a DT\nb NN\n\na DT\n\nc NN\nb NN\n\n');
    run('train', '--task', 'pos', '--train', 'pos.txt', '--model', 'pos.st');
    expect(run('inspect', '--model', 'pos.st')).toMatch(/knows +2 sentence lengths/);
  });

  it('a task has columns and presets', () => {
    writeFileSync(path('names.txt'), 'Ann B-PER\nruns O\n\nBob B-PER\nsits O\n\n');
    expect(run('train', '--task', 'names', '--train', 'names.txt', '--model', 'names.st')).toContain(
      'svm, ova, greedy',
    );
  });

  it('input and output formats read and write', () => {
    writeFileSync(path('names.txt'), 'Ann B-PER\nruns O\n\nBob B-PER\nsits O\n\n');
    run('train', '--task', 'names', '--train', 'names.txt', '--model', 'names.st');
    writeFileSync(path('text.lines'), 'Ann sits\n\nBob runs\n');
    expect(run('label', '--model', 'names.st', '--format', 'chunks', 'text.lines')).toBe(
      'PER\tAnn\nPER\tBob\n',
    );
  });

  it('a kernel gives the same in WebAssembly and plain', async () => {
    const { createMemory } = await import(path('dist/kernels.js'));
    const { dotProduct } = await import(path('dist/dot-product.js'));
    const { float32 } = await import(path('dist/layout.js'));
    const results = ['simd', 'plain'].map((name) => {
      const { arrays, bind } = createMemory({ left: float32(5), right: float32(5) }, name);
      arrays.left.set([1, 2, 3, 4, 0.1]);
      arrays.right.set([5, 6, 7, 8, 0.2]);
      return bind({ dotProduct }).dotProduct(arrays);
    });
    expect(results[0]).toBe(results[1]);
    expect(results[0]).toBeCloseTo(70.02, 5);
  });
});
