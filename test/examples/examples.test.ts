import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/model-file.js';
import { Tagger } from '../../src/tag/tagger.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'spanwright-examples-'));
const run = promisify(execFile);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs an example that is TypeScript; what it prints. */
async function runBundled(example: string, ...args: string[]): Promise<string> {
  const script = join(folder, `${example}.mjs`);
  await build({
    entryPoints: [join(root, 'examples', example)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    logLevel: 'error',
  });
  return (await run(process.execPath, [script, ...args], { cwd: root })).stdout;
}

describe('examples', () => {
  it('label-text.js prints chunks with offsets into its text', async () => {
    const text = 'The 🦊 sleeps. It won’t wake.';
    const { stdout } = await run(process.execPath, ['examples/label-text.js', text], { cwd: root });
    const [summary, ...lines] = stdout.trimEnd().split('\n');
    expect(summary).toBe('2 sentences, 9 tokens');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const [, start, end, covered] = /(\d+)–(\d+) (".*") \(/.exec(line) ?? [];
      expect(text.slice(Number(start), Number(end))).toBe(JSON.parse(covered));
    }
  });

  it('correct.ts learns a corrected sentence', async () => {
    const [before, after] = (await runBundled('correct.ts')).split('\n');
    expect(before).toMatch(/^before: \[/);
    expect(before).not.toContain('[VP Patch]');
    expect(after).toBe('after: [VP Patch] [NP the kernel] [ADVP asap]');
  });

  it('train.ts trains, scores and saves a model', async () => {
    const file = join(folder, 'model.safetensors');
    const stdout = await runBundled('train.ts', file);
    expect(stdout).toContain('processed 3 tokens with 3 phrases; found: 3 phrases; correct: 3.');
    expect(stdout).toContain('QUANTITY: tokens 1 to 1');
    const tagger = new Tagger(loadModel(readFileSync(file)));
    expect(tagger.label({ word: ['Order', 'two', 'salads'] }).tags).toEqual([
      'B-ACTION',
      'B-QUANTITY',
      'B-ITEM',
    ]);
  });
});

describe('npm run demo, after the build', () => {
  const demo = (args: string[], input?: string) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, ['scripts/demo.js', ...args], {
        cwd: root,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}`))));
      child.stdin?.end(input);
    });

  it('labels its own examples, the text given, or what is piped in, and says what to try next', async () => {
    const plain = (output: string) =>
      output
        .split('\n\n')[0]
        .replace(/\[[A-Z]+ |\]|\n */g, ' ')
        .replace(/ +/g, ' ');
    const [own, given, piped] = await Promise.all([
      demo([]),
      demo(['A dog', 'barks.']),
      demo([], 'A cat sleeps.\n'),
    ]);
    expect(own.replace(/\s+/g, ' ')).toContain('[NP St. Louis]');
    expect(own).toContain('{"type":"NP","text":"Dr. Ada Lovelace","start":0,"end":16}');
    expect(plain(given).trim()).toBe('A dog barks .');
    expect(plain(piped).trim()).toBe('A cat sleeps .');
    for (const output of [own, given, piped]) expect(output).toContain('What to try next:');
  });
});
