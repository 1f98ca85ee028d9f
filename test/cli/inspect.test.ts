import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const text = corpusText(corpus(80));
const dev = workspace.write('dev.txt', corpusText(corpus(20, 2)));

let model: string;
beforeAll(async () => {
  model = await workspace.train('model', text, '--dev', dev);
});

const inspect = (...args: string[]) => run(['inspect', '--model', model, ...args]);

describe('spanwright inspect', () => {
  it('--json says what the model is', async () => {
    const { code, stdout, stderr } = await inspect('--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      task: 'chunking',
      learner: 'svm',
      strategy: 'ova',
      decoder: 'hybrid',
      scheme: 'ioe2',
      direction: 'backward',
      labels: 6,
      problems: 6,
      bytes: readFileSync(model).length,
      columns: ['word', 'pos', 'chunk'],
      seed: 1,
      options: { C: 0.1, loss: 'l2' },
      training: {
        sentences: 80,
        sha256: createHash('sha256').update(text).digest('hex'),
        fileScheme: 'iob2',
      },
    });
    expect(report.features).toBeGreaterThan(100);
    expect([...report.tags].sort()).toEqual(['E-NP', 'E-PP', 'E-VP', 'I-NP', 'I-VP', 'O']);
    expect(Object.keys(report.dev).sort()).toEqual(['accuracy', 'f1', 'precision', 'recall']);
    expect(report).not.toHaveProperty('strongest');
    expect(report).not.toHaveProperty('explanation');
  });

  it('says it in words too', async () => {
    const { stdout } = await inspect();
    for (const part of ['chunking', 'svm', 'ova', 'hybrid', 'ioe2', 'backward', 'C 0.1', 'dev scores']) {
      expect(stdout).toContain(part);
    }
  });

  it('--label shows the strongest features of a label, the strongest first', async () => {
    const { stdout } = await inspect('--json', '--label', 'E-PP', '--top', '5');
    const { strongest } = JSON.parse(stdout);
    expect(strongest).toHaveLength(5);
    const weights = strongest.map(({ chosen }: { chosen: number }) => chosen);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(strongest.map(({ feature }: { feature: string }) => feature)).toContain('pos[0]=IN');
    expect((await inspect('--label', 'E-PP')).stdout).toContain('strongest features:');
  });

  it('--tree draws the tree of labels, and refuses models without one', async () => {
    const tree = await workspace.train('tree', text, '--strategy', 'tree');
    const { stdout } = await run(['inspect', '--model', tree, '--tree']);
    const drawn = stdout.slice(stdout.indexOf('┬─'));
    const labels = drawn.split('\n').flatMap((line) => line.match(/[^ │┬└─]+$/) ?? []);
    expect(labels.sort()).toEqual(['E-NP', 'E-PP', 'E-VP', 'I-NP', 'I-VP', 'O']);
    const { code, stderr } = await inspect('--tree');
    expect(code).toBe(2);
    expect(stderr).toBe('spanwright: --tree: expected a model of the strategy tree, found ova\n');
  });

  it('--label lists the labels when there is no such one', async () => {
    const { code, stderr } = await inspect('--label', 'B-NP');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--label: expected (?=.*E-NP)(?=.*I-VP).*, found "B-NP"/);
  });

  it('--explain shows for each token the features that fired, for its label and the nearest rival', async () => {
    const { stdout } = await inspect(
      '--json',
      '--explain',
      'the/DT dog/NN sees/VBZ Paris/NNP ./.',
      '--top',
      '400',
    );
    const { explanation } = JSON.parse(stdout);
    expect(explanation.map(({ cells }: { cells: string[] }) => cells.join(' '))).toEqual([
      'the DT',
      'dog NN',
      'sees VBZ',
      'Paris NNP',
      '. .',
    ]);
    expect(explanation.map(({ label }: { label: string }) => label)).toEqual([
      'I-NP',
      'E-NP',
      'E-VP',
      'E-NP',
      'O',
    ]);
    for (const { cells, label, rival, score, rivalScore, features } of explanation) {
      expect(rival).not.toBe(label);
      expect(rivalScore).toBeLessThan(score);
      const names = features.map(({ feature }: { feature: string }) => feature);
      expect(names).toContain('bias');
      expect(names).toContain(`word[0]=${cells[0]}`);
      // The log scores are log σ(2f) of the sums of these weights.
      const sum = features.reduce((total: number, { chosen }: { chosen: number }) => total + chosen, 0);
      expect(-Math.log1p(Math.exp(-2 * sum))).toBeCloseTo(score, 4);
    }
  });

  it('--explain in words, and with slashes inside words', async () => {
    const { stdout } = await inspect('--explain', 'and/or/CC she/PRP', '--top', '3');
    expect(stdout).toMatch(/\nand\/or\/CC {2}\S+ \(log score -\d+\.\d{3}\), rival \S+/);
    expect(stdout).toMatch(/\nshe\/PRP {2}E-NP/);
  });

  it('--explain refuses tokens without all columns', async () => {
    const { code, stderr } = await inspect('--explain', 'the/DT dog');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'spanwright: --explain: expected tokens of word/pos, found "dog"\n',
    });
    expect((await inspect('--explain', '  ')).code).toBe(2);
  });
});
