import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import type { Decision } from '../../src/project/decisions.js';
import { MAIN } from '../cli/program.js';
import { decision } from '../project/store-contract.js';

/** How often the server is killed; more where somebody asks for it. */
const KILLS = Number(process.env.SPANWRIGHT_KILLS ?? 5);
const SEED = Number(process.env.SPANWRIGHT_SEED ?? 1);
const DECISIONS = 200;

const folder = mkdtempSync(join(tmpdir(), 'spanwright-durable-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function start(): Promise<{ server: ChildProcess; root: string }> {
  const server = spawn(process.execPath, [MAIN, 'serve', folder, '--port', '0']);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, root: `${/http:\S+/.exec(String(line))?.[0]}api/v1/projects` };
}

const send = (address: string, body: object, method = 'POST') =>
  fetch(address, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

it(`loses no decision that was acknowledged, killed ${KILLS} times at random points`, async () => {
  const random = new Random(SEED);
  const project = {
    id: 'durable',
    title: 'Durable',
    created: 1,
    guidelines: '',
    tokenizer: 'english',
    layers: [{ name: 'names', labels: ['PER'] }],
    strategy: 'mixed',
    overlap: 0,
  };
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { server, root } = await start();
    await send(`${root}/durable`, { project }, 'PUT');
    const journal = `${root}/durable/journal/ana`;
    const kept = ((await (await fetch(journal)).json()) as { decisions: Decision[] }).decisions;
    // All that was acknowledged is there, and nothing is there twice or in part.
    expect(kept.length).toBeGreaterThanOrEqual(acknowledged);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, i) => i + 1));
    expect(kept.every(({ ms, seq }) => ms === seq * 7)).toBe(true);
    let next = kept.length + 1;
    acknowledged = kept.length;
    setTimeout(() => server.kill('SIGKILL'), 20 + random.below(250));
    const most = kept.length + DECISIONS;
    try {
      while (next <= most) {
        const batch = Array.from({ length: 1 + random.below(3) }, (_, i) =>
          decision(next + i, { ms: (next + i) * 7 }),
        );
        const answer = await send(journal, { decisions: batch });
        expect(answer.status).toBe(200);
        next += batch.length;
        acknowledged = next - 1;
      }
    } catch (error) {
      // The server is gone in the middle of a request.
      if (!(error instanceof TypeError)) throw error;
    }
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }
  expect(acknowledged).toBeGreaterThan(0);
});
