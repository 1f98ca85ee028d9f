import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { MAIN } from '../cli/program.js';

/** Requests that are sent; more where somebody asks for it. */
const REQUESTS = Number(process.env.SPANWRIGHT_REQUESTS ?? 150);
const SEED = Number(process.env.SPANWRIGHT_SEED ?? 1);
/** Most megabytes that the server may have. */
const MOST_MEMORY = 900;

const folder = mkdtempSync(join(tmpdir(), 'spanwright-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Hostile {
  /** What goes over the wire. */
  readonly bytes: string;
  /** Statuses that are right; 0: the connection ends without one. */
  readonly statuses: readonly number[];
}

const JSON_TYPE = 'content-type: application/json\r\n';
const BAD = [400, 403, 404, 405, 413, 415, 431, 0];

/** Makers of requests that nobody should send. */
const KINDS: readonly ((random: Random, host: string) => Hostile)[] = [
  // Paths that lead out of folders.
  (random, host) => {
    const part = ['..', '%2e%2e', '..%2f', '%00', '....//', '\\..\\', '%c0%ae', 'a'.repeat(300), '~', 'CON'][
      random.below(10)
    ];
    const root = [
      '/',
      '/api/v1/models/',
      '/api/v1/projects/',
      '/api/v1/projects/p/documents/',
      '/api/v1/projects/p/journal/',
    ][random.below(5)];
    const tail = ['', '/file', '/../../etc/passwd', '/journal/me', '/documents'][random.below(5)];
    return {
      bytes: `GET ${root}${part}${tail} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      statuses: BAD,
    };
  },
  // Hosts that are not this one.
  (random, host) => {
    const wrong = [
      'evil.example',
      `evil.example:${host.split(':')[1]}`,
      '127.0.0.1.evil.example',
      '0.0.0.0',
      '[::]',
      '',
      'localhost@evil.example',
      '169.254.0.1',
    ][random.below(8)];
    return {
      bytes: `GET /api/v1/projects HTTP/1.1\r\nhost: ${wrong}\r\nconnection: close\r\n\r\n`,
      statuses: [400, 403],
    };
  },
  // Pages of other origins.
  (random, host) => {
    const origin = [
      'http://evil.example',
      'null',
      'https://localhost',
      `http://${host}.evil.example`,
      'file://',
      `http://${host}\t`,
    ][random.below(6)];
    const body = '{"project":{}}';
    return {
      bytes: `PUT /api/v1/projects/p HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\n${JSON_TYPE}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      statuses: [400, 403],
    };
  },
  // Content types of forms.
  (random, host) => {
    const type = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
      'text/plain; application/json',
    ][random.below(5)];
    return {
      bytes: `POST /api/v1/label HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${type}\r\ncontent-length: 12\r\nconnection: close\r\n\r\n{"text":"a"}`,
      statuses: [400, 415],
    };
  },
  // Bodies that are longer than they may be, or than they say.
  (random, host) => {
    const length = [99_999_999, 4_294_967_296, -1, 1e15][random.below(4)];
    return {
      bytes: `POST /api/v1/label HTTP/1.1\r\nhost: ${host}\r\n${JSON_TYPE}content-length: ${length}\r\nconnection: close\r\n\r\n{"text":"`,
      statuses: [400, 413, 0],
    };
  },
  // JSON that is none, nests deep, or holds other things.
  (random, host) => {
    const bodies = [
      '{',
      '[]',
      'null',
      '"a"',
      '{"text":1}',
      '{"text":"a","__proto__":{"x":1}}',
      `${'['.repeat(20_000)}`,
      '{"text":"a","model":"../../x"}',
      '{"text":"a","kbest":1e9}',
      '{"text":"\\ud800","model":3}',
      '\u0000',
      '{"text":"a","text":2}',
    ];
    const body = bodies[random.below(bodies.length)];
    return {
      bytes: `POST /api/v1/${['label', 'explain'][random.below(2)]} HTTP/1.1\r\nhost: ${host}\r\n${JSON_TYPE}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      statuses: [400, 404],
    };
  },
  // Journals and documents with other things in them.
  (random, host) => {
    const bodies = [
      '{"decisions":[]}',
      '{"decisions":[{"seq":1}]}',
      '{"decisions":[{"seq":1,"time":1,"doc":"../x","sentence":0,"layer":"l","kind":"skip"}]}',
      '{"decisions":[{"seq":7,"time":1,"doc":"x","sentence":0,"layer":"l","kind":"skip"}]}',
      '{"decisions":[{"seq":1,"time":1,"doc":"x","sentence":-1,"layer":"l","kind":"add","span":{"start":5,"end":1,"type":"x"}}]}',
      '{"documents":[{"id":"../../x","title":"x","text":"x","sentences":"1","tokens":"01"}]}',
      '{"documents":[{"id":"x","title":"x","text":"x","sentences":"999","tokens":"zz"}]}',
    ];
    const body = bodies[random.below(bodies.length)];
    const path = ['p/journal/me', '../p/journal/me', 'p/journal/..', 'q/journal/me', 'p/documents'][
      random.below(5)
    ];
    return {
      bytes: `POST /api/v1/projects/${path} HTTP/1.1\r\nhost: ${host}\r\n${JSON_TYPE}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      statuses: [400, 403, 404, 409],
    };
  },
  // Heads that are no HTTP, or two things at once.
  (random, host) => {
    const heads = [
      'GET / HTTP/9.9\r\n\r\n',
      'NONSENSE\r\n\r\n',
      `GET /api/v1/models HTTP/1.1\r\nhost: ${host}\r\nhost: evil.example\r\nconnection: close\r\n\r\n`,
      `POST /api/v1/label HTTP/1.1\r\nhost: ${host}\r\n${JSON_TYPE}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
      `GET /nothing HTTP/1.1\r\nhost: ${host}\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
      `GET /nothing HTTP/1.1\r\nhost: ${host}\r\n${'x: y\r\n'.repeat(3000)}\r\n`,
      `GET /nothing HTTP/1.1\r\nhost: ${host}\r\nx: a\u0000b\r\n\r\n`,
      `BREW /api/v1/label HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      `DELETE /api/v1/projects/p HTTP/1.1\r\nhost: ${host}\r\n${JSON_TYPE}connection: close\r\n\r\n`,
      '\r\n\r\n\r\n',
    ];
    return { bytes: heads[random.below(heads.length)], statuses: [...BAD, 411, 501, 505] };
  },
];

/** Sends bytes, and gives the status of the answer; 0 where there is none. */
function send(port: number, bytes: string, isSlow: boolean): Promise<number> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (isSlow) {
        // A part, and then nothing more.
        socket.write(bytes.slice(0, Math.floor(bytes.length / 2)));
        setTimeout(() => socket.destroy(), 100);
      } else socket.write(bytes);
    });
    socket.setTimeout(1500, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data;
      if (/^HTTP\/1\.1 \d+/.test(answer)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  });
}

it(`answers ${REQUESTS} hostile requests as it should, and goes on`, async () => {
  mkdirSync(join(folder, 'data'));
  const server = spawn(process.execPath, [MAIN, 'serve', join(folder, 'data'), '--port', '0']);
  const problems: string[] = [];
  server.stderr.on('data', (data) => problems.push(String(data)));
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const port = Number(/:(\d+)\//.exec(String(line))?.[1]);
  const host = `127.0.0.1:${port}`;
  const wrong: string[] = [];
  const random = new Random(SEED);
  const all = Array.from({ length: REQUESTS }, () => {
    const kind = random.below(KINDS.length);
    return { ...KINDS[kind](random, host), isSlow: random.below(8) === 0 };
  });
  // Several at a time, as an attacker would.
  const next = all.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const { bytes, statuses, isSlow } of next) {
        const status = await send(port, bytes, isSlow);
        if (status !== 0 || !isSlow)
          if (!statuses.includes(status)) wrong.push(`${status}: ${bytes.slice(0, 200)}`);
      }
    }),
  );
  expect(wrong).toEqual([]);
  const answer = await fetch(`http://${host}/api/v1/projects`);
  expect(await answer.json()).toEqual({ projects: [] });
  const memory =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  expect(memory).toBeLessThan(MOST_MEMORY);
  expect(readdirSync(folder)).toEqual(['data']);
  expect(readdirSync(join(folder, 'data'))).toEqual([]);
  expect(problems).toEqual([]);
  server.kill();
});
