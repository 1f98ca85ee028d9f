import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pipeline } from '../../src/label/pipeline.js';
import { loadModel } from '../../src/model/model-file.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Set where the browser must be there, so that its absence is a failure and no reason to skip. */
const required = process.env.SPANWRIGHT_CHROMIUM;
const executablePath = required ?? '/usr/bin/chromium';
const reason =
  required || existsSync(executablePath) ? '' : ` (skipped: no ${executablePath}; set SPANWRIGHT_CHROMIUM)`;

const TEXTS = [
  'Mr. Smith didn’t go to the U.S. on Jan. 5. "Why not?" he asked.',
  'Emoji 👩‍🚀🏽 and other symbols ☃,\u00a0no-break spaces\r\n\r\nand (new) paragraphs: $3.5 million!',
  '',
];

describe.skipIf(reason !== '')(`in Chromium${reason}`, () => {
  let server: ChildProcess;
  let address = '';

  beforeAll(async () => {
    server = spawn(process.execPath, ['examples/browser/serve.js', '0'], { cwd: root });
    address = await new Promise((resolve, reject) => {
      server.stdout?.once('data', (line) => resolve(/http:\S+/.exec(String(line))?.[0] ?? ''));
      server.stderr?.once('data', (text) => reject(new Error(String(text))));
    });
  });

  afterAll(() => {
    server.kill();
  });

  it.each([
    ['in a module worker', ''],
    ['on the page itself', '?worker=no'],
  ])('the bundled page loads the bundled models and finds %s the spans that Node finds', async (_, query) => {
    const browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
      ],
    });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${address}${query}`);
      // Nothing asks for memory that threads share, which few sites have.
      expect(await page.evaluate('crossOriginIsolated')).toBe(false);
      await page.locator('textarea:enabled').waitFor();
      const model = (name: string) => loadModel(readFileSync(`${root}/models/${name}.safetensors`));
      const pipeline = new Pipeline([model('english-pos'), model('english-chunk')]);
      for (const text of TEXTS) {
        const expected = pipeline.label(text);
        await page.locator('textarea').evaluate((input, value) => {
          const area = input as unknown as { value: string; dispatchEvent(event: unknown): void };
          area.value = value;
          area.dispatchEvent(new Event('input'));
        }, text);
        await page.locator('#status:not(:empty)').waitFor({ state: 'attached' });
        const marks = await page.locator('mark').evaluateAll((found) =>
          found.map((mark) => {
            const { dataset, textContent } = mark as unknown as {
              dataset: { type: string };
              textContent: string;
            };
            return { type: dataset.type, text: textContent };
          }),
        );
        // A text area turns CRLF into LF, which moves offsets, but no chunk and no word of it.
        expect(marks).toEqual(expected.chunks.map(({ type, text: covered }) => ({ type, text: covered })));
        expect(await page.locator('#status').textContent()).toMatch(
          new RegExp(`^${expected.tokens.length} tokens, ${expected.chunks.length} chunks`),
        );
      }
      expect(page.workers()).toHaveLength(query === '' ? 1 : 0);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
