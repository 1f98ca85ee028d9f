import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'spanwright-fuzz-test-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fuzz(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args], (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

describe('npm run fuzz', () => {
  it('finds nothing in a fixed short run', async () => {
    const { code, output } = await fuzz('--seed', '7', '--cases', '360');
    expect(output).toMatch(/\n360 cases, 0 failed/);
    expect(code).toBe(0);
  });

  it('notices what falls over, hangs, or dies, and keeps the smallest input', async () => {
    const kinds = join(folder, 'kinds.mjs');
    writeFileSync(
      kinds,
      `const input = Uint8Array.from('some bytes with an x in them', (letter) => letter.charCodeAt(0));
       export const makeInput = () => input;
       export const KINDS = {
         good: { check: () => 'accepted' },
         falls: { check: (bytes) => { if (bytes.includes(120)) undefined.length; return 'accepted'; } },
         hangs: { check: () => { for (;;) {} } },
         dies: { check: () => process.exit(3) },
       };`,
    );
    const args = ['--kinds', pathToFileURL(kinds).href, '--cases', '4', '--patience', '500'];
    const { code, output } = await fuzz(...args);
    expect(code).toBe(1);
    expect(output).toContain('good            1 cases: 1 accepted, 0 refused, 0 failed');
    expect(output).toMatch(/FAILED falls, case 0 \(--seed 1 --only falls --case 0\): TypeError/);
    expect(output).toMatch(/28 bytes, 1 when made smaller/);
    expect(output).toContain('FAILED hangs, case 0 (--seed 1 --only hangs --case 0): no answer in 0.5 s');
    expect(output).toContain('FAILED dies');
    expect(output).toContain('4 cases, 3 failed');
  });
});
