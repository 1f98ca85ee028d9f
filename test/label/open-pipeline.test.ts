import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readColumns } from '../../src/data/corpus.js';
import { entities, pipeline } from '../../src/label/open-pipeline.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { loadModelFile } from '../../src/node/corpora.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, TRAINING, trainTiny } from '../model/tiny.js';

const folder = mkdtempSync(join(tmpdir(), 'spanwright-test-'));
const path = join(folder, 'chunk.safetensors');
const TEXT = 'The dog barks.';
let expected: unknown;

beforeAll(async () => {
  const posCorpus = readColumns(columnFile(TRAINING), { columns: ['word', 'pos'] });
  const pos = await train(posCorpus, configure({ task: 'pos', options: { 'cut-off': 1 } }));
  const chunk = { ...(await trainTiny({})), posModel: 'pos' };
  writeFileSync(join(folder, 'pos.safetensors'), saveModel(pos));
  writeFileSync(path, saveModel(chunk));
  expected = new Pipeline([pos, chunk]).label(TEXT);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('pipeline', () => {
  it('opens a model of this package by name, with the model that it needs', async () => {
    const label = await pipeline('english-chunk');
    expect(label('She slept.').chunks.map(({ type, text }) => [type, text])).toEqual([
      ['NP', 'She'],
      ['VP', 'slept'],
    ]);
    expect(label.pipeline.inputColumns).toEqual(['word']);
  });

  it('gives characters to models of characters', async () => {
    const label = await pipeline('chinese-gsd');
    const text = '我们在北京学习。 🦊很好';
    const { chunks, tokens } = label(text);
    expect(chunks.map((chunk) => chunk.text)).toContain('北京');
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text.replace(' ', ''));
    expect(tokens.map((token) => token.text)).toEqual([...text.replace(' ', '')]);
    for (const { text: own, start, end } of chunks) expect(text.slice(start, end)).toBe(own);
  });

  it('opens paths, addresses, bytes and loaded models', async () => {
    const models = [
      await loadModelFile(join(folder, 'pos.safetensors')),
      saveModel(loadModel(path)),
    ] as const;
    for (const label of [
      await pipeline(path),
      await pipeline(pathToFileURL(path)),
      await pipeline(...models),
    ]) {
      expect(label(TEXT)).toEqual(expected);
    }
  });

  it('opens models over the network', async () => {
    const { readFile } = await import('node:fs/promises');
    const server = createServer(async ({ url = '' }, response) => {
      const bytes = await readFile(join(folder, url)).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await pipeline(`${base}/chunk.safetensors`))(TEXT)).toEqual(expected);
    await expect(pipeline(`${base}/none`)).rejects.toThrow(`${base}/none: 404 Not Found`);
    server.close();
  });

  it('finds names by the model of this package', async () => {
    const found = await entities('John Smith works for Google in London.');
    expect(found.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'PER John Smith',
      'ORG Google',
      'LOC London',
    ]);
  });

  it('says what is wrong', async () => {
    const names = 'models of this package: english-chunk, english-pos, english-entities or chinese-gsd';
    await expect(pipeline('english')).rejects.toThrow(`english: no such file; ${names}`);
    expect(() => loadModel('english')).toThrow(`english: no such file; ${names}`);
    await expect(loadModelFile('english')).rejects.toThrow(`english: no such file; ${names}`);
    await expect(pipeline(3 as never)).rejects.toThrow('expected the name of a model');
    await expect(pipeline()).rejects.toThrow('expected at least one model, found none');
    await expect(pipeline(saveModel(loadModel(path)))).rejects.toThrow('reads the column pos');
    await expect(pipeline('english-pos', 'chinese-gsd')).rejects.toThrow('found both: words, characters');
    const label = await pipeline(path);
    expect(() => label(3 as never)).toThrow('expected a string, found 3');
  });
});
