import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotate, NAMES, shown, texts } from './annotator.js';
import { expectAccessible, type Studio, skipped, startChromium, startStudio, watch } from './studio.js';

const LABELS = ['PER', 'LOC'];

describe.skipIf(skipped !== '')(`annotation, in Chromium${skipped}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'spanwright-studio-'));
  let studio: Studio;
  let browser: Browser;
  beforeAll(async () => {
    [studio, browser] = await Promise.all([startStudio(folder), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    studio?.process.kill();
    rmSync(folder, { recursive: true });
  });

  const newProject = async (page: Page, title: string, name: string, content: string, isGold = false) => {
    await page.goto(`${studio.address}#/projects`);
    await page.locator('input[name=title]').fill(title);
    await page.locator('input[name=labels]').fill(LABELS.join(' '));
    if (isGold) await page.locator('input[name=gold]').check();
    await page
      .locator('form input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
    await page.locator('button[type=submit]').click();
    await page.locator('h1', { hasText: title }).waitFor();
  };

  const exported = async (page: Page): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('button', { hasText: 'Export' }).click(),
    ]);
    return readFileSync(await download.path(), 'utf8');
  };

  it('goes by keys alone, learns, survives a reload, can be undone, and comes out and in again the same', async () => {
    const page = await browser.newPage();
    const problems = watch(page, studio.address);
    await newProject(page, 'Journey', 'texts.txt', texts(40));
    await page.locator('a.main', { hasText: 'Annotate' }).click();
    await page.locator('.current').waitFor();
    await expectAccessible(page);
    const keys: number[] = [];
    for (let i = 0; i < 30; i++) {
      keys.push(await annotate(page, LABELS));
      await page.locator('.progress', { hasText: `${i + 1} of 40 sentences` }).waitFor();
      // The model is there when the next sentence is.
      if (i >= 5) await page.locator('.model-note', { hasText: `model of ${i + 1} sentences` }).waitFor();
    }
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    expect(sum(keys.slice(20))).toBeLessThan(sum(keys.slice(0, 10)) / 2);
    await page.locator('.saving', { hasText: 'Saved' }).waitFor();
    await page.reload();
    await page.locator('.progress', { hasText: '30 of 40 sentences' }).waitFor();
    await page.locator('.rows').focus();
    await page.keyboard.press('Control+z');
    await page.locator('.progress', { hasText: '29 of 40 sentences' }).waitFor();
    const { tokens } = await shown(page);
    expect(tokens.filter(({ type }) => type !== undefined).map(({ text }) => NAMES.has(text))).not.toContain(
      false,
    );
    await page.keyboard.press('Control+y');
    await page.locator('.progress', { hasText: '30 of 40 sentences' }).waitFor();
    await page.locator('.saving', { hasText: 'Saved' }).waitFor();
    await page.goto(`${studio.address}#/projects/journey`);
    const first = await exported(page);
    const spans = (
      JSON.parse(first) as { text: string; spans: { start: number; end: number; label: string }[] }
    ).spans;
    const { text } = JSON.parse(first) as { text: string };
    expect(spans).toHaveLength(90);
    expect(spans.filter(({ start, end, label }) => NAMES.get(text.slice(start, end)) !== label)).toEqual([]);
    // Somebody else disagrees on one sentence.
    await page.locator('input[pattern]').fill('zoe');
    await page.locator('input[pattern]').blur();
    await page.goto(`${studio.address}#/annotate/journey`);
    await page.locator('.progress', { hasText: '0 of 40 sentences' }).waitFor();
    await page.locator('.rows').focus();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.locator('.progress', { hasText: '1 of 40 sentences' }).waitFor();
    await page.locator('.saving', { hasText: 'Saved' }).waitFor();
    await page.goto(`${studio.address}#/projects/journey`);
    await page.locator('button', { hasText: 'Measure' }).click();
    await page.locator('td', { hasText: 'me, zoe' }).waitFor();
    await page.locator('td button', { hasText: '1' }).click();
    expect(await page.locator('.differing li').count()).toBe(1);
    await page.locator('input[pattern]').fill('me');
    await page.locator('input[pattern]').blur();
    await newProject(page, 'Again', 'journey.jsonl', first, true);
    expect(await exported(page)).toBe(first);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('moves bounds by tokens and characters, labels equal strings, marks, comments and shows the keys', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
    await newProject(
      page,
      'Bounds',
      'texts.txt',
      'Ana saw 他在臺灣 Ana 👩‍🚀x.\n\nThen Ana ran.\n\nBob saw Ana.',
    );
    await page.goto(`${studio.address}#/annotate/bounds`);
    await page.locator('.current').waitFor();
    const press = async (...all: string[]) => {
      for (const key of all) await page.keyboard.press(key);
    };
    const marks = () =>
      page
        .locator('.current mark')
        .evaluateAll((all) => all.map((mark) => (mark as unknown as { textContent: string }).textContent));
    await press('1', 'Shift+ArrowRight');
    expect(await marks()).toEqual(['Ana saw PER']);
    await press('Shift+ArrowLeft', 'Alt+Shift+ArrowLeft');
    expect(await marks()).toEqual(['An PER']);
    await press('Control+z');
    expect(await marks()).toEqual(['Ana PER']);
    await press('r');
    await page.locator('dialog button', { hasText: 'Label 4' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('mark').count()).toBe(4);
    await press('Control+z');
    await page.waitForTimeout(50);
    expect(await page.locator('mark').count()).toBe(1);
    await press('f', 'c');
    await page.locator('dialog textarea').fill('Why? <b>');
    await page.locator('dialog button', { hasText: 'Save' }).click();
    await page.locator('.said', { hasText: 'Why? <b>' }).waitFor();
    await press('l');
    await page.keyboard.type('lo');
    await press('Enter');
    expect(await marks()).toEqual(['Ana LOC']);
    await press('?');
    await page.locator('dialog table.keys').waitFor();
    await expectAccessible(page);
    await press('Escape');
    await press('Space');
    await page.locator('.progress', { hasText: '1 of 3 sentences' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${studio.address}#/projects`);
    await page.locator('.projects').first().waitFor();
    await expectAccessible(page);
    await page.goto(`${studio.address}#/projects/bounds`);
    await page.locator('h2', { hasText: 'Export' }).waitFor();
    await expectAccessible(page);
    await page.close();
  });
});
