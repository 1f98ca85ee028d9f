import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { columnStrings, readColumns } from '../../src/data/corpus.js';
import { INPUT_FORMATS, type InputFormat, UNIT_FORMATS } from '../../src/data/formats/input-formats.js';
import { isComplete } from '../../src/data/formats/input-unit.js';
import type { Span } from '../../src/data/span.js';
import { LABEL_FORMATS, type LabelFormat } from '../../src/label/formats.js';
import type { LabelledSentence } from '../../src/label/labelled-sentence.js';
import { decodeTags, SCHEMES } from '../../src/tags/scheme.js';

/** A sentence as it is read: words, parts of speech where each has one, chunks. */
interface Read {
  readonly words: readonly string[];
  readonly pos: readonly string[] | undefined;
  readonly spans: readonly Span[];
}

/** Formats of words, and of characters; each pair of one kind is tried. */
const KINDS = {
  words: ['columns', 'jsonl', 'conllu'],
  characters: Object.keys(UNIT_FORMATS).filter((name) => name in LABEL_FORMATS && name !== 'conllu'),
};
for (const name of Object.keys(INPUT_FORMATS) as InputFormat[]) {
  // A new format of words is tried without being named here.
  const isNamed = KINDS.words.includes(name) || KINDS.characters.includes(name) || name === 'text';
  if (!isNamed && name in LABEL_FORMATS) KINDS.words.push(name);
}

/** @returns nothing where the format cannot hold it, and says so. */
function write(format: string, sentence: LabelledSentence): string | undefined {
  const { refuse, write } = LABEL_FORMATS[format as LabelFormat];
  const problem = refuse?.(sentence);
  if (problem === undefined) return write(sentence);
  expect(problem).toMatch(/^no place for .+, found /);
  return undefined;
}

function read(format: string, text: string, tokens: 'words' | 'characters', hasPos: boolean): Read[] {
  const bytes = encodeUtf8(text);
  if (format === 'columns') {
    const columns = ['word', ...(hasPos ? ['pos'] : []), 'chunk'];
    const corpus = readColumns(bytes, { columns });
    return Array.from({ length: corpus.starts.length - 1 }, (_, s) => ({
      words: columnStrings(corpus, 0, s),
      pos: hasPos ? columnStrings(corpus, 1, s) : undefined,
      spans: decodeTags(columnStrings(corpus, columns.length - 1, s)),
    }));
  }
  const columns = tokens === 'words' ? ['word', 'pos', 'chunk'] : ['word', 'pos'];
  const reader = UNIT_FORMATS[format as keyof typeof UNIT_FORMATS].read({ source: 'f', columns, tokens });
  reader.push(bytes);
  reader.end();
  const found: Read[] = [];
  for (let unit = reader.next(); unit; unit = reader.next()) {
    if (unit.problem) throw unit.problem;
    for (const { columns: cells, spans, sentence } of unit.sentences) {
      const { pos, chunk } = cells;
      const own = spans ?? decodeTags((chunk ?? sentence.words.map(() => 'O')) as string[]);
      found.push({
        words: sentence.words,
        pos: tokens === 'words' && isComplete(pos) ? pos : undefined,
        spans: own,
      });
    }
  }
  return found;
}

/** A sentence with its labels, as labelling gives it to writers. */
function labelled({ words, pos, spans }: Read, gaps: readonly string[]): LabelledSentence {
  const tokens: number[] = [];
  let text = '';
  for (const [t, word] of words.entries()) {
    tokens.push(text.length, (text += word).length);
    if (t + 1 < words.length) text += gaps[t % gaps.length];
  }
  return {
    sentence: { text, start: 0, startCodePoint: 0, tokens: Uint32Array.from(tokens), words },
    columns: { word: words, ...(pos && { pos }) },
    labelColumn: 'chunk',
    tags: SCHEMES.iob2.encode(spans, words.length),
    chunks: spans,
    confidences: undefined,
  };
}

const nasty = fc.constantFrom(
  ...[
    'a',
    '犬',
    'é',
    '/',
    '//',
    'a/b',
    '[',
    ']',
    '[a',
    'a]',
    '\\',
    '|',
    '=',
    '_',
    '#',
    '# a',
    '-DOCSTART-',
    '-',
    '1-2',
  ],
  ...[
    '\u00a0',
    '\u2028',
    '\u0085',
    '\v',
    '\f',
    '\r',
    '\n',
    '\t',
    ' ',
    'a b',
    ' a',
    '\ufeff',
    '\0',
    '\ud800',
    '\u{1f469}',
  ],
  ...['O', 'B-X', '"', '{', '19980101-01-001-001', 'a=b|c', 'a\r', '\\p', '\u200b', 'x'.repeat(300)],
);
const plain = fc.constantFrom('dog', '犬', 'x1', 'Straße', 'a', '.', ',');
const token = fc.oneof(plain, nasty, fc.string({ minLength: 1, maxLength: 4, unit: 'binary' }));
const type = fc.oneof(
  fc.constantFrom(
    'NP',
    'VP',
    'n',
    '_',
    'a/b',
    'a|b',
    '[',
    ']',
    '=',
    '-',
    'a-b',
    'B-',
    '\\',
    '\u00a0',
    '\v',
    '#',
    'O',
  ),
  fc.string({ minLength: 1, maxLength: 3, unit: 'binary' }).map((text) => text.replace(/[ \t\r\n]/g, 'x')),
);
const gaps = fc.array(fc.constantFrom('', ' ', ' ', '  '), { minLength: 1, maxLength: 5 });

/** Sentences of words: those that text tokens may be, and labels that cells of columns may be. */
const ofWords = fc
  .array(fc.tuple(token, type, fc.constantFrom('B', 'I', 'O'), type), { minLength: 1, maxLength: 6 })
  .map(
    (tokens): Read => ({
      words: tokens.map(([word]) => word),
      pos: tokens.map(([, pos]) => pos),
      spans: decodeTags(tokens.map(([, , leading, own]) => (leading === 'O' ? 'O' : `${leading}-${own}`))),
    }),
  );

/** Sentences of characters, all of which are in words; these have types, or none of them has. */
const ofCharacters = fc
  .tuple(fc.array(fc.tuple(token, type), { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([words, hasTypes]): Read => {
    const spans: Span[] = [];
    for (const [word, own] of words) {
      const start = spans.at(-1)?.end ?? 0;
      spans.push({ start, end: start + [...word].length, type: hasTypes ? own : '' });
    }
    return { words: words.flatMap(([word]) => [...word]), pos: undefined, spans };
  });

const cells = (values: readonly string[]) => values.map((value) => value.replace(/[ \t\r\n]/g, '_'));

/** Writes a sentence and reads it again; nothing where writing is refused. */
function around(
  sentence: Read,
  format: string,
  tokens: 'words' | 'characters',
  between: readonly string[],
): Read | undefined {
  const text = write(format, labelled(sentence, between));
  if (text === undefined) return undefined;
  // What is written comes back as bytes.
  const bytes = encodeUtf8(text);
  expect(decodeUtf8(bytes)).toBe(text);
  try {
    const found = read(format, text, tokens, sentence.pos !== undefined);
    expect(found).toHaveLength(1);
    return found[0];
  } catch (error) {
    // A line of words that all look like WORD/TAG is taken for a wrong format.
    if (!(error instanceof InputError) || !error.message.includes('found WORD/TAG throughout')) throw error;
    return undefined;
  }
}

/** Cells as columns hold them; a first word that would be no token, or a mark, is escaped. */
function expectSame(found: Read, sentence: Read, format: string): void {
  const words = cells(sentence.words);
  if (format === 'columns') {
    expect(found.words).toEqual(
      words.map((word) => (/^(?:-DOCSTART-|\ufeff)/.test(word) ? `_${word}` : word)),
    );
  } else expect(cells(found.words)).toEqual(words);
  if (found.pos && sentence.pos) expect(found.pos).toEqual(cells(sentence.pos));
  expect(found.spans).toEqual(sentence.spans);
}

describe.each([['words', ofWords, gaps] as const, ['characters', ofCharacters, fc.constant([''])] as const])(
  'sentences of %s',
  (kind, sentences, between) => {
    const formats = KINDS[kind];

    it.each(formats.flatMap((first) => formats.map((second) => [first, second])))(
      'written as %s, read, written as %s and read are what they were, or are refused',
      (first, second) => {
        fc.assert(
          fc.property(sentences, between, (sentence, own) => {
            const once = around(sentence, first, kind, own);
            if (once === undefined) return;
            // WORD alone keeps no types.
            const { spans } =
              first === 'segmented'
                ? { spans: sentence.spans.map((span) => ({ ...span, type: '' })) }
                : sentence;
            expectSame(once, { ...sentence, spans }, first);
            const twice = around(once, second, kind, own);
            if (twice === undefined) return;
            const kept =
              second === 'segmented' ? once.spans.map((span) => ({ ...span, type: '' })) : once.spans;
            expectSame(twice, { ...once, spans: kept }, second);
          }),
          { numRuns: 150 },
        );
      },
    );

    it('that are nothing special are never refused', () => {
      const usual: Read = {
        words: kind === 'words' ? ['The', 'dog', '.'] : ['共', '同', '创'],
        pos: kind === 'words' ? ['DT', 'NN', '.'] : undefined,
        spans: [
          { start: 0, end: 2, type: 'NP' },
          ...(kind === 'words' ? [] : [{ start: 2, end: 3, type: 'v' }]),
        ],
      };
      for (const format of formats) expect(around(usual, format, kind, ['']), format).toBeDefined();
    });
  },
);
