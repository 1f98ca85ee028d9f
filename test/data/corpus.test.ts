import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { InputError, OptionError } from '../../src/base/errors.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import {
  type Corpus,
  checkColumnNames,
  columnIndex,
  columnStrings,
  packCorpus,
  placeOf,
  type ReadColumnsOptions,
  readColumns,
  selectSentences,
  unpackCorpus,
} from '../../src/data/corpus.js';
import { conll2000, describeWithData } from '../corpora.js';

const TEXT = '-DOCSTART- x\n\nThe  DT 1 B-NP extra\ndog NN 2 I-NP x\n\n\nThe DT 3 B-NP y\n';
const COLUMNS = ['word', 'pos', '_', 'chunk'];

function read(text: string, options: Partial<ReadColumnsOptions> = {}): Corpus {
  return readColumns(encodeUtf8(text), { columns: COLUMNS, source: 'f', ...options });
}

it('interns the named columns, without those skipped and those beyond', () => {
  const corpus = read(TEXT);
  expect(corpus.columns).toEqual(['word', 'pos', 'chunk']);
  expect([...corpus.starts]).toEqual([0, 2, 3]);
  expect(corpus.cells.map((cells) => [...cells])).toEqual([
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
  ]);
  expect(corpus.alphabets.map((alphabet) => alphabet.toArray())).toEqual([
    ['The', 'dog'],
    ['DT', 'NN'],
    ['B-NP', 'I-NP'],
  ]);
  expect(columnStrings(corpus, 2, 0)).toEqual(['B-NP', 'I-NP']);
  expect(columnStrings(corpus, columnIndex(corpus, 'word'), 1)).toEqual(['The']);
});

it('skips any number of columns, the first ones too', () => {
  const corpus = read('1 a 2 b 3\n', { columns: ['_', 'word', '_', 'tag', '_'] });
  expect([columnStrings(corpus, 0, 0), columnStrings(corpus, 1, 0)]).toEqual([['a'], ['b']]);
});

it('knows where every token stands', () => {
  const corpus = read(TEXT);
  expect(placeOf(corpus, 0, 1)).toEqual({ source: 'f', line: 4 });
  expect(placeOf(corpus, 1, 0)).toEqual({ source: 'f', line: 7 });
  expect(readColumns(encodeUtf8('a b c d\n'), { columns: COLUMNS }).source).toBe('<input>');
});

it('has the checksum of the bytes, and is the same however they come', () => {
  const bytes = encodeUtf8(TEXT);
  const whole = read(TEXT);
  expect(whole.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) =>
    bytes.subarray(3 * i, 3 * i + 3),
  );
  const pieced = readColumns(pieces, { columns: COLUMNS, source: 'f' });
  expect(pieced.sha256).toBe(whole.sha256);
  expect(pieced.cells).toEqual(whole.cells);
  expect(pieced.lines).toEqual(whole.lines);
  expect(readColumns(TEXT, { columns: COLUMNS, source: 'f' })).toEqual(whole);
});

it('reads CR alone as it does LF', () => {
  const text = TEXT.replaceAll('\n', '\r');
  expect({ ...read(text), sha256: '' }).toEqual({ ...read(TEXT), sha256: '' });
});

it.each(['', '\n', ' \n\t\n', '-DOCSTART- -X- O\n\n', '\ufeff'])(
  'refuses %j: there are no sentences',
  (text) => {
    expect(() => read(text)).toThrow(
      new InputError({ source: 'f' }, 'expected sentences, found none: the input is empty'),
    );
  },
);

it('refuses a line with too few columns', () => {
  expect(() => read('a b c d\n\na b c\n')).toThrow('f:3: expected at least 4 columns, found 3');
});

it('reads cells with spaces where tabs part them', () => {
  const corpus = read('New York\tNNP\t\tB-LOC\n', { separator: 'tab' });
  expect(columnStrings(corpus, 0, 0)).toEqual(['New York']);
});

it.each(['a b', '', 'a.b', 'a[0]', 'a,b', '"a"', 'f(x)', 'a|b', 'a=b', 'constructor', '__proto__', 5, null])(
  'refuses the column name %j',
  (name) => {
    expect(() => checkColumnNames(['word', name as string])).toThrow(OptionError);
    expect(() => checkColumnNames(name as never)).toThrow(OptionError);
  },
);

it('refuses a column named twice, but not one skipped twice', () => {
  expect(() => checkColumnNames(['a', 'b', 'a'])).toThrow(
    '--columns: expected each name once, found "a" twice',
  );
  expect(() => checkColumnNames(['_', 'a', '_', 'b'])).not.toThrow();
});

it('lists the columns there are when one is missing', () => {
  expect(() => columnIndex(read(TEXT), 'lemma')).toThrow(
    'expected a column lemma, found only word, pos or chunk',
  );
});

it('selects sentences in any order, with their places', () => {
  const corpus = read(TEXT);
  const selected = selectSentences(corpus, [1, 0, 1]);
  expect([...selected.starts]).toEqual([0, 1, 3, 4]);
  expect([0, 1, 2].map((s) => columnStrings(selected, 0, s))).toEqual([['The'], ['The', 'dog'], ['The']]);
  expect(placeOf(selected, 0, 0)).toEqual({ source: 'f', line: 7 });
  expect(placeOf(selected, 1, 1)).toEqual({ source: 'f', line: 4 });
});

describeWithData('CoNLL-2000', () => {
  it('has the published size', () => {
    const corpus = readColumns(readFileSync(conll2000?.train as string), {
      columns: ['word', 'pos', 'chunk'],
    });
    expect(corpus.starts.length - 1).toBe(8936);
    expect(corpus.cells[0]).toHaveLength(211727);
    expect(corpus.alphabets[2].size).toBe(22);
  });
});

it('comes back from plain arrays as it was', () => {
  const corpus = read(TEXT);
  const again = unpackCorpus(structuredClone(packCorpus(corpus)));
  expect(again.alphabets.map((alphabet) => alphabet.toArray())).toEqual(
    corpus.alphabets.map((alphabet) => alphabet.toArray()),
  );
  expect({ ...again, alphabets: [] }).toEqual({ ...corpus, alphabets: [] });
});
