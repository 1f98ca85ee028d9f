import { InputError, OptionError, quote, show } from '../base/errors.js';
import { Sha256 } from '../base/sha256.js';
import { encodeUtf8 } from '../base/utf8.js';
import { type Corpus, checkColumnNames, SentenceCollector, SKIPPED_COLUMN } from '../data/corpus.js';
import type { UnitFormat } from '../data/formats/input-formats.js';
import type { CharacterSpan } from '../data/span.js';
import { UnitCorpusBuilder, type UnitCorpusOptions } from './unit-corpus.js';

/** A text with its chunks. */
export interface TextRecord {
  /** The text: English, unless the configuration is for characters. */
  readonly text: string;
  /** Its chunks in any order; `start` and `end` count UTF-16 units. */
  readonly spans: readonly CharacterSpan[];
}

/** A sentence in tokens, with further columns by name: `{ tokens: ['The', 'dog'], pos: ['DT', 'NN'], tags: ['B-NP', 'I-NP'] }`. */
export interface TokensRecord {
  /** [T] the words. */
  readonly tokens: readonly string[];
  /** [T] the labels. */
  readonly tags: readonly string[];
  /** [T] the cells of another column. */
  readonly [column: string]: readonly string[];
}

/** How to make a corpus; a configuration has all that is needed. */
export type CorpusOfOptions = Omit<UnitCorpusOptions, 'source'> & Partial<Pick<UnitCorpusOptions, 'source'>>;

/**
 * Makes a corpus of objects.
 *
 *     const configuration = configure({ task: 'chunking', columns: ['word', 'name'] });
 *     corpusOf([{ text: 'Ada wrote it.', spans: [{ start: 0, end: 3, type: 'PER' }] }], configuration);
 *
 * @param records all with a text, or all in tokens.
 * @throws InputError naming a record, counted from 1, that is not as it should be.
 */
export function corpusOf(
  records: readonly TextRecord[] | readonly TokensRecord[],
  { source = 'records', ...options }: CorpusOfOptions,
): Corpus {
  if (!Array.isArray(records)) {
    throw new OptionError('records', `expected a list of objects, found ${show(records)}`);
  }
  const lines = records.map((record, r) => {
    if (typeof record === 'object' && record !== null) return JSON.stringify(record);
    throw new InputError({ source, line: r + 1 }, `expected an object, found ${show(record)}`);
  });
  const jsonl = lines.join('\n');
  const inTokens = records.every((record) => 'tokens' in record && !('text' in record));
  return inTokens
    ? tokensCorpus(records, jsonl, { ...options, source })
    : readJsonl(jsonl, { ...options, source });
}

function tokensCorpus(
  records: readonly TokensRecord[],
  json: string,
  { columns, source }: UnitCorpusOptions,
): Corpus {
  checkColumnNames(columns);
  const names = columns.filter((name) => name !== SKIPPED_COLUMN);
  const label = names.length - 1;
  const collector = new SentenceCollector(names, source);
  records.forEach((record, r) => {
    const place = { source, line: r + 1 };
    if (!Array.isArray(record.tokens)) {
      throw new InputError(place, `expected "tokens" with a list of strings, found ${show(record.tokens)}`);
    }
    const cells = names.map((name, c) =>
      c === 0 ? record.tokens : c === label ? record.tags : record[name],
    );
    names.forEach((name, c) => {
      const key = c === 0 ? 'tokens' : c === label ? 'tags' : name;
      checkCells(cells[c], key, record.tokens.length, place);
    });
    if (record.tokens.length > 0) collector.add(cells, new Array<number>(record.tokens.length).fill(r + 1));
  });
  const hash = new Sha256();
  hash.update(encodeUtf8(json));
  return collector.finish(hash.hex());
}

function checkCells(
  cells: unknown,
  key: string,
  length: number,
  place: { source: string; line: number },
): void {
  if (!Array.isArray(cells) || cells.length !== length) {
    const found = Array.isArray(cells) ? `${cells.length} of them` : show(cells);
    throw new InputError(
      place,
      `expected ${quote(key)} with a string for each of the ${length} tokens, found ${found}`,
    );
  }
  const bad = cells.findIndex((cell) => typeof cell !== 'string' || cell === '');
  if (bad < 0) return;
  throw new InputError(
    place,
    `expected strings in ${quote(key)}, none of them empty, found ${show(cells[bad])}`,
  );
}

/**
 * Reads JSON Lines with spans, as annotation tools write them, into a corpus.
 *
 * @param input the file's text or bytes.
 * @throws InputError at the first line that cannot be read, and for an input without any sentence.
 */
export function readJsonl(input: string | Uint8Array, options: CorpusOfOptions): Corpus {
  return readUnits('jsonl', input, options);
}

/** Reads CoNLL-U into a corpus, as {@link readJsonl} reads JSON Lines. */
export function readConllu(input: string | Uint8Array, options: CorpusOfOptions): Corpus {
  return readUnits('conllu', input, options);
}

/**
 * Reads Penn Treebank brackets into a corpus: words, parts of speech and the chunks that `phrases` says, as {@link readJsonl} reads JSON
 * Lines.
 */
export function readTrees(input: string | Uint8Array, options: CorpusOfOptions): Corpus {
  return readUnits('trees', input, options);
}

function readUnits(format: UnitFormat, input: string | Uint8Array, options: CorpusOfOptions): Corpus {
  const builder = new UnitCorpusBuilder(format, { source: '<input>', ...options });
  builder.push(typeof input === 'string' ? encodeUtf8(input) : input);
  return builder.finish();
}
