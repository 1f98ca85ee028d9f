import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Pipeline } from '../../src/label/pipeline.js';
import { loadModel } from '../../src/model/model-file.js';
import { isLoopback } from '../../src/serve/listen.js';
import { TokenFile } from '../../src/serve/tokens.js';
import { request, testApp } from './app.js';

const app = testApp();
const TEXT = 'The dog didn’t bark 🦊. She slept.';

interface Problem {
  error: { code: string; message: string };
}

async function refused(answer: Response | Promise<Response>): Promise<{ status: number } & Problem['error']> {
  const { status, headers, ...rest } = await answer;
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  void rest;
  const { error } = (await (await answer).json()) as Problem;
  return { status, ...error };
}

describe('the HTTP interface', () => {
  it('labels a text as a pipeline does', async () => {
    const model = (name: string) => loadModel(readFileSync(`models/${name}.safetensors`));
    const expected = new Pipeline([model('english-pos'), model('english-chunk')]).label(TEXT);
    const answer = await app.fetch(request('/api/v1/label', { text: TEXT, kbest: 2 }));
    expect(answer.status).toBe(200);
    const { sentences } = (await answer.json()) as {
      sentences: { chunks: object[]; alternatives: object[] }[];
    };
    expect(sentences).toHaveLength(2);
    expect(sentences[0].alternatives).toHaveLength(2);
    const rounded = expected.chunks.map(({ firstToken: _, lastToken: __, confidence = 0, ...own }) => ({
      ...own,
      confidence: Math.round(confidence * 10000) / 10000,
    }));
    expect(sentences.flatMap(({ chunks }) => chunks)).toMatchObject(rounded);
  });

  it('labels an empty text', async () => {
    const answer = await app.fetch(request('/api/v1/label', { text: '' }));
    expect(await answer.json()).toEqual({ model: 'english-chunk', sentences: [] });
  });

  it('labels a stream document by document, and says at its end what stopped it', async () => {
    const type = { 'content-type': 'application/x-ndjson' };
    const lines = [1, 2, 3].map((id) => `${JSON.stringify({ id, text: 'The dog barks.' })}\n`);
    const answer = await app.fetch(request('/api/v1/label?confidence=false', lines.join(''), type));
    const documents = (await answer.text()).trimEnd().split('\n');
    expect(documents.map((line) => JSON.parse(line))).toMatchObject(
      [1, 2, 3].map((id) => ({
        id,
        spans: [
          { start: 0, end: 7, label: 'NP' },
          { start: 8, end: 13, label: 'VP' },
        ],
      })),
    );
    const bad = await app.fetch(request('/api/v1/label', `${lines[0]}{"text": 3}\n`, type));
    const out = (await bad.text()).trimEnd().split('\n');
    expect(JSON.parse(out[1])).toMatchObject({ error: { code: 'bad-input' } });
    expect(JSON.parse(out[1]).error.message).toMatch(/^<request>:2: expected/);
    const long = await refused(
      app.fetch(request('/api/v1/label', `{"text":"${'a'.repeat(1 << 20)}"}`, type)),
    );
    expect(long).toMatchObject({
      status: 400,
      message: '<request>:1: expected a line of at most 1048576 bytes',
    });
  });

  it('explains every token by its features', async () => {
    const answer = await app.fetch(request('/api/v1/explain', { text: 'The dog barks.', features: 3 }));
    const { sentences } = (await answer.json()) as {
      sentences: { tokens: { text: string; features: object[] }[] }[];
    };
    expect(sentences[0].tokens.map(({ text }) => text)).toEqual(['The', 'dog', 'barks', '.']);
    expect(sentences[0].tokens[0].features).toHaveLength(3);
  });

  it('gives the files of its models', async () => {
    const { models } = (await (await app.fetch(request('/api/v1/models'))).json()) as {
      models: { name: string; file: string; before?: string }[];
    };
    expect(models.map(({ name, before }) => [name, before])).toEqual([
      ['english-pos', undefined],
      ['english-chunk', 'english-pos'],
    ]);
    const bytes = new Uint8Array(await (await app.fetch(request(models[0].file))).arrayBuffer());
    expect(Buffer.compare(bytes, readFileSync('models/english-pos.safetensors'))).toBe(0);
  });

  it('describes itself, every operation once', async () => {
    const document = (await (await app.fetch(request('/api/v1/openapi.json'))).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string; requestBody?: object }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.paths['/label'].post.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: {
            required: ['text'],
            additionalProperties: false,
            properties: { kbest: { type: 'integer', minimum: 1, maximum: 255 } },
          },
        },
      },
    });
  });
});

describe('what is refused', () => {
  const label = (body: unknown, headers = {}) => app.fetch(request('/api/v1/label', body, headers));

  it.each([
    [
      'a value out of range',
      { text: 'a', kbest: 0 },
      /^--kbest: expected an integer ≥ 1 and ≤ 255, found 0$/,
    ],
    [
      'an unknown member',
      { text: 'a', colour: 1 },
      /^expected the members text, model, confidence or kbest, found "colour"$/,
    ],
    ['no text', {}, /^expected the member "text", found none$/],
    ['a list', [], /^expected a JSON object, found \[\]$/],
    ['broken JSON', '{"text":', /^expected JSON: /],
  ])('%s', async (_, body, message) => {
    const { status, message: found } = await refused(label(body));
    expect(status).toBe(400);
    expect(found).toMatch(message);
  });

  it('models that there are not, with the names of those there are', async () => {
    expect(await refused(label({ text: 'a', model: '../../etc/passwd' }))).toEqual({
      status: 404,
      code: 'not-found',
      message: 'expected the model english-pos or english-chunk, found "../../etc/passwd"',
    });
  });

  it('hosts, origins and content types that are not the page’s', async () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await refused(label({ text: 'a' }, headers))).status;
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({ origin: 'http://evil.example' })).toBe(403);
    expect(await statusOf({ origin: 'null' })).toBe(403);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await statusOf({ 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf({ 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
    expect((await label({ text: 'a' }, { host: 'localhost:80', origin: 'http://localhost:80' })).status).toBe(
      200,
    );
  });

  it('bodies and texts that are too large, however long they say they are', async () => {
    expect(await refused(label({ text: 'a'.repeat(1_000_001) }))).toMatchObject({ status: 413 });
    expect(await refused(label({ text: 'a' }, { 'content-length': '99999999' }))).toMatchObject({
      status: 413,
    });
    expect(await refused(label(`"${'a'.repeat(33 << 20)}"`))).toMatchObject({ status: 413 });
  });

  it('paths that there are not', async () => {
    const answer = await refused(app.fetch(request('/../package.json')));
    expect(answer).toMatchObject({ status: 404, message: expect.stringContaining('"GET /package.json"') });
  });
});

describe('tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spanwright-tokens-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('let in those who have one, until it is revoked', async () => {
    const path = join(folder, 'tokens');
    const token = await new TokenFile(path).invite('ana', 'annotator');
    expect(readFileSync(path, 'utf8')).not.toContain(token.split('.')[1]);
    const guarded = testApp({ tokens: new TokenFile(path) });
    const models = (headers = {}) => guarded.fetch(request('/api/v1/models', undefined, headers));
    expect((await models()).status).toBe(401);
    expect((await models({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await models({ authorization: `Bearer ${token}x` })).status).toBe(401);
    const session = await guarded.fetch(request('/api/v1/session', JSON.stringify(token)));
    expect(await session.json()).toEqual({ name: 'ana', role: 'annotator' });
    const cookie = session.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
    expect((await models({ cookie: cookie.split(';')[0] })).status).toBe(200);
    await new TokenFile(path).revoke('ana');
    expect((await models({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it('are not guessed: five wrong ones a minute', async () => {
    const path = join(folder, 'guessed');
    await new TokenFile(path).invite('ana', 'owner');
    const guarded = testApp({ tokens: new TokenFile(path) });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const headers = { authorization: `Bearer ana.${i}` };
      statuses.push((await guarded.fetch(request('/api/v1/models', undefined, headers))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});

it('knows hosts of this machine', () => {
  expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1'].map(isLoopback)).toEqual([true, true, true, true]);
  expect(['0.0.0.0', '::', '127.evil.example', '192.168.0.1'].map(isLoopback)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
