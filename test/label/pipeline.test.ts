import { beforeAll, describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns, replaceColumn } from '../../src/data/corpus.js';
import type { LabelFormat } from '../../src/label/formats.js';
import { UnitLabeller } from '../../src/label/label-units.js';
import type { LabelOptions } from '../../src/label/labeller.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { scoreModel } from '../../src/label/score-model.js';
import { UnitCorpusBuilder } from '../../src/label/unit-corpus.js';
import { crossLabel } from '../../src/systems/cross-label.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { columnFile, makeSentences, TRAINING, trainTiny } from '../model/tiny.js';

const COLUMNS = ['word', 'pos', 'chunk'];
const posConfiguration = configure({ task: 'pos', options: { 'cut-off': 1 } });
const posCorpus = readColumns(columnFile(TRAINING), { columns: ['word', 'pos'] });
let posTagger: Tagger;
let chunker: Tagger;
let pipeline: Pipeline;

beforeAll(async () => {
  posTagger = new Tagger(await train(posCorpus, posConfiguration));
  chunker = new Tagger(await trainTiny({}));
  pipeline = new Pipeline([posTagger, chunker]);
});

describe('Pipeline', () => {
  it('gives each model what the models before it said', () => {
    expect(pipeline.inputColumns).toEqual(['word']);
    for (const { columns } of makeSentences(10, 3)) {
      const { word } = columns;
      const pos = posTagger.label({ word }).tags;
      const expected = chunker.label({ word, pos });
      const sentence = {
        text: '',
        start: 0,
        startCodePoint: 0,
        tokens: new Uint32Array(2 * word.length),
        words: word,
      };
      const labelled = pipeline.labelSentences([sentence], [{ word }], true)[0];
      expect(labelled).toMatchObject({ columns: { word, pos }, labelColumn: 'chunk', tags: expected.tags });
      expect(labelled.chunks).toEqual(expected.spans);
      expect(labelled.confidences).toEqual(expected.confidences);
      // What is given is not filled in again.
      const odd = word.map(() => 'XX');
      expect(pipeline.labelSentences([sentence], [{ word, pos: odd }], false)[0]).toMatchObject({
        columns: { pos: odd },
        tags: chunker.label({ word, pos: odd }).tags,
      });
    }
  });

  it('labels text, with indices into one token list', () => {
    const text = 'The dog barks. 🦊 She was seen.';
    const { sentences, tokens, chunks } = pipeline.label(text);
    expect(sentences.map(({ firstToken, lastToken }) => [firstToken, lastToken])).toEqual([
      [0, 3],
      [4, 8],
    ]);
    expect(sentences[1]).toMatchObject({ text: '🦊 She was seen.', start: 15, endCodePoint: 30, end: 31 });
    const points = [...text];
    for (const { text: own, start, end, startCodePoint, endCodePoint } of [...tokens, ...chunks]) {
      expect(text.slice(start, end)).toBe(own);
      expect(points.slice(startCodePoint, endCodePoint).join('')).toBe(own);
    }
    for (const { firstToken, lastToken, start, end } of chunks) {
      expect([tokens[firstToken].start, tokens[lastToken].end]).toEqual([start, end]);
    }
    expect(tokens[1]).toMatchObject({ text: 'dog', columns: { pos: 'NN' }, tag: 'I-NP' });
  });

  it('refuses text where a column would be missing, and a pipeline of nothing', () => {
    expect(() => new Pipeline([chunker]).label('Hi.')).toThrow(
      'the model reads the column pos, which raw text does not',
    );
    expect(() => new Pipeline([])).toThrow('expected at least one model, found none');
  });

  it('is scored by what it fills in itself', () => {
    const corpus = readColumns(columnFile(makeSentences(20, 5)), { columns: COLUMNS });
    const wrong = replaceColumn(
      corpus,
      'pos',
      makeSentences(20, 5).map(({ columns }) => columns.pos.map(() => 'XX')),
    );
    expect(scoreModel(pipeline, wrong)).toEqual(scoreModel(pipeline, corpus));
    expect(scoreModel(chunker, wrong).f1).toBeLessThan(scoreModel(chunker, corpus).f1);
  });
});

describe('crossLabel', () => {
  it('labels each sentence with a model that has not seen it', async () => {
    const options = { folds: 4, seed: 2 };
    const labels = await crossLabel(posCorpus, posConfiguration, options);
    expect(labels.map(({ length }) => length)).toEqual(TRAINING.map(({ columns }) => columns.word.length));
    // Labels that exist in one sentence only cannot come from a model that did not see it.
    const secret = replaceColumn(
      posCorpus,
      'pos',
      TRAINING.map(({ columns }, s) => columns.pos.map(() => `S${s}`)),
    );
    const guessed = await crossLabel(secret, posConfiguration, options);
    guessed.forEach((tags, s) => {
      expect(tags).not.toContain(`S${s}`);
    });
  });
});

/** Runs bytes in pieces of a few sizes; the output must not depend on them. */
function label(format: 'text' | 'jsonl' | 'conllu', input: string, options: Partial<LabelOptions> = {}) {
  const outputs = [1, 7, 100_000].map((size) => {
    const how: LabelOptions = {
      source: 'f',
      format: 'brackets',
      confidence: false,
      onError: 'stop',
      ...options,
    };
    const labeller = new UnitLabeller(pipeline, format, how);
    const bytes = encodeUtf8(input);
    let output = '';
    for (let at = 0; at < bytes.length; at += size)
      output += decodeUtf8(labeller.push(bytes.slice(at, at + size)));
    output += decodeUtf8(labeller.finish());
    const { sentences, tokens, badSentences, firstProblem, stopped } = labeller;
    return { output, sentences, tokens, badSentences, problem: (firstProblem ?? stopped)?.message };
  });
  expect(outputs[0]).toEqual(outputs[2]);
  expect(outputs[1]).toEqual(outputs[2]);
  return outputs[2];
}

const JSONL =
  '{"id":1,"text":"The dog barks. She was seen.","spans":[{"start":0,"end":3,"label":"OLD"}]}\n\n' +
  '{"text":"","meta":{"a":[1]}}\r\n{"text":"it","tokens":[{"start":0,"end":2,"pos":"PRP"}]}';

describe('UnitLabeller', () => {
  it('labels raw text in every format', () => {
    const formats: LabelFormat[] = ['columns', 'brackets', 'json', 'jsonl', 'conllu'];
    for (const format of formats) {
      const { output, sentences, tokens } = label('text', 'The dog barks.\n\nIt “was” seen', { format });
      expect([sentences, tokens]).toEqual([2, 9]);
      expect(output).toContain('barks');
      expect(output).not.toContain('``');
    }
  });

  it('keeps JSONL documents, all but their labels', () => {
    const { output } = label('jsonl', JSONL, { format: 'jsonl' });
    const lines = output
      .trimEnd()
      .split(/\s*\n/)
      .map((line) => JSON.parse(line));
    expect(lines.map(({ text, id, meta }) => ({ text, id, meta }))).toEqual([
      { text: 'The dog barks. She was seen.', id: 1, meta: undefined },
      { text: '', id: undefined, meta: { a: [1] } },
      { text: 'it', id: undefined, meta: undefined },
    ]);
    const expected = pipeline.label(lines[0].text).chunks;
    expect(
      lines[0].spans.map(({ start, end, label: type }: Record<string, unknown>) => [start, end, type]),
    ).toEqual(expected.map(({ start, end, type }) => [start, end, type]));
    expect(lines[0].tokens[1]).toMatchObject({ text: 'dog', start: 4, end: 7, id: 1, pos: 'NN' });
  });

  it('keeps CoNLL-U sentences, all but their labels', () => {
    const line = (id: string, form: string, xpos: string) =>
      `${id}\t${form}\t_\tX\t${xpos}\t_\t0\t_\t_\tA=b\n`;
    const input = `# c\n${line('1-2', 'x', '_')}${line('1', 'the', 'DT')}${line('2', 'dog', 'NN')}\r\n${line('1', 'it', '_')}`;
    const { output } = label('conllu', input, { format: 'conllu' });
    expect(output.replace(/\|Chunk=\S+/g, '').replace('\tPRP\t', '\t_\t')).toBe(input);
    expect(output.match(/Chunk=\S+/g)).toEqual(['Chunk=B-NP', 'Chunk=I-NP', 'Chunk=B-NP']);
  });

  it('stops at, skips or keeps what cannot be read', () => {
    const bad = `${JSONL}\nnot JSON\n{"text":"it"}\n`;
    const stopped = label('jsonl', bad, { format: 'jsonl' });
    expect(stopped.output.trimEnd().split('\n')).toHaveLength(4);
    expect(stopped.problem).toMatch(/^f:5: expected a JSON object, found "not JSON"/);
    const skipped = label('jsonl', bad, { format: 'jsonl', onError: 'skip' });
    expect(skipped.output.trimEnd().split('\n')).toHaveLength(5);
    expect(skipped.badSentences).toBe(1);
    const kept = label('jsonl', bad, { format: 'jsonl', onError: 'keep' });
    expect(kept.output.trimEnd().split('\n')[4]).toBe('not JSON');
    const asJson = label('jsonl', 'not JSON\n', { format: 'json', onError: 'keep' });
    expect(JSON.parse(asJson.output)).toMatchObject({ input: 'not JSON' });
  });

  it('names the column that a document lacks', () => {
    const labeller = new UnitLabeller(new Pipeline([chunker]), 'jsonl', {
      ...{ source: 'f', format: 'jsonl', confidence: false, onError: 'stop' },
    } as LabelOptions);
    labeller.push(encodeUtf8('{"text":"it","tokens":[{"start":0,"end":2,"pos":"PRP"}]}\n{"text":"it"}\n'));
    expect(labeller.sentences).toBe(1);
    expect(labeller.stopped?.message).toBe(
      'f:2: expected the column pos, which this jsonl sentence does not have for every token; --pos-model FILE fills ' +
        'in parts of speech',
    );
  });
});

describe('UnitCorpusBuilder', () => {
  it('reads from JSONL and CoNLL-U what a column file of the same sentences holds', () => {
    const columns = readColumns(columnFile(TRAINING), { columns: COLUMNS });
    let jsonl = '';
    let conllu = '';
    for (const { columns: cells, spans } of TRAINING) {
      let text = '';
      const tokens = cells.word.map((word, t) => {
        const start = text.length;
        text += `${word} `;
        return { start, end: start + word.length, pos: cells.pos[t] };
      });
      const marked = spans.map(({ start, end, type }) => ({
        start: tokens[start].start,
        end: tokens[end - 1].end,
        label: type,
      }));
      jsonl += `${JSON.stringify({ text, tokens, spans: marked })}\n`;
      cells.word.forEach((word, t) => {
        const inside = spans.find(({ start, end }) => start <= t && t < end);
        const tag = inside ? `${inside.start === t ? 'B' : 'I'}-${inside.type}` : 'O';
        conllu += `${t + 1}\t${word}\t_\t_\t${cells.pos[t]}\t_\t_\t_\t_\tChunk=${tag}\n`;
      });
      conllu += '\n';
    }
    for (const [format, text] of [
      ['jsonl', jsonl],
      ['conllu', conllu],
    ] as const) {
      const builder = new UnitCorpusBuilder(format, { columns: COLUMNS, scheme: 'iob2', source: 'f' });
      builder.push(encodeUtf8(text));
      const corpus = builder.finish();
      expect(corpus.starts).toEqual(columns.starts);
      expect(corpus.cells).toEqual(columns.cells);
      expect(corpus.alphabets.map((alphabet) => alphabet.toArray())).toEqual(
        columns.alphabets.map((alphabet) => alphabet.toArray()),
      );
    }
  });

  it('fills in what is missing, and leaves out what cannot be read if told to', () => {
    const text = '{"text":"The dog","spans":[{"start":0,"end":7,"label":"NP"}]}\nbad\n';
    const options = { columns: COLUMNS, scheme: 'iob2', source: 'f' } as const;
    const read = (more: object) => {
      const builder = new UnitCorpusBuilder('jsonl', { ...options, ...more });
      builder.push(encodeUtf8(text));
      const corpus = builder.finish();
      return { cells: corpus.alphabets.map((alphabet) => alphabet.toArray()), builder };
    };
    const { cells, builder } = read({ fill: new Pipeline([posTagger]), skipBad: true });
    expect(cells).toEqual([
      ['The', 'dog'],
      ['DT', 'NN'],
      ['B-NP', 'I-NP'],
    ]);
    expect(builder.badUnits).toBe(1);
    expect(builder.firstProblem?.message).toMatch(/^f:2: /);
    expect(() => read({ fill: new Pipeline([posTagger]) })).toThrow(/^f:2: /);
    expect(() => read({})).toThrow('f:1: expected the column pos, which this jsonl sentence does not have');
  });
});
