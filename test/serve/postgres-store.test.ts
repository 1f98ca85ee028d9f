import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresStore } from '../../src/serve/postgres-store.js';
import { MAIN } from '../cli/program.js';
import { decision, STORE_CONTRACT } from '../project/store-contract.js';

const VERSIONS = '/usr/lib/postgresql';
const version = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort().at(-1) : undefined;
const reason = version === undefined ? ` (skipped: no PostgreSQL under ${VERSIONS})` : '';

/** The account that PostgreSQL runs as: it refuses to run as root. */
function accountOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  return { uid, gid };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

describe.skipIf(reason !== '')(`a store in PostgreSQL${reason}`, () => {
  const bin = (name: string) => join(VERSIONS, version ?? '', 'bin', name);
  const folder = mkdtempSync(join(tmpdir(), 'spanwright-postgres-'));
  const data = join(folder, 'data');
  let account: ReturnType<typeof accountOf>;
  let port = 0;
  const run = (name: string, ...args: readonly string[]) => {
    const { status, stderr } = spawnSync(bin(name), args, { ...account, cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
  };
  const address = (database: string) => `postgres://tester@127.0.0.1:${port}/${database}`;

  beforeAll(async () => {
    account = accountOf();
    port = await freePort();
    if (account) chownSync(folder, account.uid, account.gid);
    run(
      'initdb',
      '--pgdata',
      data,
      '--username',
      'tester',
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--no-sync',
    );
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
    run('pg_ctl', 'start', '--wait', '--pgdata', data, '--options', settings, '--log', join(folder, 'log'));
  });
  afterAll(() => {
    run('pg_ctl', 'stop', '--mode', 'immediate', '--pgdata', data);
    rmSync(folder, { recursive: true });
  });

  const created = new Set<string>();
  const database = (name: string) => {
    if (!created.has(name)) run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'tester', name);
    created.add(name);
    return address(name);
  };

  it.each(Object.entries(STORE_CONTRACT))('%s', async (_, keeps) => {
    await keeps((name) => PostgresStore.open(database(name)));
  });

  it('loses nothing of two servers and ten annotators at once', async () => {
    const where = database('team');
    const servers = [0, 1].map(() =>
      spawn(process.execPath, [MAIN, 'serve', '--store', where, '--port', '0'], { cwd: process.cwd() }),
    );
    try {
      const roots = await Promise.all(
        servers.map(
          (server) =>
            new Promise<string>((resolve, reject) => {
              server.stdout.once('data', (line) =>
                resolve(`${/http:\S+/.exec(String(line))?.[0]}api/v1/projects/team`),
              );
              server.stderr.once('data', (text) => reject(new Error(String(text))));
            }),
        ),
      );
      const headers = { 'content-type': 'application/json' };
      const project = {
        id: 'team',
        title: 'Team',
        created: 1,
        guidelines: '',
        tokenizer: 'english',
        layers: [{ name: 'names', labels: ['PER'] }],
        strategy: 'mixed',
        overlap: 0,
      };
      await fetch(roots[0], { method: 'PUT', headers, body: JSON.stringify({ project }) });
      const people = Array.from({ length: 10 }, (_, p) => `person-${p}`);
      await Promise.all(
        people.map(async (name, p) => {
          for (let seq = 1; seq <= 20; seq++) {
            const body = JSON.stringify({ decisions: [decision(seq)] });
            const answer = await fetch(`${roots[(p + seq) % 2]}/journal/${name}`, {
              method: 'POST',
              headers,
              body,
            });
            expect(answer.status).toBe(200);
          }
        }),
      );
      // Two at once, on two servers: one is told to look again.
      const body = JSON.stringify({ decisions: [decision(21)] });
      const both = await Promise.all(
        roots.map((root) => fetch(`${root}/journal/person-0`, { method: 'POST', headers, body })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const store = await PostgresStore.open(where);
      for (const name of people)
        expect((await store.journal('team', name)).length).toBe(name === 'person-0' ? 21 : 20);
      await store.close();
    } finally {
      for (const server of servers) server.kill();
    }
  });

  it('is refused in a sentence where no database answers', async () => {
    await expect(PostgresStore.open(`postgres://tester@127.0.0.1:1/none`)).rejects.toThrow(
      /^--store: expected a database that answers: /,
    );
  });
});
