import type { InputPlace } from '../../base/errors.js';
import type { OffsetUnit } from '../../text/code-points.js';
import { splitText, TextScanner } from '../../text/text-scanner.js';
import type { TextSentence } from '../../text/text-sentence.js';
import { alignSpans } from './align-spans.js';
import {
  CharacterReader,
  parseRawLine,
  parseSegmentedLine,
  splitCharacters,
  taggedLineParser,
  wordsAsCharacters,
} from './characters.js';
import { ConlluScanner, type ConlluSentence, conlluValue, setConlluValue } from './conllu.js';
import type { GivenColumns, InputSentence, InputUnit, SentenceLabels, UnitReader } from './input-unit.js';
import { type InputLine, LineReader, rawLines } from './line-reader.js';
import { type LineContent, LineUnitReader } from './line-unit-reader.js';
import {
  type CharacterSpan,
  type CharacterToken,
  formatSpansLine,
  parseSpansLine,
  relabelSpansLine,
  type SpansDocument,
} from './spans-jsonl.js';

/** Name of a format whose inputs are read unit by unit. */
export type UnitFormat = 'text' | 'jsonl' | 'conllu' | 'segmented' | 'tagged';

/** What the tokens of sentences are: words, or the characters (code points) that words are made of. */
export type TokenUnit = 'words' | 'characters';

/** What a unit reader is to read. */
export interface UnitReaderOptions {
  /** Name of the input in messages. */
  readonly source: string;
  /** Columns wanted; those that the input lacks are left out. */
  readonly columns: readonly string[];
  /** What tokens are to be; default words. With characters, words become chunks, whose types are the column `pos` if wanted. */
  readonly tokens?: TokenUnit | undefined;
  /** What offsets in JSONL spans count; default UTF-16 units. */
  readonly offsets?: OffsetUnit | undefined;
}

/** Formats that are read unit by unit. */
export const UNIT_READERS: Readonly<Record<UnitFormat, (options: UnitReaderOptions) => UnitReader>> = {
  text: (options) =>
    options.tokens === 'characters'
      ? new CharacterReader(options.source, parseRawLine)
      : new TextReader(options),
  jsonl: (options) => new SpansReader(options),
  conllu: (options) => new ConlluReader(options),
  segmented: ({ source }) => new CharacterReader(source, parseSegmentedLine),
  tagged: ({ source, columns }) => new CharacterReader(source, taggedLineParser(columns.includes('pos'))),
};

/** English raw text; a unit is a sentence. */
class TextReader implements UnitReader {
  private readonly lines: LineReader;
  private readonly scanner = new TextScanner();
  /** A line that is no text, until the sentences before it are taken. */
  private bad: InputUnit | undefined;
  private ended = false;

  constructor({ source }: UnitReaderOptions) {
    this.lines = new LineReader(source);
  }

  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
    this.ended = true;
  }

  next(): InputUnit | undefined {
    for (;;) {
      const sentence = this.scanner.next();
      if (sentence) {
        const line = new Array<number>(sentence.words.length).fill(0);
        const one = { sentence, columns: { word: sentence.words }, lines: line };
        return { problem: undefined, sentences: [one], raw: sentence.text };
      }
      if (this.bad) {
        const { bad } = this;
        this.bad = undefined;
        return bad;
      }
      const line = this.lines.next();
      if (line === undefined) {
        if (!this.ended) return undefined;
        this.ended = false;
        this.scanner.end();
      } else if (line.problem) {
        this.bad = { problem: line.problem, sentences: [], raw: rawLines([line]) };
        this.scanner.end();
      } else this.scanner.push(line.text + line.ending);
    }
  }
}

/** JSONL spans; a unit is a line. */
class SpansReader extends LineUnitReader {
  private readonly columns: readonly string[];
  private readonly offsets: OffsetUnit;
  private readonly tokens: TokenUnit;

  constructor({ source, columns, tokens = 'words', offsets = 'utf16' }: UnitReaderOptions) {
    super(source);
    this.columns = columns;
    this.tokens = tokens;
    this.offsets = offsets;
  }

  protected read(line: InputLine, place: InputPlace): LineContent {
    if (line.text.trim() === '') return wordless(rawLines([line]));
    const { sentences, relabel } = this.readDocument(line.text, place);
    return { sentences, relabel: (labels) => line.mark + relabel(labels) + (line.ending || '\n') };
  }

  private readDocument(
    text: string,
    place: InputPlace,
  ): { sentences: InputSentence[]; relabel: NonNullable<InputUnit['relabel']> } {
    const document = parseSpansLine(text, place, this.offsets);
    const aligned = alignSpans(
      document.text,
      sentencesOf(document, this.tokens),
      document.spans,
      place,
      this.offsets,
    );
    let tokensBefore = 0;
    const sentences = aligned.map(({ sentence, spans }): InputSentence => {
      const { length } = sentence.words;
      const own = document.tokens?.slice(tokensBefore, tokensBefore + length);
      tokensBefore += length;
      const columns = givenColumns(sentence.words, own ? this.columns : [], (t, name) =>
        own?.[t].fields.get(name),
      );
      return { sentence, columns, spans, lines: new Array<number>(length).fill(place.line as number) };
    });
    const relabel = (labels: readonly SentenceLabels[]) => {
      // Spans say the same as tags of chunks, but tags that are there already must not contradict them.
      const hasTags = (name: string) => document.tokens?.some(({ fields }) => fields.has(name)) ?? false;
      const cells = labels.map((one, s) => filledCells(one, sentences[s].columns, hasTags(one.labelColumn)));
      const isOfTokens = labels.length > 0 && labels.every(({ chunks }) => chunks === undefined);
      const spans = isOfTokens ? undefined : characterSpans(labels);
      return relabelSpansLine(document, { spans, tokens: characterTokens(labels, cells) });
    };
    return { sentences, relabel };
  }
}

/** A document's own tokens as one sentence, or the sentences that its text is split into. */
function sentencesOf({ text, tokens }: SpansDocument, unit: TokenUnit): TextSentence[] {
  if (tokens === undefined) return unit === 'characters' ? splitCharacters(text) : splitText(text);
  if (tokens.length === 0) return [];
  const start = tokens[0].start;
  const offsets = Uint32Array.from(tokens.flatMap((token) => [token.start - start, token.end - start]));
  return [
    {
      text: text.slice(start, tokens[tokens.length - 1].end),
      start,
      startCodePoint: [...text.slice(0, start)].length,
      tokens: offsets,
      words: tokens.map((token) => text.slice(token.start, token.end)),
    },
  ];
}

/** A new document as a line of JSONL spans. Tags of chunks are left out of its tokens, since its spans say the same. */
export function spansLine(text: string, labels: readonly SentenceLabels[]): string {
  const cells = labels.map((one) => filledCells(one, { word: one.sentence.words }, false));
  const document: SpansDocument = {
    text,
    spans: characterSpans(labels),
    tokens: characterTokens(labels, cells),
  };
  return `${formatSpansLine(document)}\n`;
}

function characterSpans(labels: readonly SentenceLabels[]): CharacterSpan[] {
  return labels.flatMap(({ sentence, chunks = [] }) =>
    chunks.map(({ start, end, ...chunk }) => ({
      ...chunk,
      start: sentence.start + sentence.tokens[2 * start],
      end: sentence.start + sentence.tokens[2 * end - 1],
    })),
  );
}

/** @param cells [S][T] the fields of each token. */
function characterTokens(
  labels: readonly SentenceLabels[],
  cells: readonly (readonly ReadonlyMap<string, string>[])[],
): CharacterToken[] {
  return labels.flatMap(({ sentence }, s) =>
    cells[s].map((fields, t) => ({
      start: sentence.start + sentence.tokens[2 * t],
      end: sentence.start + sentence.tokens[2 * t + 1],
      fields,
    })),
  );
}

/** The cells wanted that tokens have. */
function givenColumns(
  words: readonly string[],
  names: readonly string[],
  cellOf: (token: number, name: string) => string | undefined,
): GivenColumns {
  const columns: Record<string, readonly (string | undefined)[]> = { word: words };
  for (const name of names) {
    if (name === 'word') continue;
    const cells = words.map((_, t) => cellOf(t, name));
    if (cells.some((cell) => cell !== undefined)) columns[name] = cells;
  }
  return columns;
}

/**
 * [T] the cells of a labelled sentence that models filled: their labels, and what was not given.
 *
 * @param withTags whether tags of chunks are among them.
 */
function filledCells(
  { columns, labelColumn, chunks }: SentenceLabels,
  given: GivenColumns,
  withTags: boolean,
): Map<string, string>[] {
  const { word: _, ...others } = columns;
  const isFilled = (name: string, t: number) =>
    name === labelColumn ? withTags || chunks === undefined : given[name]?.[t] === undefined;
  return given.word.map((_word, t) => {
    const names = Object.keys(others).filter((name) => isFilled(name, t));
    return new Map(names.map((name) => [name, columns[name][t]]));
  });
}

/** A unit of lines without words. */
function wordless(raw: string | Uint8Array): InputUnit {
  return { problem: undefined, sentences: [], raw, ...(typeof raw === 'string' && { relabel: () => raw }) };
}

/** CoNLL-U; a unit is a sentence. */
class ConlluReader implements UnitReader {
  private readonly scanner: ConlluScanner;
  private readonly source: string;
  private readonly columns: readonly string[];
  private readonly tokens: TokenUnit;

  constructor({ source, columns, tokens = 'words' }: UnitReaderOptions) {
    this.scanner = new ConlluScanner(source);
    this.source = source;
    this.tokens = tokens;
    this.columns = columns;
  }

  push(chunk: Uint8Array): void {
    this.scanner.push(chunk);
  }

  end(): void {
    this.scanner.end();
  }

  next(): InputUnit | undefined {
    const found = this.scanner.next();
    if (found === undefined) return undefined;
    const raw = rawLines(found.lines);
    if (found.problem) return { problem: found.problem, sentences: [], raw };
    if (found.words.length === 0) return wordless(raw);
    const words = found.fields.map((fields) => conlluValue(fields, 'word') as string);
    const columns = givenColumns(words, this.columns, (t, name) => conlluValue(found.fields[t], name));
    if (this.tokens === 'characters') {
      const place = { source: this.source, line: found.firstLine };
      const tagged = words.map((word, t) => ({
        word: word.replace(/\s/gu, ''),
        tag: columns.pos?.[t] ?? '',
      }));
      return { problem: undefined, sentences: wordsAsCharacters(tagged, place), raw };
    }
    const lines = found.words.map((index) => found.firstLine + index);
    const one = { sentence: sentenceOf(found, words), columns, lines };
    return {
      problem: undefined,
      sentences: [one],
      raw,
      relabel: ([labels]) => relabelSentence(found, filledCells(labels, columns, true)),
    };
  }
}

/** The sentence's words with the spaces that SpaceAfter leaves between them. */
function sentenceOf({ fields }: ConlluSentence, words: readonly string[]): TextSentence {
  const tokens = new Uint32Array(2 * words.length);
  let text = '';
  words.forEach((word, t) => {
    tokens[2 * t] = text.length;
    text += word;
    tokens[2 * t + 1] = text.length;
    if (t + 1 < words.length && conlluValue(fields[t], 'SpaceAfter') !== 'No') text += ' ';
  });
  return { text, start: 0, startCodePoint: 0, tokens, words };
}

/** @param cells [T] what changes. */
function relabelSentence(sentence: ConlluSentence, cells: readonly ReadonlyMap<string, string>[]): string {
  const lines = sentence.lines.map(({ text }) => text);
  sentence.words.forEach((index, t) => {
    const fields = [...sentence.fields[t]];
    for (const [name, value] of cells[t]) setConlluValue(fields, name, value);
    lines[index] = fields.join('\t');
  });
  return sentence.lines.map(({ mark, ending }, i) => mark + lines[i] + ending).join('');
}
