import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { corpus, corpusText } from './corpus.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
let model: string;
let columns: string;

beforeAll(async () => {
  model = await workspace.train('model', corpusText(corpus(60)));
  const sentences = corpusText(corpus(20, 3), [0, 1]).split('\n\n');
  sentences.splice(7, 0, '-DOCSTART- -X-');
  sentences.splice(12, 0, '-DOCSTART- -X-');
  columns = workspace.write('a.txt', sentences.join('\n\n'));
});

async function label(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['label', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const parse = (lines: string) =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Chunks of the output format json as lists. */
const chunksOf = (sentence: { chunks: { start: number; end: number; type: string }[] }) =>
  sentence.chunks.map(({ start, end, type }) => [start, end, type]);

interface Row {
  readonly doc: number;
  readonly sentence: number;
  readonly start: number;
  readonly length: number;
  readonly type: string;
  readonly confidence?: number;
}

async function rowsOf(path: string): Promise<Row[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  return (await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) })) as never;
}

describe('--format spans-jsonl', () => {
  it('has the spans of a column file’s sentences in tokens, and marks documents', async () => {
    const records = parse(await label('-m', model, columns, '--format', 'spans-jsonl', '--confidence'));
    const tags = (await label('-m', model, columns))
      .split('\n\n')
      .filter((text) => !/^(?:-DOC.*|\s*)$/.test(text));
    expect(records.length).toBe(tags.length);
    expect(records.flatMap(({ doc }, i) => (doc ? [i] : []))).toEqual([7, 11]);
    records.forEach(({ spans }, i) => {
      const begins = tags[i].split('\n').flatMap((line, t) => (/ B-\w+$/.test(line) ? [t] : []));
      expect(spans.map(([start]: number[]) => start)).toEqual(begins);
      for (const [start, end, type, confidence] of spans) {
        expect(tags[i].split('\n')[start]).toMatch(new RegExp(` B-${type}$`));
        expect(end).toBeGreaterThan(start);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    });
    expect(await label('-m', model, columns, '--format', 'spans-jsonl', '--threads', '2')).toBe(
      await label('-m', model, columns, '--format', 'spans-jsonl'),
    );
  });

  it('has a record a document of JSONL, and a sentence of text, in characters', async () => {
    const texts = ['The dog barks. 😀 She was seen.', 'It', ''];
    const jsonl = workspace.write('d.jsonl', texts.map((text) => `${JSON.stringify({ text })}\n`).join(''));
    const how = ['-m', 'english-chunk'];
    const documents = parse(await label(...how, jsonl, '--format', 'spans-jsonl'));
    const full = parse(await label(...how, jsonl, '--format', 'json'));
    expect(documents.length).toBe(3);
    expect(documents[0].sentences.length).toBe(2);
    expect(documents.flatMap(({ spans }) => spans)).toEqual(full.flatMap(chunksOf));
    const text = workspace.write('t.txt', `${texts[0]}\n\nIt ended.`);
    const records = parse(await label(...how, '--text', text, '--format', 'spans-jsonl'));
    const sentences = parse(await label(...how, '--text', text, '--format', 'json'));
    const absolute = records.map(({ start: base = 0, spans }) =>
      spans.map(([start, end, type]: [number, number, string]) => [base + start, base + end, type]),
    );
    expect(absolute).toEqual(sentences.map(chunksOf));
  });
});

describe('--format parquet', () => {
  it('is a table of the same spans, which DuckDB reads', async () => {
    const path = workspace.path('s.parquet');
    const how = ['-m', model, columns, columns, '--confidence'];
    await label(...how, '--format', 'parquet', '-o', path);
    const records = parse(await label(...how, '--format', 'spans-jsonl'));
    const rows = await rowsOf(path);
    let [doc, sentence] = [-1, 0];
    const expected = records.flatMap(({ doc: marked, spans }, i) => {
      if (marked || i === 0 || i === records.length / 2) [doc, sentence] = [doc + 1, 0];
      const own = spans.map(([start, end, type]: [number, number, string]) => {
        return { doc, sentence, start, length: end - start, type };
      });
      sentence++;
      return own;
    });
    expect(rows.map(({ confidence: _, ...row }) => row)).toEqual(expected);
    rows.forEach(({ confidence = 0 }, i) => {
      expect(Math.abs(confidence - records.flatMap(({ spans }) => spans)[i][3])).toBeLessThan(0.003);
    });
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const database = await (await DuckDBInstance.create(':memory:')).connect();
    const read = await database.runAndReadAll(`select * from read_parquet('${path}')`);
    expect(read.getRowObjectsJson().map(({ confidence: _, ...row }) => row)).toEqual(expected);
  });

  it('of a job is that of label', async () => {
    const text = workspace.write('t2.txt', 'The dog barks.\n\nShe was seen. It\n\nended');
    const jsonl = workspace.write('e.jsonl', '{"text":"The dog barks. She sees it."}\n{"text":"She"}\n');
    for (const [i, args] of [['--text', text], [jsonl]].entries()) {
      const how = ['-m', 'english-chunk', ...args, '--format', 'parquet'];
      const job = workspace.path(`job${i}`);
      for (const command of [
        ['plan', job, ...how, '--part-bytes', '1'],
        ['work', job],
      ]) {
        expect((await run(['job', ...command])).code).toBe(0);
      }
      const [merged, whole] = ['merged', 'whole'].map((name) => workspace.path(`${name}${i}`));
      expect((await run(['job', 'merge', job, '-o', merged])).code).toBe(0);
      await label(...how, '-o', whole);
      expect(readFileSync(merged).equals(readFileSync(whole))).toBe(true);
      expect((await rowsOf(whole)).length).toBeGreaterThan(2);
    }
  });
});

describe('input packed by zstd', () => {
  it('is read where Node can, and refused with what helps where it cannot', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };
    const start = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
    const path = workspace.write('a.txt.zst', zstdCompressSync?.(readFileSync(columns)) ?? start);
    if (zstdCompressSync)
      return expect(await label('-m', model, path)).toBe(await label('-m', model, columns));
    const { code, stderr } = await run(['label', '-m', model, path]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('zstd -dc FILE') });
    expect(stderr).toContain(path);
  });
});
