import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './cli/corpus.js';
import { MAIN, run, Workspace } from './cli/program.js';

const workspace = new Workspace();
const guide = readFileSync(new URL('../docs/guide/scale.md', import.meta.url), 'utf8');
const recipes = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]);

/** Runs the recipe that holds a text, as it stands in the guide. */
function follow(text: string): void {
  const recipe = recipes.find((one) => one.includes(text));
  if (recipe === undefined) throw new Error(`no recipe with ${text}`);
  const env = { ...process.env, PATH: `${workspace.folder}${delimiter}${process.env.PATH}` };
  execFileSync('sh', ['-e', '-c', recipe], { cwd: workspace.folder, env, stdio: 'pipe' });
}

describe('the guide to more than one machine', () => {
  const inputs = ['corpus/a.txt', 'corpus/b.txt'];
  let model: string;
  beforeAll(async () => {
    model = await workspace.train('chunker.safetensors', corpusText(corpus(60)));
    mkdirSync(workspace.path('corpus'));
    inputs.forEach((name, i) => {
      workspace.write(name, corpusText(corpus(20, i + 2), [0, 1]));
    });
    workspace.write('spanwright', `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    execFileSync('chmod', ['+x', workspace.path('spanwright')]);
  });

  it('has a job that gives what label gives', async () => {
    follow('spanwright job plan');
    const { stdout } = await run(['label', '--model', model, ...inputs.map((name) => workspace.path(name))]);
    expect(readFileSync(workspace.path('labelled.txt'), 'utf8')).toBe(stdout);
  });

  it('labels file by file with xargs', async () => {
    follow('xargs');
    for (const name of inputs) {
      const { stdout } = await run(['label', '--model', model, workspace.path(name)]);
      expect(readFileSync(workspace.path(`${name}.labelled`), 'utf8')).toBe(stdout);
    }
  });
});
