import type { InputError } from '../base/errors.js';
import { grown } from '../base/growable.js';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import { bracketLine } from '../data/formats/brackets.js';
import {
  ColumnScanner,
  type ColumnSentence,
  type InputPosition,
  type Separator,
} from '../data/formats/columns.js';
import { inputCells, type LabelledSpan, spanConfidence, type Tagger } from './tagger.js';

/** Name of an output format of labelling. */
export type LabelFormat = 'columns' | 'brackets' | 'json';

/** Output formats, with their help. */
export const LABEL_FORMATS: Readonly<Record<LabelFormat, string>> = {
  columns: 'the input with one more column, tags in the training file’s scheme',
  brackets: 'a sentence a line, chunks in brackets: [NP The dog] [VP barks] .',
  json: 'a JSON object a line: tokens and chunks',
};

/** What happens to a sentence that cannot be read: `stop` at it, `skip` it, or `keep` it as it is, unlabelled. */
export type ErrorPolicy = 'stop' | 'skip' | 'keep';

/** All policies. */
export const ERROR_POLICIES: readonly ErrorPolicy[] = ['stop', 'skip', 'keep'];

/** How {@link ColumnLabeller} works. */
export interface LabelColumnsOptions {
  /** Name of the input in messages. */
  readonly source: string;
  /** Where the bytes begin, when they are a later part of the input. */
  readonly from?: InputPosition | undefined;
  /** Output format. */
  readonly format: LabelFormat;
  /** Whether confidences are written too. */
  readonly confidence: boolean;
  /** What happens to sentences that cannot be read. */
  readonly onError: ErrorPolicy;
  /** How cells are parted. */
  readonly separator?: Separator | undefined;
}

const NEWLINE = 10;
const TAB = 9;
const SPACE = 32;

/**
 * Labels a column file as its bytes come: push chunks, collect output. Memory is bounded by a chunk and the longest
 * sentence. Whatever stands between sentences (blank and -DOCSTART- lines) is passed through by `columns`.
 */
export class ColumnLabeller {
  /** Sentences labelled. */
  sentences = 0;
  /** Tokens labelled. */
  tokens = 0;
  /** Sentences that could not be read, and were skipped or kept. */
  badSentences = 0;
  /** The first of them. */
  firstProblem: InputError | undefined;
  /** Under `stop`: the sentence that could not be read. What was labelled before it is in the output. */
  stopped: InputError | undefined;
  private readonly tagger: Tagger;
  private readonly options: LabelColumnsOptions;
  private readonly scanner: ColumnScanner;
  private readonly out = new ByteBuffer();

  constructor(tagger: Tagger, options: LabelColumnsOptions) {
    this.tagger = tagger;
    this.options = options;
    const { source, separator, from } = options;
    this.scanner = new ColumnScanner({ cells: inputCells(tagger), source, separator, from });
  }

  /**
   * Labels the sentences that are complete with this chunk, up to one that stops the labeller; see {@link stopped}.
   *
   * @returns output bytes, a view that holds until the next call.
   */
  push(chunk: Uint8Array): Uint8Array {
    this.out.clear();
    this.scanner.push(chunk);
    this.labelAll();
    return this.out.view();
  }

  /** Labels what is left once all chunks are pushed; returns as {@link push}. */
  finish(): Uint8Array {
    this.out.clear();
    this.scanner.end();
    this.labelAll();
    if (this.options.format === 'columns' && !this.stopped) this.out.add(this.scanner.rest());
    return this.out.view();
  }

  private labelAll(): void {
    while (!this.stopped) {
      const sentence = this.scanner.next();
      if (sentence === undefined) return;
      if (sentence.problem) this.refuse(sentence, sentence.problem);
      else this.label(sentence);
    }
  }

  private refuse(sentence: ColumnSentence, problem: InputError): void {
    const { onError, format } = this.options;
    if (onError === 'stop') {
      this.stopped = problem;
      return;
    }
    this.badSentences++;
    this.firstProblem ??= problem;
    const { bytes, gapStart, lines, end } = sentence;
    const gap = bytes.subarray(gapStart, lines[0]);
    if (onError === 'skip') {
      // The blank line goes with the sentence; a -DOCSTART- line stays, since it is about what follows as well.
      if (format === 'columns' && gap.some((byte) => byte > SPACE)) this.out.add(gap);
      return;
    }
    if (format === 'columns') {
      this.out.add(bytes.subarray(gapStart, end));
      return;
    }
    const raw = decodeUtf8(bytes.subarray(lines[0], end)).trimEnd();
    if (format === 'json') this.out.addText(`${JSON.stringify({ error: problem.message, input: raw })}\n`);
    else this.out.addText(`${raw.replace(/\s+/g, ' ')}\n`);
  }

  private label(sentence: ColumnSentence): void {
    const { tagger } = this;
    const { length, cells, bytes } = sentence;
    tagger.decodeCells(bytes, cells, length);
    const spans = tagger.spans();
    const tags = tagger.tagStrings(spans);
    const confidences = this.options.confidence ? tagger.confidences() : undefined;
    this.sentences++;
    this.tokens += length;
    if (this.options.format === 'columns') {
      this.writeColumns(sentence, tags, confidences);
      return;
    }
    const columns = tagger.inputColumns.map((_, c) =>
      Array.from({ length }, (_, t) => {
        const at = (t * tagger.inputColumns.length + c) * 2;
        return decodeUtf8(bytes.subarray(cells[at], cells[at + 1]));
      }),
    );
    const rated = spans.map((span) => ({
      ...span,
      confidence: confidences && spanConfidence(span, confidences),
    }));
    if (this.options.format === 'brackets') this.out.addText(`${bracketLine(columns[0], rated)}\n`);
    else this.out.addText(`${JSON.stringify(this.toJson(columns, tags, rated, confidences))}\n`);
  }

  private writeColumns(sentence: ColumnSentence, tags: readonly string[], confidences?: Float32Array): void {
    const { out } = this;
    const { bytes, lines, length } = sentence;
    out.add(bytes.subarray(sentence.gapStart, lines[0]));
    for (let t = 0; t < length; t++) {
      const start = lines[2 * t];
      const end = lines[2 * t + 1];
      const next = t + 1 < length ? lines[2 * t + 2] : sentence.end;
      const separator = hasTab(bytes, start, end) ? TAB : SPACE;
      out.addRange(bytes, start, end);
      out.addByte(separator);
      out.addText(tags[t]);
      if (confidences) {
        out.addByte(separator);
        out.addText(confidences[t].toFixed(4));
      }
      if (next > end) out.addRange(bytes, end, next);
      else out.addByte(NEWLINE);
    }
  }

  private toJson(
    columns: readonly (readonly string[])[],
    tags: readonly string[],
    spans: readonly (Omit<LabelledSpan, 'confidence'> & { confidence: number | undefined })[],
    confidences: Float32Array | undefined,
  ) {
    const names = this.tagger.inputColumns;
    return {
      tokens: tags.map((tag, t) => ({
        ...Object.fromEntries(names.map((name, c) => [name, columns[c][t]])),
        tag,
        ...(confidences && { confidence: rounded(confidences[t]) }),
      })),
      chunks: spans.map(({ start, end, type, confidence }) => ({
        type,
        firstToken: start,
        lastToken: end - 1,
        text: columns[0].slice(start, end).join(' '),
        ...(confidence !== undefined && { confidence: rounded(confidence) }),
      })),
    };
  }
}

function hasTab(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === TAB) return true;
  return false;
}

function rounded(value: number): number {
  return Math.round(value * 10000) / 10000;
}

/** Bytes that are collected and handed out. */
class ByteBuffer {
  private bytes = new Uint8Array(1 << 16);
  private length = 0;
  /** Bytes of short texts that come again and again: tags. */
  private readonly encoded = new Map<string, Uint8Array>();

  clear(): void {
    this.length = 0;
  }

  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  addByte(byte: number): void {
    this.bytes = grown(this.bytes, this.length + 1);
    this.bytes[this.length++] = byte;
  }

  add(bytes: Uint8Array): void {
    this.bytes = grown(this.bytes, this.length + bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Copies byte by byte, which is faster than a view for lines of a few dozen bytes. */
  addRange(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = grown(this.bytes, this.length + end - start);
    const to = this.bytes;
    let at = this.length;
    for (let i = start; i < end; i++) to[at++] = bytes[i];
    this.length = at;
  }

  addText(text: string): void {
    let bytes = this.encoded.get(text);
    if (bytes === undefined) {
      bytes = encodeUtf8(text);
      if (text.length < 32 && this.encoded.size < 4096) this.encoded.set(text, bytes);
    }
    this.addRange(bytes, 0, bytes.length);
  }
}
