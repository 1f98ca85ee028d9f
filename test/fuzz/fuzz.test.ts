import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'spanwright-fuzz-test-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fuzz(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    // Failing inputs go into the test's own folder.
    const env = { ...process.env, TMPDIR: folder };
    const child = execFile(process.execPath, [script, ...args], { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

describe('npm run fuzz', () => {
  it('finds nothing in a fixed short run', async () => {
    const { code, output } = await fuzz('--seed', '7', '--cases', '120');
    expect(output.split('\n').filter((line) => line.startsWith('FAILED'))).toEqual([]);
    expect(output).toMatch(/\n12\d cases, 0 failed/);
    expect(code).toBe(0);
  });

  it('runs one case again, and refuses a kind that there is not', async () => {
    const one = await fuzz('--seed', '7', '--only', 'predicted', '--case', '3');
    expect(one.output).toMatch(/^predicted +1 cases: .*\n1 cases, 0 failed/);
    expect(one.code).toBe(0);
    const none = await fuzz('--only', 'nothing');
    expect(none.output).toMatch(/^--only: expected columns, .*, found nothing\n$/);
    expect(none.code).toBe(2);
  });
});

describe('a target that is broken', () => {
  const kinds = join(folder, 'kinds.mjs');
  let result: { code: number; output: string };

  beforeAll(async () => {
    writeFileSync(
      kinds,
      `const input = Uint8Array.from('some bytes with an x in them', (letter) => letter.charCodeAt(0));
       export const makeInput = () => input;
       export const KINDS = {
         good: { check: () => 'accepted' },
         falls: { check: (bytes) => { if (bytes.includes(120)) undefined.length; return 'accepted'; } },
         loses: { check: (bytes) => {
           const tokens = String.fromCharCode(...bytes).split(' ').filter((token) => token !== '');
           const labelled = tokens.filter((token) => token !== 'an');
           if (labelled.length !== tokens.length) throw new Error(tokens.length + ' tokens in, ' + labelled.length + ' out');
           return 'accepted';
         } },
         hangs: { check: () => { for (;;) {} } },
         dies: { check: () => process.exit(3) },
       };`,
    );
    result = await fuzz('--kinds', pathToFileURL(kinds).href, '--cases', '5', '--patience', '500');
  });

  /** The file that a failing input was kept in. */
  const keptInput = (kind: string) => {
    const path = new RegExp(`: (\\S+/${kind}-0)\\n`).exec(result.output)?.[1];
    return readFileSync(String(path), 'latin1');
  };

  it('ends the run with exit code 1 and the right counts, after the other kinds', () => {
    expect(result.code).toBe(1);
    expect(result.output).toContain('good            1 cases: 1 accepted, 0 refused, 0 failed');
    expect(result.output).toContain('5 cases, 4 failed');
  });

  it('that falls over is reported with its smallest input', () => {
    expect(result.output).toMatch(/FAILED falls, case 0 \(--seed 1 --only falls --case 0\): TypeError/);
    expect(result.output).toMatch(/28 bytes, 1 when made smaller/);
    expect(keptInput('falls')).toBe('x');
  });

  it('that loses a token is reported with its smallest input', () => {
    expect(result.output).toContain(
      'FAILED loses, case 0 (--seed 1 --only loses --case 0): Error: 7 tokens in, 6 out',
    );
    expect(keptInput('loses')).toBe('an');
  });

  it('that hangs or dies is reported, its input kept, its thread replaced', () => {
    expect(result.output).toContain(
      'FAILED hangs, case 0 (--seed 1 --only hangs --case 0): no answer in 0.5 s',
    );
    expect(keptInput('hangs')).toBe('some bytes with an x in them');
    expect(result.output).toContain(
      'FAILED dies, case 0 (--seed 1 --only dies --case 0): the thread died: 3',
    );
    expect(keptInput('dies')).toBe('some bytes with an x in them');
  });
});
