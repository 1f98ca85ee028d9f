import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map((match) => match[1]);
}

describe('README', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spanwright-readme-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/spanwright'));
    symlinkSync(join(root, 'dist'), join(folder, 'dist'));
    symlinkSync(join(root, 'models'), join(folder, 'models'));
    const sentence = `${blocks('text')[1]}fell VBD B-VP\n\n`;
    writeFileSync(join(folder, 'train.txt'), sentence.repeat(12));
    writeFileSync(join(folder, 'test.txt'), sentence);
    writeFileSync(join(folder, 'more.txt'), sentence);
    writeFileSync(join(folder, 'experiment.json'), blocks('json')[0]);
    // A second system to compare with.
    writeFileSync(join(folder, 'other.txt'), sentence.replace(/(\S+)\n/g, '$1 $1\n'));
    const other = 'train --task chunking --train train.txt --model other.safetensors --C 0.5';
    execFileSync(process.execPath, ['dist/cli/main.js', ...other.split(' ')], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (block: string, start: RegExp) =>
    block
      .split('\n')
      .filter((line) => start.test(line))
      .map((command) => execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' }));

  it('shows a picture of what the bundled models find', async () => {
    const { picture } = (await import(new URL('../scripts/picture.js', import.meta.url).href)) as {
      picture(): string;
    };
    // If this fails, node scripts/picture.js draws it anew.
    expect(readFileSync(join(root, 'docs/picture.svg'), 'utf8')).toBe(picture());
  });

  it('gives the figures of docs/results, and the sizes that the models have', () => {
    /** The first figure behind the first cell of a table's row that starts so. */
    const figure = (document: string, row: string) => {
      const text = readFileSync(join(root, 'docs/results', document), 'utf8');
      const line = text.split('\n').find((each) => each.startsWith(`| ${row} |`));
      return Number(/[\d,.]+/.exec(line?.slice(row.length + 3) ?? '')?.[0].replaceAll(',', ''));
    };
    const numbers = [...readme.matchAll(/^\| \*\*([\d.]+)/gm)].map((match) => match[1]);
    expect(numbers).toEqual([
      figure('accurate-chunker.md', '`chunk-level`').toFixed(1),
      (figure('labelling-speed.md', 'SVM, greedy') / 1e6).toFixed(1),
      figure('training-speed.md', '`train --threads 1`').toFixed(1),
    ]);
    expect(readme).toContain(`(${figure('decoders.md', '`svm-hybrid`').toFixed(1)} by default)`);
    expect(readme).toContain(
      `(${(figure('labelling-speed.md', 'SVM, hybrid') / 1e6).toFixed(1)} million with the default decoder)`,
    );
    expect(readme).toContain(
      `LIBLINEAR takes ${figure('training-speed.md', 'LIBLINEAR, reading and writing included')} s`,
    );
    const size = (name: string) => statSync(join(root, `models/${name}.safetensors`)).size / 1e6;
    expect(readme).toContain(
      `Both models together have ${(size('english-pos') + size('english-chunk')).toFixed(1)} MB`,
    );
    expect(readme).toContain(`(${size('chinese-gsd').toFixed(1)} MB, traditional characters`);
  });

  it('labels raw text with the bundled models', () => {
    const [brackets, json, tags, names, ...others] = run(blocks('sh')[1], /^echo /);
    expect(names).toBe('[PER John Smith] works for [ORG Google] in [LOC London] .\n');
    expect(others).toEqual([]);
    expect(brackets).toBe("[NP Dr. Smith] [VP did n't sell] [NP his shares] .\n");
    expect(JSON.parse(json).chunks[0]).toMatchObject({
      type: 'NP',
      text: 'The dog',
      start: 0,
      endCodePoint: 7,
    });
    expect(tags).toBe('The/DT dog/NN slept/VBD ./.\n');
  });

  it('shows commands that run', () => {
    const outputs = run(blocks('sh')[2], /^node /);
    expect(outputs.length).toBeGreaterThan(5);
    expect(outputs[0]).toContain('FB1: 100.00');
    expect(outputs[2]).toMatch(/^\[NP\|0\.\d\d Confidence\] \[PP/);
    expect(outputs[5]).toMatch(/\n10 folds in /);
    expect(JSON.parse(readFileSync(join(folder, 'wide.json'), 'utf8')).folds).toHaveLength(10);
    expect(outputs[9]).toContain('B = other.txt: F 100.00');
    expect(outputs[10]).toContain('| paired randomisation of F | A ~ B |');
    expect(outputs[7]).toContain('4 combinations in ');
    expect(outputs[8]).toContain('wrote best.safetensors');
    expect(readFileSync(join(folder, 'errors.html'), 'utf8')).toContain('Errors by type');
    expect(readFileSync(join(folder, 'curve.svg'), 'utf8')).toContain('decoder=hybrid');
    expect(outputs[13]).toContain('mine: does F differ?');
    expect(outputs[3]).toContain('processed 5 tokens with 4 phrases; found: 4 phrases; correct: 4.');
  });

  it('segments and learns Chinese', () => {
    writeFileSync(join(folder, 'words.txt'), '我們  學習  中文  。\n他  在  學校  。\n'.repeat(12));
    writeFileSync(join(folder, 'gold.txt'), '我們 學習 中文 。\n');
    writeFileSync(join(folder, 'segmented.txt'), '我們 學習 中 文 。\n');
    expect(run(blocks('sh')[3], /^echo /)).toEqual(['他 在 臺灣 的 大學 學習 語言 。\n']);
    const [, model, files] = run(blocks('sh')[3], /^node /);
    expect(model).toContain('recall 100.00%; precision 100.00%; F 100.00');
    expect(files).toContain('recall 75.00%; precision 60.00%; F 66.67');
  });

  it('shows a program that prints what it says', () => {
    const [labelling, training] = blocks('ts').map((code) => {
      writeFileSync(join(folder, 'example.mjs'), code);
      return execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
    });
    expect(labelling).toBe([...blocks('ts')[0].matchAll(/^\/\/ (.*\n)/gm)].map((match) => match[1]).join(''));
    expect(training).toContain("[ 'B-NP', 'I-NP', 'B-VP' ]");
    expect(training).toContain('NP 0 2\nVP 2 3\n');
    expect(training.match(/^\[.*\]$/gm)).toHaveLength(2);
    expect(training).toContain('FB1: 100.00');
  });

  it('shows programs that compile, under the strictest settings too', () => {
    const names = blocks('ts').map((code, i) => {
      writeFileSync(join(folder, `example-${i}.mts`), code);
      return `example-${i}.mts`;
    });
    const strict =
      '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noPropertyAccessFromIndexSignature';
    const how = `--noEmit --module NodeNext --target ES2022 --typeRoots ${join(root, 'node_modules/@types')} --types node`;
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, ...strict.split(' '), ...how.split(' '), ...names], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('shows a template file that is read', () => {
    writeFileSync(join(folder, 'templates.txt'), blocks('text')[2]);
    const command =
      'node dist/cli/main.js train --task chunking --train train.txt --model t.st --templates templates.txt';
    expect(execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })).toContain(
      'trained on 12 sentences',
    );
  });
});
