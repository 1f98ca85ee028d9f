import type { InputError, InputPlace } from '../../base/errors.js';
import { splitText, TextScanner } from '../../text/text-scanner.js';
import type { TextSentence } from '../../text/text-sentence.js';
import { alignSpans } from './align-spans.js';
import { ConlluScanner, type ConlluSentence, conlluValue, setConlluValue } from './conllu.js';
import type { InputSentence, InputUnit, SentenceLabels, UnitReader } from './input-unit.js';
import { LineReader, rawLines } from './line-reader.js';
import { formatSpansLine, type OffsetUnit, parseSpansLine, type SpansDocument } from './spans-jsonl.js';

/** Name of a format whose inputs are read unit by unit. */
export type UnitFormat = 'text' | 'jsonl' | 'conllu';

/** What a unit reader is to read. */
export interface UnitReaderOptions {
  /** Name of the input in messages. */
  readonly source: string;
  /** Columns wanted; those that the input lacks are left out. */
  readonly columns: readonly string[];
  /** What offsets in JSONL spans count; default UTF-16 units. */
  readonly offsets?: OffsetUnit | undefined;
}

/** Formats that are read unit by unit. */
export const UNIT_READERS: Readonly<Record<UnitFormat, (options: UnitReaderOptions) => UnitReader>> = {
  text: (options) => new TextReader(options),
  jsonl: (options) => new SpansReader(options),
  conllu: (options) => new ConlluReader(options),
};

/** English raw text; a unit is a sentence. */
class TextReader implements UnitReader {
  private readonly lines: LineReader;
  private readonly scanner = new TextScanner();
  private problem: InputError | undefined;
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
      if (this.problem) {
        const { problem } = this;
        this.problem = undefined;
        return { problem, sentences: [], raw: '' };
      }
      const line = this.lines.next();
      if (line === undefined) {
        if (!this.ended) return undefined;
        this.ended = false;
        this.scanner.end();
      } else if (line.problem) {
        // The sentences before it come first.
        this.problem = line.problem;
        this.scanner.end();
      } else this.scanner.push(line.text + line.ending);
    }
  }
}

/** JSONL spans; a unit is a line. */
class SpansReader implements UnitReader {
  private readonly lines: LineReader;
  private readonly source: string;
  private readonly columns: readonly string[];
  private readonly offsets: OffsetUnit;

  constructor({ source, columns, offsets = 'utf16' }: UnitReaderOptions) {
    this.lines = new LineReader(source);
    this.source = source;
    this.columns = columns;
    this.offsets = offsets;
  }

  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
  }

  next(): InputUnit | undefined {
    for (;;) {
      const line = this.lines.next();
      if (line === undefined) return undefined;
      const raw = rawLines([line]);
      if (line.problem) return { problem: line.problem, sentences: [], raw };
      if (line.text.trim() === '') continue;
      try {
        return { problem: undefined, ...this.read(line.text, { source: this.source, line: line.line }), raw };
      } catch (error) {
        return { problem: error as InputError, sentences: [], raw };
      }
    }
  }

  private read(text: string, place: InputPlace): Pick<InputUnit, 'sentences' | 'relabel'> {
    const document = parseSpansLine(text, place, this.offsets);
    const aligned = alignSpans(document.text, sentencesOf(document), document.spans, place);
    let tokensBefore = 0;
    const sentences = aligned.map(({ sentence, spans }): InputSentence => {
      const { length } = sentence.words;
      const own = document.tokens?.slice(tokensBefore, tokensBefore + length);
      tokensBefore += length;
      const columns: Record<string, readonly string[]> = { word: sentence.words };
      for (const name of this.columns) {
        if (name !== 'word' && own?.every(({ fields }) => fields[name] !== undefined)) {
          columns[name] = own.map(({ fields }) => fields[name]);
        }
      }
      return { sentence, columns, spans, lines: new Array<number>(length).fill(place.line as number) };
    });
    return { sentences, relabel: (labels) => spansLine(document, labels) };
  }
}

/** A document's own tokens as one sentence, or the sentences that its text is split into. */
function sentencesOf({ text, tokens }: SpansDocument): TextSentence[] {
  if (tokens === undefined) return splitText(text);
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

/**
 * A document as a line of JSONL spans. Tags of chunks are left out of its tokens, since its spans say the same.
 *
 * @param rest other keys that the document has.
 */
export function spansLine(
  { text, rest }: Pick<SpansDocument, 'text'> & Partial<SpansDocument>,
  labels: readonly SentenceLabels[],
): string {
  const spans = labels.flatMap(({ sentence, chunks = [] }) =>
    chunks.map(({ start, end, ...chunk }) => ({
      ...chunk,
      start: sentence.start + sentence.tokens[2 * start],
      end: sentence.start + sentence.tokens[2 * end - 1],
    })),
  );
  const tokens = labels.flatMap(({ sentence, columns, chunks, labelColumn }) => {
    const names = Object.keys(columns).filter((name) => chunks === undefined || name !== labelColumn);
    return sentence.words.map((_, t) => ({
      start: sentence.start + sentence.tokens[2 * t],
      end: sentence.start + sentence.tokens[2 * t + 1],
      fields: Object.fromEntries(names.map((name) => [name, columns[name][t]])),
    }));
  });
  return `${formatSpansLine({ text, spans, tokens, ...(rest && { rest }) })}\n`;
}

/** CoNLL-U; a unit is a sentence. */
class ConlluReader implements UnitReader {
  private readonly scanner: ConlluScanner;
  private readonly columns: readonly string[];

  constructor({ source, columns }: UnitReaderOptions) {
    this.scanner = new ConlluScanner(source);
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
    const words = found.fields.map((fields) => conlluValue(fields, 'word') as string);
    const columns: Record<string, readonly string[]> = { word: words };
    for (const name of this.columns) {
      if (name === 'word') continue;
      const cells = found.fields.map((fields) => conlluValue(fields, name));
      if (cells.every((cell) => cell !== undefined)) columns[name] = cells as string[];
    }
    const lines = found.words.map((index) => found.firstLine + index);
    const one = { sentence: sentenceOf(found, words), columns, lines };
    return {
      problem: undefined,
      sentences: [one],
      raw,
      relabel: ([labels]) => relabelSentence(found, labels),
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

function relabelSentence(sentence: ConlluSentence, { columns }: SentenceLabels): string {
  const lines = sentence.lines.map(({ text }) => text);
  sentence.words.forEach((index, t) => {
    const fields = [...sentence.fields[t]];
    for (const [name, cells] of Object.entries(columns)) setConlluValue(fields, name, cells[t]);
    lines[index] = fields.join('\t');
  });
  return lines.map((line, i) => line + sentence.lines[i].ending).join('');
}
