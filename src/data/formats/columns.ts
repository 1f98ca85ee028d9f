import { InputError } from '../../base/errors.js';
import { grown, Uint32List } from '../../base/growable.js';
import { findBadByte } from './bad-bytes.js';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const DOCUMENT_START = [...'-DOCSTART-'].map((letter) => letter.charCodeAt(0));

/** How cells of a line are told apart. */
export type Separator = 'blanks' | 'tab';

/** A position in an input. */
export interface InputPosition {
  /** Line number, from 1. */
  readonly line: number;
  /** Byte offset, from 0. */
  readonly byte: number;
}

/** What {@link ColumnScanner} is to read. */
export interface ColumnScannerOptions {
  /** Columns wanted, by number from 0; negative ones count from the end of the line (−1 is the last). */
  readonly cells: readonly number[];
  /** Name of the input in messages. */
  readonly source: string;
  /** Where the bytes begin, when they are a later part of the input; default its start. */
  readonly from?: InputPosition | undefined;
  /** `blanks` (default): any run of spaces and tabs; `tab`: single tabs, so that cells may hold spaces. */
  readonly separator?: Separator | undefined;
}

/** One sentence of a column file. Positions point into the scanner's buffer and hold until its next call. */
export interface ColumnSentence {
  /** The buffer that all positions refer to. */
  readonly bytes: Uint8Array;
  /** Number of tokens T. */
  readonly length: number;
  /** [T × cells × 2] start and end of each wanted cell. */
  readonly cells: Uint32Array;
  /** [T × 2] start and end of each token's line, without its line end. */
  readonly lines: Uint32Array;
  /** Line number of the first token, from 1; the others follow without gaps. */
  readonly firstLine: number;
  /** Where what stands between the sentence before and this one begins: blank and -DOCSTART- lines. */
  readonly gapStart: number;
  /** Where the sentence's last line ends, line end included. */
  readonly end: number;
  /** Why the sentence cannot be used, if it cannot. */
  readonly problem: InputError | undefined;
}

/**
 * Reads sentences from the bytes of a CoNLL column file: one token a line, cells parted by blanks, a blank line
 * after each sentence. Accepts LF and CRLF, a byte order mark, a missing final newline, and -DOCSTART- lines, which
 * end a sentence and are no tokens. Holds no more than one chunk and one sentence at a time.
 *
 * Push chunks, take sentences with {@link next} until it gives none, and call {@link end} after the last chunk.
 */
export class ColumnScanner {
  private readonly source: string;
  private readonly wanted: readonly number[];
  private readonly tabsOnly: boolean;
  private readonly columnsNeeded: number;
  private buffer = new Uint8Array(1 << 16);
  /** Bytes in the buffer. */
  private filled = 0;
  /** The part of the buffer that is filled: what stands after it is old. */
  private content = this.buffer.subarray(0, 0);
  /** No newline stands between `position` and this. */
  private searched = 0;
  /** Next byte to parse; always the start of a line. */
  private position = 0;
  private gapStart = 0;
  /** Offset of buffer[0] from the start of the input. */
  private consumed = 0;
  private line = 0;
  private finished = false;
  /** Bytes below this have been checked for NUL and UTF-8. */
  private checked = 0;
  /** First bad byte known, or −1. */
  private badByte = -1;
  private badByteProblem = '';
  private tokens = 0;
  private firstLine = 0;
  private sentenceStart = 0;
  private problem: InputError | undefined;
  private cells = new Uint32Array(256);
  private lines = new Uint32Array(128);
  private readonly bounds = new Uint32List(32);

  constructor(options: ColumnScannerOptions) {
    this.source = options.source;
    this.wanted = options.cells;
    this.line = (options.from?.line ?? 1) - 1;
    this.consumed = options.from?.byte ?? 0;
    this.tabsOnly = options.separator === 'tab';
    this.columnsNeeded = Math.max(...options.cells.map((cell) => (cell < 0 ? -cell : cell + 1)));
  }

  /** Goes on with another part of the input, as if made anew for it; buffers are kept. */
  restart(from: InputPosition): void {
    this.filled = 0;
    this.content = this.buffer.subarray(0, 0);
    this.searched = 0;
    this.position = 0;
    this.gapStart = 0;
    this.consumed = from.byte;
    this.line = from.line - 1;
    this.finished = false;
    this.checked = 0;
    this.badByte = -1;
    this.tokens = 0;
    this.sentenceStart = 0;
    this.problem = undefined;
  }

  /** Adds the next bytes of the input. */
  push(chunk: Uint8Array): void {
    this.dropConsumed();
    this.buffer = grown(this.buffer, this.filled + chunk.length);
    this.buffer.set(chunk, this.filled);
    this.filled += chunk.length;
    this.content = this.buffer.subarray(0, this.filled);
    if (this.consumed === 0 && this.position === 0 && this.filled >= BYTE_ORDER_MARK.length) {
      if (BYTE_ORDER_MARK.every((byte, i) => this.buffer[i] === byte)) this.position = BYTE_ORDER_MARK.length;
    }
  }

  /** Says that no bytes follow. */
  end(): void {
    this.finished = true;
  }

  /** The next whole sentence, or nothing until more bytes come (or at all, after {@link end}). */
  next(): ColumnSentence | undefined {
    this.startAfterTaken();
    while (this.position < this.filled) {
      let lineEnd = this.content.indexOf(NEWLINE, Math.max(this.position, this.searched));
      let following = lineEnd + 1;
      if (lineEnd < 0) {
        this.searched = this.filled;
        if (!this.finished) return undefined;
        lineEnd = this.filled;
        following = this.filled;
      }
      this.check(following);
      if (lineEnd > this.position && this.buffer[lineEnd - 1] === RETURN) lineEnd--;
      this.line++;
      const isToken = this.splitLine(this.position, lineEnd);
      const wasAt = this.position;
      this.position = following;
      if (isToken) this.addToken(wasAt, lineEnd);
      else if (this.tokens > 0) return this.take(wasAt);
    }
    return this.finished && this.tokens > 0 ? this.take(this.filled) : undefined;
  }

  /** What follows the last sentence taken (blank and -DOCSTART- lines); the whole rest after {@link end}. */
  rest(): Uint8Array {
    return this.buffer.subarray(this.gapStart, this.position);
  }

  /** Splits a line into `bounds`; false for blank and -DOCSTART- lines. */
  private splitLine(start: number, end: number): boolean {
    const { buffer, bounds } = this;
    // No more cells than bytes, and one: room for them beforehand, so that the loop calls nothing.
    bounds.reserve(2 * (end - start + 1));
    const { values } = bounds;
    let count = 0;
    let i = start;
    while (i < end && isBlank(buffer[i])) i++;
    if (i === end) return false;
    if (this.tabsOnly) {
      // Nothing is trimmed: a line may begin or end with an empty cell.
      for (let cell = start; cell <= end; cell = i + 1) {
        for (i = cell; i < end && buffer[i] !== TAB; ) i++;
        values[count++] = cell;
        values[count++] = i;
      }
    } else {
      while (i < end) {
        values[count++] = i;
        while (i < end && !isBlank(buffer[i])) i++;
        values[count++] = i;
        while (i < end && isBlank(buffer[i])) i++;
      }
    }
    bounds.length = count;
    return !isDocumentStart(buffer, bounds.values[0], bounds.values[1]);
  }

  private addToken(start: number, end: number): void {
    const { wanted, bounds } = this;
    const found = bounds.length / 2;
    if (this.tokens === 0) {
      this.firstLine = this.line;
      this.sentenceStart = start;
    }
    const width = wanted.length * 2;
    this.cells = grown(this.cells, (this.tokens + 1) * width);
    this.lines = grown(this.lines, (this.tokens + 1) * 2);
    this.lines[this.tokens * 2] = start;
    this.lines[this.tokens * 2 + 1] = end;
    if (found < this.columnsNeeded) {
      this.problem ??= new InputError(
        { source: this.source, line: this.line },
        `expected at least ${this.columnsNeeded} columns, found ${found}`,
      );
    } else {
      let at = this.tokens * width;
      for (let i = 0; i < wanted.length; i++) {
        const column = wanted[i] < 0 ? found + wanted[i] : wanted[i];
        if (bounds.values[column * 2] === bounds.values[column * 2 + 1]) {
          this.problem ??= new InputError(
            { source: this.source, line: this.line },
            `expected a value in column ${column + 1}, found an empty cell`,
          );
        }
        this.cells[at++] = bounds.values[column * 2];
        this.cells[at++] = bounds.values[column * 2 + 1];
      }
    }
    this.tokens++;
  }

  /** Hands out the sentence collected; it ends where the line after its last token starts. */
  private take(end: number): ColumnSentence {
    const sentence: ColumnSentence = {
      bytes: this.buffer,
      length: this.tokens,
      cells: this.cells,
      lines: this.lines,
      firstLine: this.firstLine,
      gapStart: this.gapStart,
      end,
      // Bad bytes first: in a file that is no text, missing columns only follow from them.
      problem: this.badByteBefore(end) ?? this.problem,
    };
    this.gapStart = end;
    return sentence;
  }

  private startAfterTaken(): void {
    if (this.tokens > 0 && this.gapStart > this.sentenceStart) {
      this.tokens = 0;
      this.problem = undefined;
      if (this.badByte >= 0 && this.badByte < this.gapStart) {
        this.badByte = -1;
        this.checked = Math.max(this.checked, this.gapStart);
      }
    }
  }

  /** Checks whole lines for NUL bytes and invalid UTF-8 in one sweep over all that are in the buffer. */
  private check(lineEnd: number): void {
    if (lineEnd <= this.checked || this.badByte >= 0) return;
    const { buffer } = this;
    const end = this.finished ? this.filled : buffer.lastIndexOf(NEWLINE, this.filled - 1) + 1;
    const from = this.checked;
    const region = buffer.subarray(from, end);
    const bad = findBadByte(region);
    this.checked = end;
    if (bad === undefined) return;
    this.badByte = from + bad.at;
    this.checked = this.badByte + 1;
    this.badByteProblem = bad.problem;
  }

  private badByteBefore(end: number): InputError | undefined {
    const { badByte, sentenceStart } = this;
    if (badByte < 0 || badByte >= end) return undefined;
    let line = this.firstLine;
    for (let i = sentenceStart; i < badByte; i++) if (this.buffer[i] === NEWLINE) line++;
    for (let i = badByte; i < sentenceStart; i++) if (this.buffer[i] === NEWLINE) line--;
    return new InputError({ source: this.source, line, byte: this.consumed + badByte }, this.badByteProblem);
  }

  /** Moves what is still needed to the front of the buffer. */
  private dropConsumed(): void {
    this.startAfterTaken();
    const shift = this.gapStart;
    if (shift === 0) return;
    this.buffer.copyWithin(0, shift, this.filled);
    this.filled -= shift;
    this.position -= shift;
    this.searched = Math.max(0, this.searched - shift);
    this.consumed += shift;
    this.checked = Math.max(0, this.checked - shift);
    if (this.badByte >= 0) this.badByte -= shift;
    this.gapStart = 0;
    this.sentenceStart -= shift;
    for (let i = 0; i < this.tokens * this.wanted.length * 2; i++) this.cells[i] -= shift;
    for (let i = 0; i < this.tokens * 2; i++) this.lines[i] -= shift;
  }
}

/** Whether a first cell, or a line that begins with it, marks the start of a document. */
export function isDocumentStart(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < DOCUMENT_START.length || bytes[start] !== DOCUMENT_START[0]) return false;
  return DOCUMENT_START.every((byte, i) => bytes[start + i] === byte);
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}
