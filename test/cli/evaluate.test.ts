import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const sentences = corpus(25, 3);
const gold = corpusText(sentences);

let model: string;
let greedy: string;
beforeAll(async () => {
  const templates = workspace.write('templates', 'word[0]\n');
  [model, greedy] = await Promise.all([
    workspace.train('model', corpusText(corpus(80))),
    // Words alone cannot tell everything: this one makes mistakes.
    workspace.train(
      'greedy',
      corpusText(corpus(3)),
      '--templates',
      templates,
      '--decoder',
      'greedy',
      '--cut-off',
      '1',
    ),
  ]);
});

describe('spanwright evaluate', () => {
  it('says what confidences are worth, before and after they are calibrated', async () => {
    const training = corpusText(corpus(60, 8));
    const templates = workspace.write('weak', 'pos[-1]\n');
    const raw = await workspace.train('raw', training, '--templates', templates);
    const fitted = await workspace.train('fitted', training, '--templates', templates, '--calibrate');
    const errors: number[] = [];
    for (const path of [raw, fitted]) {
      const { stdout, code } = await run(['evaluate', '--model', path, '--calibration', '--json'], gold);
      expect(code).toBe(0);
      const { calibration, f1 } = JSON.parse(stdout);
      expect(f1).toBeGreaterThan(0);
      expect(calibration.tokens.count).toBeGreaterThan(100);
      errors.push(calibration.tokens.expectedError);
    }
    expect(errors[1]).toBeLessThan(errors[0]);
    const report = workspace.path('reliability.html');
    const args = ['--model', fitted, '--calibration', '--report', report];
    const { stdout } = await run(['evaluate', ...args], gold);
    expect(stdout).toContain('expected calibration error');
    expect(readFileSync(report, 'utf8')).toContain('Reliability diagram');
    const labels = await Promise.all([raw, fitted].map((path) => run(['label', '--model', path], gold)));
    expect(labels[1].stdout).toBe(labels[0].stdout);
    expect((await run(['evaluate', '--calibration'], gold)).stderr).toContain('expected --model');
    expect((await run(['evaluate', '--report', report], gold)).stderr).toContain('goes with --calibration');
  });

  it('tells how the score falls where text is written otherwise', async () => {
    const { stdout, code } = await run(['evaluate', '--model', greedy, '--perturb', '--json'], gold);
    expect(code).toBe(0);
    const { f1, perturbed } = JSON.parse(stdout);
    expect(perturbed.map(({ name }: { name: string }) => name)).toEqual(
      'lower upper title small-start typos unpunctuated hashtags joined'.split(' '),
    );
    for (const { score, loss } of perturbed) expect(score + loss).toBeCloseTo(f1);
    const text = (await run(['evaluate', '--model', greedy, '--perturb'], gold)).stdout;
    expect(text).toMatch(/^lower +[\d.]+ +-?[\d.]+ +all in small letters$/m);
    expect((await run(['evaluate', '--perturb'], gold)).stderr).toContain('--perturb: expected --model');
  });

  it('scores the last two columns of a file by the rules of conlleval', async () => {
    const predicted = workspace.write(
      'predicted.txt',
      'the DT B-NP B-NP\ndog NN I-NP I-NP\nsees VBZ B-VP B-NP\n\nParis NNP B-NP B-NP\n. . O O\n',
    );
    const table =
      'processed 5 tokens with 3 phrases; found: 3 phrases; correct: 2.\n' +
      'accuracy:  80.00%; precision:  66.67%; recall:  66.67%; FB1:  66.67\n' +
      '               NP: precision:  66.67%; recall: 100.00%; FB1:  80.00  3\n' +
      '               VP: precision:   0.00%; recall:   0.00%; FB1:   0.00  0\n';
    expect(await run(['evaluate', predicted])).toEqual({ code: 0, stdout: table, stderr: '' });
    const { stdout } = await run(['evaluate', '--json', predicted]);
    const { types, ...all } = JSON.parse(stdout);
    expect(all).toEqual({
      tokens: 5,
      sentences: 2,
      accuracy: 80,
      gold: 3,
      predicted: 3,
      correct: 2,
      precision: expect.closeTo(66.667, 2),
      recall: expect.closeTo(66.667, 2),
      f1: expect.closeTo(66.667, 2),
    });
    expect(Object.keys(types)).toEqual(['NP', 'VP']);
    expect(types.NP).toMatchObject({
      gold: 2,
      predicted: 3,
      correct: 2,
      recall: 100,
      f1: expect.closeTo(80, 6),
    });
  });

  it('scores a model as its own labelling is scored, from a file or standard input', async () => {
    for (const scored of [model, greedy]) {
      const data = workspace.write('gold.txt', gold);
      const withModel = await run(['evaluate', '--model', scored, data]);
      const labelled = await run(['label', '--model', scored, data]);
      expect(withModel).toMatchObject({ code: 0, stderr: '' });
      expect(await run(['evaluate'], labelled.stdout)).toEqual(withModel);
      expect(await run(['evaluate', '--model', scored], gold)).toEqual(withModel);
      const [, f1] = /FB1: +([\d.]+)/.exec(withModel.stdout)!;
      if (scored === model) expect(f1).toBe('100.00');
      else expect(Number(f1)).toBeLessThan(100);
    }
  });

  it('--decoder scores another decoder than the model’s', async () => {
    const args = ['evaluate', '--json', '--model', model, '--decoder'];
    for (const decoder of ['greedy', 'beam']) {
      expect(JSON.parse((await run([...args, decoder], gold)).stdout)).toMatchObject({
        tokens: sentences.flat().length,
        f1: 100,
      });
    }
  });

  it('warns of types that training never saw, with their counts', async () => {
    const unseen = gold.replace(/^she PRP B-NP$/gm, 'she PRP B-PRON');
    const count = unseen.match(/B-PRON/g)!.length;
    const { code, stdout, stderr } = await run(['evaluate', '--model', model], unseen);
    expect(code).toBe(0);
    expect(stderr).toBe(`warning: ${count} gold chunks of 1 type that training never saw: PRON\n`);
    expect(stdout).toContain('PRON: precision:   0.00%; recall:   0.00%');
  });

  it.each([
    [
      ['--scheme', 'iob2', '--model', 'MODEL'],
      '--scheme: expected neither --model nor --gold, found --model',
    ],
    [['--scheme', 'iob2', '--gold', 'FILE'], '--scheme: expected neither --model nor --gold, found --gold'],
    [['--pos-model', 'nowhere'], '--pos-model: expected --model, found neither --model nor --gold'],
    [['--decoder', 'greedy'], '--decoder: expected --model, found neither'],
    [['--beam', '3', '--gold', 'FILE'], '--beam: expected --model, found --gold'],
    [['--separator', 'tab', '--gold', 'FILE'], '--separator: expected --model or neither --model nor --gold'],
    [['--words', 'FILE'], '--words: expected --gold, found neither --model nor --gold'],
    [['--input-format', 'jsonl'], '--input-format: expected columns with neither --model nor --gold'],
    [
      ['--input-format', 'jsonl', '--gold', 'FILE'],
      '--input-format: expected segmented or tagged with --gold',
    ],
    [['--model', 'MODEL', '--gold', 'FILE'], '--gold GOLD compares two files: expected no --model'],
  ])('refuses %j, which would have no influence', async (args, message) => {
    const data = workspace.write('unused.txt', gold);
    const given = args.map((arg) => (arg === 'MODEL' ? model : arg === 'FILE' ? data : arg));
    const { code, stdout, stderr } = await run(['evaluate', ...given, data]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    ['an unknown tag', 'the DT B-NP\ndog NN Q-NP\n', ['--model'], /<stdin>:2: expected a tag.*found "Q-NP"/],
    [
      'an unknown predicted tag',
      'the B-NP B-NP\ndog I-NP Q\n',
      [],
      /<stdin>:2: expected a predicted tag.*found "Q"/,
    ],
    ['an unknown gold tag', 'the B-NP B-NP\ndog X O\n', [], /<stdin>:2: expected a gold tag.*found "X"/],
    ['too few columns', 'the DT B-NP\ndog\n', ['--model'], /<stdin>:2: expected at least 3 columns, found 1/],
    ['one column', 'the O\ndog\n', [], /<stdin>:2: expected at least 2 columns, found 1/],
    ['no sentences', '\n\n', [], /<stdin>: expected sentences, found none/],
    ['no sentences for a model', '', ['--model'], /<stdin>: expected sentences, found none/],
  ])('refuses %s', async (_, input, option, message) => {
    const { code, stdout, stderr } = await run(
      ['evaluate', ...option, ...(option.length > 0 ? [model] : [])],
      input,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
