import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { writeSafetensors } from '../../src/model/safetensors.js';
import { corpus, corpusText } from '../cli/corpus.js';

// Threads run what is built, and share its classes of errors.
const builtUrl = (file: string) => new URL(`../../dist/${file}`, import.meta.url).href;
const api = (await import(builtUrl('index.js'))) as typeof import('../../src/index.js');
const { FileError } = (await import(builtUrl('node/files.js'))) as typeof import('../../src/node/files.js');
const { threadError, toSend } = (await import(
  builtUrl('node/thread-error.js')
)) as typeof import('../../src/node/thread-error.js');
const { LabelPool } = (await import(
  builtUrl('node/label-pool.js')
)) as typeof import('../../src/node/label-pool.js');
const { blockRunner } = (await import(
  builtUrl('node/thread-pool.js')
)) as typeof import('../../src/node/thread-pool.js');
const { ColumnLabeller } = (await import(
  builtUrl('label/label-columns.js')
)) as typeof import('../../src/label/label-columns.js');

const { InputError, ModelFileError, OptionError, SpanwrightError } = api;
const ERRORS = [
  new InputError({ source: 'a.txt', line: 3, byte: 7 }, 'expected this'),
  new OptionError('C', '--C: expected that'),
  new ModelFileError('m', 'damaged'),
  new FileError('f', 'cannot be read'),
  new SpanwrightError('worker-died', 'a thread ended early'),
  new RangeError('Array buffer allocation failed'),
];

describe('an error of another thread or process', () => {
  it.each(ERRORS)('$name has its class and members', async (error) => {
    const sent = [JSON.parse(JSON.stringify(toSend(error))), structuredClone(toSend(error))];
    // Thrown in a thread, by the class that the thread has.
    const code = `
      const { workerData: [errors, files, name, members] } = require('node:worker_threads');
      Promise.all([import(errors), import(files)]).then(([a, b]) => {
        const type = { ...a, ...b, RangeError }[name];
        throw Object.assign(Object.create(type.prototype), new Error(), members);
      });`;
    const workerData = [
      builtUrl('base/errors.js'),
      builtUrl('node/files.js'),
      error.name,
      { ...toSend(error) },
    ];
    const thrown = await new Promise((resolve) => {
      new Worker(code, { eval: true, workerData }).on('error', resolve);
    });
    for (const found of [...sent, thrown].map((one) => threadError(one))) {
      expect(found.constructor).toBe(error.constructor);
      expect({ ...found, message: found.message }).toMatchObject({ ...error, message: error.message });
    }
  });
});

const configuration = api.configure({ task: 'chunking', options: { epochs: 1, 'cut-off': 1 } });
const data = api.readColumns(corpusText(corpus(30)), { columns: configuration.columns, source: 'data' });
const model = await api.train(data, configuration);
const bytes = api.saveModel(model);

describe('LabelPool', () => {
  const options = { source: 'in', format: 'columns', confidence: false, onError: 'stop' } as const;
  const line = (text: string) => new TextEncoder().encode(text);
  /** Labels what takes several threads; returns what is thrown. */
  const thrownBy = async (threads: number, change: object, text = 'the DT\n\n'.repeat(120_000)) => {
    const pool = new LabelPool(threads, { model: bytes, modelSource: 'm', decoder: {}, options, ...change });
    const labeller = new ColumnLabeller(new api.Tagger(model), options);
    async function* input() {
      yield line(text);
    }
    return pool
      .label(labeller, input(), async () => undefined)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  };

  it.each([2, 3])('throws what %i threads throw', async (threads) => {
    expect(await thrownBy(threads, {})).toBeUndefined();
    // The threads alone have these wrong.
    const noModel = await thrownBy(threads, { model: bytes.subarray(0, 100) });
    expect(noModel).toBeInstanceOf(ModelFileError);
    const noDecoder = await thrownBy(threads, { decoder: { decoder: 'none' } });
    expect(noDecoder).toBeInstanceOf(OptionError);
    // Wherever the bad line stands, whichever thread finds it.
    for (const before of [0, 30_000, 119_999]) {
      const text = `${'the DT\n\n'.repeat(before)}the\n\n${'the DT\n\n'.repeat(120_000 - before)}`;
      const bad = await thrownBy(threads, {}, text);
      expect(bad).toBeInstanceOf(InputError);
      expect(bad).toMatchObject({
        message: `in:${2 * before + 1}: expected at least 2 columns, found 1`,
        place: { source: 'in', line: 2 * before + 1 },
      });
    }
  });
});

describe('blockRunner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spanwright-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([1, 2])('throws what %i threads throw', async (threads) => {
    const thrownBy = (path: string, of = 'this') =>
      api
        .train(data, configuration, {
          runBlocks: blockRunner(threads, () => ({ path: join(folder, path), of })),
        })
        .then(
          () => undefined,
          (error: unknown) => error,
        );
    writeFileSync(join(folder, 'damaged'), 'no state');
    expect(await thrownBy('damaged')).toBeInstanceOf(InputError);
    writeFileSync(join(folder, 'other'), writeSafetensors({}, { of: 'that' }));
    expect(await thrownBy('other')).toBeInstanceOf(InputError);
    expect(await thrownBy('damaged/state')).toBeInstanceOf(FileError);
  });
});
