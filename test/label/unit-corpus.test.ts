import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { Sha256 } from '../../src/base/sha256.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { type Corpus, columnStrings, readColumns, selectSentences } from '../../src/data/corpus.js';
import type { UnitFormat } from '../../src/data/formats/input-formats.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { UnitCorpusBuilder, type UnitCorpusOptions } from '../../src/label/unit-corpus.js';
import { Tagger } from '../../src/tag/tagger.js';
import { SCHEMES, type SchemeName } from '../../src/tags/scheme.js';
import { configure } from '../../src/tasks/configure.js';
import { train } from '../../src/train/train.js';
import { type ChunkedSentence, columnFile, makeSentences, TRAINING } from '../model/tiny.js';

const COLUMNS = ['word', 'pos', 'chunk'];
let posTagger: Tagger;

beforeAll(async () => {
  const corpus = readColumns(columnFile(TRAINING), { columns: ['word', 'pos'] });
  posTagger = new Tagger(await train(corpus, configure({ task: 'pos', options: { 'cut-off': 1 } })));
});

function build(
  format: UnitFormat,
  input: string | readonly Uint8Array[],
  options: Partial<UnitCorpusOptions> = {},
) {
  const builder = new UnitCorpusBuilder(format, {
    ...{ columns: COLUMNS, scheme: 'iob2', source: 'f' },
    ...options,
  });
  for (const chunk of typeof input === 'string' ? [encodeUtf8(input)] : input) builder.push(chunk);
  return { corpus: builder.finish(), builder };
}

/** What a corpus holds, whatever file it is from. */
const contents = ({ columns, alphabets, starts, cells }: Corpus) => ({
  columns,
  alphabets: alphabets.map((alphabet) => alphabet.toArray()),
  starts,
  cells,
});

/** [S][C] cells as strings. */
const strings = (corpus: Corpus) =>
  Array.from({ length: corpus.starts.length - 1 }, (_, s) =>
    corpus.columns.map((_name, c) => columnStrings(corpus, c, s).join(' ')),
  );

/** A sentence as a JSONL document with tokens, its words one blank apart after a fox. */
function jsonlOf({ columns, spans }: ChunkedSentence, unit: 'utf16' | 'code-points' = 'utf16'): string {
  let text = '🦊 ';
  const point = (offset: number) => (unit === 'utf16' ? offset : [...text.slice(0, offset)].length);
  const tokens = columns.word.map((word, t) => {
    const start = point(text.length);
    text += `${word} `;
    return { text: word, start, end: start + [...word].length, pos: columns.pos[t] };
  });
  const marked = spans.map(({ start, end, type }) => ({
    start: tokens[start].start,
    end: tokens[end - 1].end,
    label: type,
  }));
  return `${JSON.stringify({ text, tokens, spans: marked })}\n`;
}

function conlluOf({ columns, spans }: ChunkedSentence, scheme: SchemeName = 'iob2'): string {
  const { word, pos } = columns;
  const tags = SCHEMES[scheme].encode(spans, word.length);
  const rows = word.map(
    (form, t) => `${t + 1}\t${form}\t_\t_\t${pos[t]}\t_\t_\t_\t_\tA=1|Chunk=${tags[t]}\n`,
  );
  return `# sent_id = 1\n1-1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n${rows.join('')}\n`;
}

describe('UnitCorpusBuilder, against a column file of the same sentences', () => {
  const sentences = fc.nat().map((seed) => makeSentences(6, seed));

  it('reads the same from JSONL, in both units', () => {
    fc.assert(
      fc.property(sentences, fc.constantFrom('utf16' as const, 'code-points' as const), (some, offsets) => {
        const { corpus } = build('jsonl', some.map((one) => jsonlOf(one, offsets)).join(''), { offsets });
        expect(contents(corpus)).toEqual(contents(readColumns(columnFile(some), { columns: COLUMNS })));
      }),
      { numRuns: 40 },
    );
  });

  it('reads the same from CoNLL-U, whose tags stay as they are', () => {
    fc.assert(
      fc.property(sentences, fc.constantFrom<SchemeName>('iob2', 'iobes', 'iob1'), (some, scheme) => {
        const { corpus } = build('conllu', some.map((one) => conlluOf(one, scheme)).join(''), { scheme });
        expect(contents(corpus)).toEqual(
          contents(readColumns(columnFile(some, scheme), { columns: COLUMNS })),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('marks spans as IOB2 for every scheme of chunks', () => {
    const text = TRAINING.map((one) => jsonlOf(one)).join('');
    for (const scheme of ['iob2', 'iobes', 'iob1'] as const) {
      expect(contents(build('jsonl', text, { scheme }).corpus)).toEqual(
        contents(build('jsonl', text).corpus),
      );
    }
  });

  it('trains the same model', async () => {
    const configuration = configure({
      task: 'chunking',
      columns: COLUMNS,
      options: { 'cut-off': 1, epochs: 2 },
    });
    const inputs = [
      readColumns(columnFile(TRAINING), { columns: COLUMNS }),
      build('jsonl', TRAINING.map((one) => jsonlOf(one)).join('')).corpus,
      build('conllu', TRAINING.map((one) => conlluOf(one)).join('')).corpus,
    ];
    const [columns, ...others] = await Promise.all(inputs.map((corpus) => train(corpus, configuration)));
    const test = makeSentences(8, 9);
    const answers = (model: typeof columns) => test.map((one) => new Tagger(model).label(one.columns));
    for (const model of others) expect(answers(model)).toEqual(answers(columns));
  });

  it.each(['jsonl', 'conllu'] as const)('%s: does not depend on how the bytes are cut', (format) => {
    const text = TRAINING.map((one) => (format === 'jsonl' ? jsonlOf(one) : conlluOf(one))).join('');
    const bytes = encodeUtf8(text);
    const { corpus } = build(format, [bytes]);
    for (const size of [1, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size),
      );
      const cut = build(format, chunks).corpus;
      expect(contents(cut)).toEqual(contents(corpus));
      expect([cut.lines, cut.sha256]).toEqual([corpus.lines, corpus.sha256]);
    }
    const hash = new Sha256();
    hash.update(bytes);
    expect(corpus.sha256).toBe(hash.hex());
  });
});

describe('UnitCorpusBuilder, tokens and columns', () => {
  it('knows the line of each token', () => {
    const [one, two] = makeSentences(2, 3);
    const { length } = one.columns.word;
    const lengths = [length, two.columns.word.length];
    expect([...build('jsonl', `\n${jsonlOf(one)}\n${jsonlOf(two)}`).corpus.lines]).toEqual([
      ...new Array(lengths[0]).fill(2),
      ...new Array(lengths[1]).fill(4),
    ]);
    const { lines } = build('conllu', conlluOf(one) + conlluOf(two)).corpus;
    expect(Array.from(lines.subarray(0, length), (line) => line)).toEqual(
      one.columns.word.map((_, t) => 3 + t),
    );
    expect(lines[length]).toBe(3 + length + 1 + 2);
  });

  it('takes labels of tokens, not spans, for models of tokens', () => {
    const line =
      '{"text":"it","tokens":[{"start":0,"end":2,"pos":"PRP"}],"spans":[{"start":0,"end":2,"label":"NP"}]}';
    const { corpus } = build('jsonl', line, { columns: ['word', 'pos'], scheme: 'token' });
    expect(strings(corpus)).toEqual([['it', 'PRP']]);
  });

  it('skips columns named _, and refuses names twice', () => {
    const { corpus } = build('conllu', conlluOf(TRAINING[0]), { columns: ['word', '_', '_', 'chunk'] });
    expect(corpus.columns).toEqual(['word', 'chunk']);
    expect(() => build('conllu', '', { columns: ['word', 'pos', 'pos'] })).toThrow(OptionError);
  });

  it('splits raw text into sentences, and joins those that a span goes across', () => {
    const options = { columns: ['word', 'chunk'] };
    const text = 'He sat. It ran.';
    const of = (spans: object[]) => strings(build('jsonl', JSON.stringify({ text, spans }), options).corpus);
    expect(of([{ start: 8, end: 10, label: 'NP' }])).toEqual([
      ['He sat .', 'O O O'],
      ['It ran .', 'B-NP O O'],
    ]);
    expect(of([{ start: 3, end: 10, label: 'X' }])).toEqual([['He sat . It ran .', 'O B-X I-X I-X O O']]);
  });

  it('keeps the sentences of a text to be scored as they are, whatever spans it has', () => {
    const text = 'He sat at Yahoo! Inc today. It ran.';
    const columns = ['word', 'chunk'];
    const words = (corpus: Corpus) => strings(corpus).map(([own]) => own);
    const bare = words(build('jsonl', JSON.stringify({ text, spans: [] }), { columns }).corpus);
    expect(bare).toHaveLength(3);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: text.length }), { maxLength: 8 }), (offsets) => {
        const bounds = offsets.sort((a, b) => a - b);
        const spans = bounds.flatMap((start, i) =>
          i % 2 === 0 && i + 1 < bounds.length ? [[start, bounds[i + 1], 'X']] : [],
        );
        const line = JSON.stringify({ text, label: spans });
        const { corpus } = build('jsonl', line, { columns, marks: 'score' });
        expect(words(corpus)).toEqual(bare);
        const kept = strings(corpus).flatMap(([, tags]) => tags.match(/B-X/g) ?? []);
        expect(kept.length + (corpus.missed?.length ?? 0)).toBe(spans.length);
        const held = selectSentences(corpus, [2, 0]);
        expect(held.missed ?? []).toEqual(
          [2, 0].flatMap((old, sentence) =>
            (corpus.missed ?? []).flatMap((own) => (own.sentence === old ? [{ ...own, sentence }] : [])),
          ),
        );
      }),
    );
  });

  it('wants documents that say where their chunks are', () => {
    for (const document of ['{"text":"it"}', '{"text":"it","annotations":[[0,2,"X"]]}']) {
      expect(() => build('jsonl', document, { columns: ['word', 'chunk'] })).toThrow(
        'f:1: expected the column chunk, which this jsonl sentence does not have for every token; chunks stand under ' +
          '"spans", "label", "labels" or "entities": an empty list where there are none',
      );
    }
  });

  it('leaves documents out that a reviewer rejected or ignored', () => {
    const document = (answer: string) => `${JSON.stringify({ text: answer, spans: [], answer })}\n`;
    const text = ['accept', 'reject', 'ignore', 'reject', 'accept'].map(document).join('');
    const { corpus, builder } = build('jsonl', text, { columns: ['word', 'chunk'] });
    expect(strings(corpus).map(([word]) => word)).toEqual(['accept', 'accept']);
    expect([...builder.notAccepted]).toEqual([
      ['reject', 2],
      ['ignore', 1],
    ]);
  });

  it('expects sentences', () => {
    for (const [format, text] of [
      ['jsonl', '\n{"text":" "}\n'],
      ['conllu', ''],
    ] as const) {
      expect(() => build(format, text)).toThrow('f: expected sentences, found none: the input is empty');
    }
  });
});

describe('UnitCorpusBuilder, columns that are missing', () => {
  const token = '{"start":0,"end":2,"pos":"PRP"}';
  const half = `{"text":"it is","spans":[],"tokens":[${token},{"start":3,"end":5}]}`;

  it.each([
    ['jsonl', `{"text":"it","spans":[],"tokens":[${token}]}\n${half}\n`, COLUMNS, 'f:2', 'pos', 'jsonl'],
    ['conllu', '# c\n1\tit\t_\t_\t_\t_\t_\t_\t_\tChunk=O\n', COLUMNS, 'f:2', 'pos', 'conllu'],
    ['conllu', '1\tit\t_\t_\t_\t_\t_\t_\t_\t_\n', COLUMNS, 'f:1', 'pos or chunk', 'conllu'],
  ] as const)('%s: names %s', (format, text, columns, place, missing, name) => {
    expect(() => build(format, text, { columns })).toThrow(
      `${place}: expected the column ${missing}, which this ${name} sentence does not have for every token; ` +
        '--pos-model FILE fills in parts of speech',
    );
  });

  it('does not speak of part-of-speech models where another column is missing', () => {
    expect(() => build('conllu', '1\tit\t_\t_\tPRP\t_\t_\t_\t_\t_\n')).toThrow(
      /^f:1: expected the column chunk, which this conllu sentence does not have for every token$/,
    );
  });

  it('are filled by a model, as it labels', () => {
    const documents = makeSentences(10, 8).map(({ columns }) => columns.word.join(' '));
    const text = documents.map((one) => JSON.stringify({ text: one, spans: [] })).join('\n');
    const fill = new Pipeline([posTagger]);
    const found = strings(build('jsonl', text, { fill }).corpus);
    const expected = documents.flatMap((one) => {
      const { sentences, tokens } = new Pipeline([posTagger]).label(one);
      return sentences.map(({ firstToken, lastToken }) => tokens.slice(firstToken, lastToken + 1));
    });
    expect(found.map(([, pos]) => pos)).toEqual(
      expected.map((tokens) => tokens.map(({ tag }) => tag).join(' ')),
    );
    expect(found.every(([, , chunk]) => /^O( O)*$/.test(chunk))).toBe(true);
  });

  it('are filled sentence by sentence: what is given stays', () => {
    const row = (id: number, form: string, pos: string) =>
      `${id}\t${form}\t_\t_\t${pos}\t_\t_\t_\t_\tChunk=O\n`;
    const text = `${row(1, 'the', 'XX')}\n${row(1, 'the', 'XX')}${row(2, 'dog', '_')}\n${row(1, 'a', 'YY')}`;
    const found = strings(build('conllu', text, { fill: new Pipeline([posTagger]) }).corpus);
    const { tags } = posTagger.label({ word: ['the', 'dog'] });
    expect(found).toEqual([
      ['the', 'XX', 'O'],
      ['the dog', `XX ${tags[1]}`, 'O O'],
      ['a', 'YY', 'O'],
    ]);
  });

  it('are not filled where they hold the labels', () => {
    const options = { fill: new Pipeline([posTagger]), columns: ['word', 'pos'], scheme: 'token' } as const;
    expect(() => build('jsonl', '{"text":"it"}', options)).toThrow('f:1: expected the column pos');
  });
});

describe('UnitCorpusBuilder, documents that cannot be read', () => {
  const good = jsonlOf(TRAINING[0]);
  const crooked = '{"text":"it","spans":[{"start":0,"end":1,"label":"X"}]}\n';

  it('are refused', () => {
    expect(() => build('jsonl', `${good}[]\n${good}`)).toThrow('f:2: expected a JSON object, found "[]"');
    expect(() => build('jsonl', good + crooked)).toThrow(
      'f:2: expected spans that start and end where tokens do: span 0–1 "i" (X) ends inside the token "it" at 0–2',
    );
    expect(() => build('conllu', '1\tit\n')).toThrow('f:1: expected 10 columns parted by tabs, found 2');
  });

  it('are left out and counted, the first one named', () => {
    const { corpus, builder } = build('jsonl', `[]\n${good}${crooked}${good}{`, { skipBad: true });
    expect(contents(corpus)).toEqual(contents(build('jsonl', good + good).corpus));
    expect(builder.badUnits).toBe(3);
    expect(builder.firstProblem?.message).toBe('f:1: expected a JSON object, found "[]"');
    const sentence = conlluOf(TRAINING[0]);
    const conllu = build('conllu', `${sentence}bad\n\n${sentence}`, { skipBad: true });
    expect(strings(conllu.corpus)).toEqual(strings(build('conllu', sentence + sentence).corpus));
    expect(conllu.builder.badUnits).toBe(1);
    expect(build('jsonl', good, { skipBad: true }).builder).toMatchObject({
      badUnits: 0,
      firstProblem: undefined,
    });
  });

  it('are left out where a sentence lacks a column, as a whole', () => {
    const lacking = '{"text":"It eats. The dog barks.","spans":[]}\n';
    const { corpus, builder } = build('jsonl', good + lacking + good, { skipBad: true });
    expect(contents(corpus)).toEqual(contents(build('jsonl', good + good).corpus));
    expect(builder.badUnits).toBe(1);
    expect(builder.firstProblem?.message).toContain('f:2: expected the column pos');
    expect(() => build('jsonl', good + lacking)).toThrow('f:2: expected the column pos');
  });

  it('are no trailing comments and blank lines', () => {
    const sentence = conlluOf(TRAINING[0]);
    const { corpus } = build('conllu', `${sentence}# end\n\n\n`);
    expect(corpus.starts).toHaveLength(2);
  });

  it('leave nothing where all are bad', () => {
    expect(() => build('jsonl', '[]\n', { skipBad: true })).toThrow('expected sentences, found none');
  });
});
