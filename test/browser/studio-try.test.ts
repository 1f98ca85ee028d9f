import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pipeline } from '../../src/label/pipeline.js';
import { loadModel } from '../../src/model/model-file.js';
import { expectAccessible, type Studio, skipped, startChromium, startStudio, watch } from './studio.js';

const TEXTS: readonly (readonly [model: string, text: string])[] = [
  [
    'english-chunk',
    'Mr. Smith didn’t go to the U.S. on Jan. 5. "Why not?" <script>alert(1)</script> he asked.',
  ],
  ['english-pos', 'Emoji 👩‍🚀🏽 and symbols ☃,\u00a0no-break spaces\n\nand (new) paragraphs: $3.5 million!'],
  ['chinese-gsd', '他在臺灣的大學學習語言。'],
  ['english-chunk', 'ذهبت Anna إلى the market أمس.'],
];

describe.skipIf(skipped !== '')(`the view Try, in Chromium${skipped}`, () => {
  let studio: Studio;
  let browser: Browser;
  beforeAll(async () => {
    [studio, browser] = await Promise.all([startStudio(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    studio?.process.kill();
  });

  it('shows what the models find, explains it, and sends no text anywhere', async () => {
    const page = await browser.newPage();
    const problems = watch(page, studio.address);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await page.goto(studio.address);
    await page.locator('#status').waitFor();
    for (const [model, text] of TEXTS) {
      await page.locator('select').nth(1).selectOption(model);
      await page.locator('textarea').fill(text);
      const names = model === 'english-chunk' ? ['english-pos', model] : [model];
      const pipeline = new Pipeline(
        names.map((name) => loadModel(readFileSync(`models/${name}.safetensors`))),
      );
      const { tokens, chunks } = pipeline.label(text);
      const expected =
        model === 'english-pos'
          ? tokens.map((own) => ({ type: own.tag, text: own.text }))
          : chunks.map((own) => ({ type: own.type, text: own.text }));
      await page
        .locator('#status', { hasText: `${tokens.length} tokens, ${expected.length} spans` })
        .waitFor();
      const marks = page.locator('#labelled mark');
      const found = await marks.evaluateAll((all) =>
        all.map((mark) => {
          const { dataset, firstElementChild } = mark as unknown as {
            dataset: { type: string };
            firstElementChild: { textContent: string };
          };
          return { type: dataset.type, text: firstElementChild.textContent };
        }),
      );
      expect(found).toEqual(expected);
      // The address leads to the same text.
      const hash = new URL(page.url()).hash.split('?')[1];
      expect(Object.fromEntries(new URLSearchParams(hash))).toEqual({ model, text });
      await marks.first().click();
      await page.locator('.details tbody tr').first().waitFor();
    }
    expect(sent).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('is accessible in %s colours, %d pixels wide', async (colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    await page.goto(`${studio.address}#/try`);
    await page.locator('#labelled mark').first().click();
    await page.locator('.details tbody tr').first().waitFor();
    await page.locator('summary', { hasText: 'as code' }).click();
    await expectAccessible(page);
    await page.close();
  });
});
