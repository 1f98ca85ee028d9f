import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN } from '../cli/program.js';
import { annotate, texts } from './annotator.js';
import { expectAccessible, skipped, startChromium, watch } from './studio.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const ROWS = 'The DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n. . O\n\n';

describe.skipIf(skipped !== '')(`the static page, in Chromium${skipped}`, () => {
  const site = mkdtempSync(join(tmpdir(), 'spanwright-site-'));
  let server: Server;
  let browser: Browser;
  let address = '';
  beforeAll(async () => {
    execFileSync(process.execPath, [MAIN, 'serve', '--export', site]);
    // A plain file server below a path, as pages of projects have it.
    server = createServer(({ url = '' }, response) => {
      const path = join(
        site,
        url
          .split(/[?#]/)[0]
          .replace(/^\/pages\/mine\/$/, 'index.html')
          .replace(/^\/pages\/mine\//, ''),
      );
      if (!existsSync(path)) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
      createReadStream(path).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pages/mine/`;
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(site, { recursive: true });
  });

  it('labels, trains and keeps annotations in the browser, also when the tab is closed at once', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems = watch(page, address);
    await page.goto(address);
    await page.locator('#labelled mark').first().waitFor();
    await page.goto(`${address}#/projects`);
    await page.locator('input[name=title]').fill('Here');
    await page.locator('input[name=labels]').fill('PER LOC');
    await page
      .locator('form input[type=file]')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(texts(12)) });
    await page.locator('button[type=submit]').click();
    await page.locator('a.main', { hasText: 'Annotate' }).click();
    await page.locator('.current').waitFor();
    for (let i = 0; i < 3; i++) await annotate(page, ['PER', 'LOC']);
    await page.locator('.saving', { hasText: 'Saved' }).waitFor();
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await again.goto(`${address}#/annotate/here`);
    await again.locator('.progress', { hasText: '3 of 12 sentences' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('trains on a dropped file, tells bad lines, shows errors and compares', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } });
    const problems = watch(page, address);
    const give = (content: string, name = 'train.txt') =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
    await page.goto(`${address}#/train`);
    await page.locator('form').waitFor();
    await give('{"text": "Ana ran.", "spans": []}\n{"text": 3}\n', 'bad.jsonl');
    await page
      .locator('.problems li', { hasText: 'bad.jsonl:2: expected a string "text", found 3' })
      .waitFor();
    await give(ROWS.repeat(40));
    await page.locator('.file-facts', { hasText: '40 sentences, 160 tokens, columns pos' }).waitFor();
    await page.locator('button', { hasText: 'Train' }).click();
    await page.locator('pre', { hasText: 'FB1: 100.00' }).waitFor();
    await page.locator('summary', { hasText: 'All options' }).click();
    await expectAccessible(page);
    await page.goto(`${address}#/errors`);
    await give(`${ROWS.repeat(3)}${ROWS.replace('VBZ B-VP', 'VBZ B-PP')}`);
    await page.locator('.file-facts').waitFor();
    await page.locator('select').nth(1).selectOption('my-model');
    await page.locator('button', { hasText: 'Look at its errors' }).click();
    await page.locator('.confusions button', { hasText: '1' }).click();
    expect(await page.locator('.differing li').count()).toBe(1);
    await expectAccessible(page);
    await page.goto(`${address}#/compare`);
    await give(ROWS.repeat(3));
    await page.locator('.file-facts').waitFor();
    await page.locator('select').nth(1).selectOption('english-chunk');
    await page.locator('select').nth(2).selectOption('my-model');
    await page.locator('button', { hasText: /^Compare$/ }).click();
    await page.locator('[role=status]', { hasText: 'paired randomisation' }).waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('keeps the contract of stores in the browser’s database', async () => {
    const entry = `
      import { STORE_CONTRACT } from './test/project/store-contract.ts';
      import { IndexedStore } from './studio/store/indexed-store.ts';
      globalThis.keepContract = async () => {
        const problems = [];
        for (const [name, keeps] of Object.entries(STORE_CONTRACT)) {
          await keeps(async (own) => new IndexedStore(own)).catch((error) => problems.push(name + ': ' + error.message));
        }
        return [Object.keys(STORE_CONTRACT).length, problems];
      };`;
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const { outputFiles } = buildSync({
      stdin: { contents: entry, resolveDir: root },
      bundle: true,
      format: 'iife',
      tsconfig: join(root, 'studio/tsconfig.json'),
      write: false,
    });
    const page = await browser.newPage();
    await page.goto(`${address}icon.svg`);
    await page.evaluate(outputFiles[0].text);
    expect(await page.evaluate('keepContract()')).toEqual([5, []]);
    await page.close();
  });
});
