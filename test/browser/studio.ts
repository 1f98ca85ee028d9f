import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { MAIN } from '../cli/program.js';

/** Set where the browser must be there, so that its absence is a failure and no reason to skip. */
const required = process.env.SPANWRIGHT_CHROMIUM;
const executablePath = required ?? '/usr/bin/chromium';

/** Why the tests are skipped; empty where they are not. */
export const skipped =
  required || existsSync(executablePath) ? '' : ` (skipped: no ${executablePath}; set SPANWRIGHT_CHROMIUM)`;

/** Starts Chromium. */
export function startChromium(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args });
}

/** A server that runs. */
export interface Studio {
  /** Its process. */
  readonly process: ChildProcess;
  /** Its address, which ends in a slash. */
  readonly address: string;
}

/** Starts `spanwright serve` on a free port. */
export async function startStudio(...args: readonly string[]): Promise<Studio> {
  const server = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args]);
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (line) => {
      const found = /http:\S+/.exec(String(line))?.[0];
      if (found) resolve(found);
    });
    server.stderr.once('data', (text) => reject(new Error(String(text))));
  });
  return { process: server, address };
}

/** Problems of a page: errors, refusals of its content policy, requests to other origins. */
export function watch(page: Page, address: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) problems.push(`request to ${url}`);
  });
  return problems;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asserts that axe finds nothing on a page. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's own policy forbids scripts of strings; what the debugger evaluates is no such script.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await engine.run();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`,
    );
  });
  expect(found).toEqual([]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
}
