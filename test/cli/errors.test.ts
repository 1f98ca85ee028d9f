import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const predictions = workspace.write(
  'predicted.txt',
  'the DT B-NP B-NP\ndog NN I-NP I-NP\nsees VBZ B-VP O\n\nshe PRP B-NP B-NP\n',
);

describe('spanwright errors', () => {
  it('analyses a file of predictions and writes a report in each format', async () => {
    const html = workspace.path('report.html');
    const page = await run(['errors', predictions, '--report', html]);
    expect(page).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(html, 'utf8')).toContain('<mark>[VP sees]</mark>');
    const md = workspace.path('report.md');
    const markdown = await run(['errors', predictions, '--report', md, '--markdown']);
    expect(markdown.stdout).toContain('**\\[VP sees\\]**');
    expect(readFileSync(md, 'utf8')).toContain('![Errors by type](report-1.svg)');
    expect(existsSync(workspace.path('report-1.svg'))).toBe(true);
    const { stdout } = await run(['errors', predictions, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      fates: { VP: { missed: 1 }, NP: { correct: 2 } },
      scores: { gold: 3, correct: 2 },
      sentences: [{ sentence: 0, line: 1, errors: 1 }],
    });
  });

  it('labels with a model, and tells seen from unseen words', async () => {
    const model = await workspace.train('model', corpusText(corpus(40)));
    const gold = workspace.write('gold.txt', corpusText([['the DT B-NP', 'zebra NN I-NP']]));
    const args = ['errors', model, '--gold', gold, '--train', `${model}.train`, '--json'];
    const { stdout, code } = await run(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).seen).toMatchObject({ seenTokens: { all: 1 }, unseenTokens: { all: 1 } });
  });

  it.each([
    [
      [workspace.write('model-start', Buffer.from([64, 0, 0, 0, 0, 0, 0, 0, 0x7b]))],
      'model-start is to label',
    ],
    [['x.safetensors'], '--gold FILE is required, which the model x.safetensors is to label'],
    [[predictions, '--gold', predictions], '--gold: expected a model among the systems'],
    [['nowhere'], 'nowhere: cannot be read: there is no such file'],
    [[], 'expected one system'],
    [[predictions, '--report', 'x.pdf'], '--report: expected a name with .html, .md or .svg, found "x.pdf"'],
    [[workspace.write('two.txt', 'B-NP B-NP\n')], 'two.txt:1'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(['errors', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
