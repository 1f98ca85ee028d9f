import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const PRESET = ['--preset', 'chunk-level', '--epochs', '3'];

describe('the preset chunk-level', () => {
  it('works from training to labels, scores, pruning switched off, and explanations', async () => {
    const limits = ['--pairs', 'any'];
    const model = await workspace.train('chunks.safetensors', corpusText(corpus(40)), ...PRESET, ...limits);
    const unseen = corpus(20, 2);
    const gold = workspace.write('gold.txt', corpusText(unseen));

    const labelled = await run(['label', '--model', model, '--confidence'], corpusText(unseen, [0, 1]));
    expect(labelled.code, labelled.stderr).toBe(0);
    expect(labelled.stdout.split('\n')[0]).toMatch(/^\S+ \S+ [BIO](-\w+)? [01]\.\d{4}$/);
    const twoThreads = await run(
      ['label', '--model', model, '--confidence', '--threads', '2'],
      corpusText(unseen, [0, 1]),
    );
    expect(twoThreads.stdout).toBe(labelled.stdout);

    const scored = await run(['evaluate', '--model', model, '--json', gold]);
    expect(JSON.parse(scored.stdout).f1).toBeGreaterThan(90);
    const open = ['--lengths', 'any', '--values', 'any', '--pairs', 'any', '--bigrams', 'any'];
    const unpruned = await run(['evaluate', '--model', model, '--json', ...open, gold]);
    expect(unpruned.code, unpruned.stderr).toBe(0);
    expect(JSON.parse(unpruned.stdout).gold).toBe(JSON.parse(scored.stdout).gold);

    const inspected = await run(['inspect', '--model', model, '--explain', 'the/DT dog/NN sees/VBZ']);
    expect(inspected.stdout).toContain('semi-markov');
    expect(inspected.stdout).toContain('all(pos)=DT NN');
  });

  it('counts the gold chunks beyond its limits', async () => {
    const model = await workspace.train('limits.safetensors', corpusText(corpus(40)), ...PRESET);
    // In training no verb is in an NP, and no chunk has more than a few tokens.
    const noun = 'dog NN I-NP\n'.repeat(12);
    const gold = workspace.write('limits.txt', `the DT B-NP\nsees VBZ I-NP\n\nthe DT B-NP\n${noun}\n`);
    const limited = await run(['evaluate', '--model', model, gold]);
    expect(limited.code, limited.stderr).toBe(0);
    expect(limited.stderr).toContain('2 gold chunks in 2 sentences beyond the limits');
    const open = ['--values', 'any', '--pairs', 'any'];
    const lifted = await run(['evaluate', '--model', model, ...open, gold]);
    expect(lifted.stderr).toContain('1 gold chunk in 1 sentence beyond the limits');
  });

  it('gives the same bytes again, and works in cross-validation', async () => {
    const text = corpusText(corpus(12));
    const first = await workspace.train('first.safetensors', text, ...PRESET);
    const second = await workspace.train('second.safetensors', text, ...PRESET);
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
    const data = workspace.write('folds.txt', text);
    const { code, stdout, stderr } = await run([
      'crossval',
      '--task',
      'chunking',
      ...PRESET,
      '--train',
      data,
      '--folds',
      '3',
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^mean/m);
  });
});
