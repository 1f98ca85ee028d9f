import { InputError } from '../../base/errors.js';
import { decodeUtf8 } from '../../base/utf8.js';
import type { Bound } from '../../kernels/kernel.js';
import type { KernelName } from '../../kernels/kernels.js';
import {
  type ColumnScan,
  FEW_COLUMNS,
  LINES,
  POSITION,
  PROBLEM,
  PROBLEM_LINE,
  PROBLEM_NUMBER,
  RAGGED,
  SENTENCES,
  TOKENS,
  WIDTH,
  WIDTH_LINE,
} from '../../kernels/scan-columns.js';
import { badByteProblem } from './bad-bytes.js';
import { hintOf, looksLikeConllu } from './column-hints.js';
import type { ColumnLayout, Separator } from './column-layout.js';
import { MARGIN, makeScan, type SCAN_KERNELS } from './column-memory.js';

const NEWLINE = 10;
const SPACE = 32;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Bytes of room at first: for a chunk of a file and a sentence. */
const FIRST_BYTES = (1 << 17) + (1 << 14);
/** Tokens that are scanned at a time: their cells stay in the processor's cache until they are used. */
const FIRST_TOKENS = 4096;

export type { ColumnLayout, Separator };

/** A position in an input. */
export interface InputPosition {
  /** Line number, from 1. */
  readonly line: number;
  /** Byte offset, from 0. */
  readonly byte: number;
  /** Offset in UTF-16 units, from 0, without a byte order mark; needed where output says where text stands; default 0. */
  readonly start?: number | undefined;
  /** The same in code points. */
  readonly startCodePoint?: number | undefined;
}

/** Columns that all lines of an input are to have. */
export interface ColumnWidth {
  /** How many. */
  readonly columns: number;
  /** The line that has them, from 1. */
  readonly line: number;
}

/** Options of {@link ColumnScanner}. */
export interface ColumnScannerOptions extends ColumnLayout {
  /** Columns wanted, by number from 0; negative ones count from the end of the line (−1 is the last). */
  readonly cells: readonly number[];
  /** Name of the input in messages. */
  readonly source: string;
  /** Where the bytes begin, when they are a later part of the input; default its start. */
  readonly from?: InputPosition | undefined;
  /** Kernels that read; default the best. */
  readonly kernels?: KernelName | undefined;
}

/** Sentences of a column file, one after another; none of them has a problem. Holds until the scanner's next call. */
export interface ColumnBatch {
  /** The buffer that all positions refer to. */
  readonly bytes: Uint8Array;
  /** How many sentences. */
  readonly count: number;
  /** [count + 1] first token of each sentence; the last is the number of tokens. May be longer. */
  readonly starts: Uint32Array;
  /** [tokens × cells × 2] start and end of each wanted cell. May be longer. */
  readonly cells: Uint32Array;
  /** [tokens × 2] start and end of each token's line, without its line end. May be longer. */
  readonly lines: Uint32Array;
  /** Where what stands before the first sentence begins: blank and -DOCSTART- lines. */
  readonly gapStart: number;
  /** Where the last line of the last sentence ends, line end included. */
  readonly end: number;
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
  /** Line number of the first token, from 1. */
  readonly firstLine: number;
  /** Line number of a token, from 1. */
  lineOf(token: number): number;
  /** Where what stands between the sentence before and this one begins: blank and -DOCSTART- lines. */
  readonly gapStart: number;
  /** Where the sentence's last line ends, line end included. */
  readonly end: number;
  /** Why the sentence cannot be used, if it cannot. */
  readonly problem: InputError | undefined;
}

/** Whether a line that marks the start of a document stands before a sentence: all others there are blank. */
export function startsDocument({
  bytes,
  gapStart,
  lines,
}: Pick<ColumnSentence, 'bytes' | 'gapStart' | 'lines'>): boolean {
  for (let i = gapStart; i < lines[0]; i++) if (bytes[i] > SPACE && bytes[i] < 0x80) return true;
  return false;
}

/**
 * Reads sentences from the bytes of a CoNLL column file: one token a line, cells parted by blanks, a blank line
 * after each sentence. Accepts LF and CRLF, a byte order mark, a missing final newline, and -DOCSTART- lines, which
 * end a sentence and are no tokens. Holds no more than one chunk and one sentence at a time.
 *
 * Push chunks, take sentences with {@link next} until it gives none, and call {@link end} after the last chunk. Many sentences at
 * a time come from {@link nextBatch}; it leaves those that have a problem to {@link next}.
 */
export class ColumnScanner {
  private readonly options: ColumnScannerOptions;
  private kernels: Bound<typeof SCAN_KERNELS>;
  /** Where sentences are scanned to: those not taken yet, and the beginning of one whose end has not come. */
  private scan: ColumnScan;
  /** Bytes in the buffer. */
  private filled = 0;
  /** Where the last line that is whole ends. */
  private linesEnd = 0;
  /** Where what was taken last ends. */
  private gapStart = 0;
  /** Offset of the buffer from the start of the input. */
  private consumed: number;
  /** Lines before those of the scan. */
  private firstLine: number;
  private finished = false;
  /** Sentences of the scan that were taken. */
  private taken = 0;
  /** Sentences of the scan that may be taken, up to the first that has a problem. */
  private checked = 0;
  /** Problem of the last of them, if it has one. */
  private problem: InputError | undefined;
  /** Lines of the header that are still to come. */
  private header: number;
  /** Whether the input is CoNLL-U; nothing until its first sentence is there. */
  private conllu: boolean | undefined;
  /** Columns of the input's first token, where the bytes begin later. */
  private width: ColumnWidth | undefined;

  constructor(options: ColumnScannerOptions) {
    this.options = options;
    this.firstLine = options.from?.line ?? 1;
    this.header = options.from === undefined ? (options.header ?? 0) : 0;
    this.consumed = options.from?.byte ?? 0;
    ({ kernels: this.kernels, scan: this.scan } = makeScan(options, FIRST_BYTES, FIRST_TOKENS));
  }

  /**
   * Goes on with another part of the input, as if made anew for it; buffers are kept.
   *
   * @param width columns of the input's first token; default those of the first token to come.
   */
  restart(from: InputPosition, width?: ColumnWidth): void {
    this.scan.state.fill(0);
    this.width = width;
    this.scan.state[WIDTH] = width?.columns ?? 0;
    this.header = from.byte === 0 ? (this.options.header ?? 0) : 0;
    this.scan.starts[0] = 0;
    this.filled = 0;
    this.linesEnd = 0;
    this.gapStart = 0;
    this.consumed = from.byte;
    this.firstLine = from.line;
    this.finished = false;
    this.taken = 0;
    this.checked = 0;
    this.problem = undefined;
  }

  /** Adds the next bytes of the input. */
  push(chunk: Uint8Array): void {
    this.dropTaken();
    this.moveToFront();
    this.makeRoom(this.filled + chunk.length + 1, 0);
    const { bytes, state } = this.scan;
    bytes.set(chunk, this.filled);
    const newline = chunk.lastIndexOf(NEWLINE);
    if (newline >= 0) this.linesEnd = this.filled + newline + 1;
    this.filled += chunk.length;
    if (this.consumed === 0 && state[POSITION] === 0 && this.filled >= BYTE_ORDER_MARK.length) {
      if (BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)) state[POSITION] = BYTE_ORDER_MARK.length;
    }
  }

  /** Says that no bytes follow. */
  end(): void {
    this.finished = true;
    if (this.filled === this.linesEnd) return;
    // The last line gets an end, so that all lines have one.
    this.scan.bytes[this.filled] = NEWLINE;
    this.linesEnd = this.filled + 1;
  }

  /** Columns that all lines are to have, as far as a sentence was taken or looked for. */
  columnWidth(): ColumnWidth | undefined {
    const { state } = this.scan;
    if (this.width || state[WIDTH] === 0) return this.width;
    return { columns: state[WIDTH], line: this.firstLine + state[WIDTH_LINE] };
  }

  /**
   * The next whole sentence, or nothing until more bytes come (or at all, after {@link end}). Bytes that are no text after the last
   * sentence come as one without tokens that has a problem.
   */
  next(): ColumnSentence | undefined {
    if (!this.look()) return this.badRest();
    const { cells, lines, starts, ends, firstLines } = this.scan;
    const s = this.taken++;
    const width = this.options.cells.length * 2;
    const { gapStart } = this;
    this.gapStart = ends[s];
    const bytes = this.content();
    const firstLine = this.firstLine + firstLines[s];
    const own = lines.subarray(starts[s] * 2, starts[s + 1] * 2);
    const hasComments = this.options.comments !== undefined;
    return {
      bytes,
      length: starts[s + 1] - starts[s],
      cells: cells.subarray(starts[s] * width, starts[s + 1] * width),
      lines: own,
      firstLine,
      lineOf: (token) => firstLine + (hasComments ? newlinesIn(bytes, own[0], own[2 * token]) : token),
      gapStart,
      end: ends[s],
      problem: this.taken === this.checked ? this.problem : undefined,
    };
  }

  /**
   * Whole sentences that are there, or nothing until more bytes come, after {@link end}, or where {@link next} is to be called
   * because the next sentence has a problem.
   */
  nextBatch(): ColumnBatch | undefined {
    if (!this.look()) return undefined;
    this.dropTaken();
    const { starts, cells, lines, ends } = this.scan;
    const count = this.problem ? this.checked - 1 : this.checked;
    if (count === 0) return undefined;
    const { gapStart } = this;
    const end = ends[count - 1];
    this.taken = count;
    this.gapStart = end;
    return { bytes: this.content(), count, starts, cells, lines, gapStart, end };
  }

  /** Bytes after the last sentence taken (blank and -DOCSTART- lines); the whole rest after {@link end}. */
  rest(): Uint8Array {
    return this.scan.bytes.subarray(this.gapStart, this.scan.state[POSITION]);
  }

  private badRest(): ColumnSentence | undefined {
    const { gapStart } = this;
    const { bytes, cells, state } = this.scan;
    const end = state[POSITION];
    const at = this.finished ? this.kernels.findBadByte({ bytes, start: gapStart, end }) : -1;
    if (at < 0) return undefined;
    // The last line may have no end.
    let line = this.firstLine + state[LINES] - (bytes[end - 1] === NEWLINE ? 0 : 1);
    for (let i = at; i < end; i++) if (bytes[i] === NEWLINE) line--;
    const place = { source: this.options.source, line, byte: this.consumed + at };
    const problem = new InputError(place, badByteProblem(bytes[at]));
    this.gapStart = end;
    const none = cells.subarray(0, 0);
    return {
      bytes: this.content(),
      length: 0,
      cells: none,
      lines: none,
      firstLine: line,
      lineOf: () => line,
      gapStart,
      end,
      problem,
    };
  }

  private content(): Uint8Array {
    return this.scan.bytes.subarray(0, this.filled);
  }

  /** Sees to it that the next sentence is scanned and checked; false where it is not there yet. */
  private look(): boolean {
    if (this.taken < this.checked) return true;
    this.dropTaken();
    const { state } = this.scan;
    if (state[SENTENCES] === 0) this.scanAhead();
    if (this.scan.state[SENTENCES] === 0) return false;
    this.check();
    return true;
  }

  /** Scans as many sentences as there are, or as there is room for. */
  private scanAhead(): void {
    this.scanOn();
    while (this.scan.state[SENTENCES] === 0 && this.scan.state[POSITION] < this.linesEnd) {
      // A sentence is longer than all of the arrays.
      this.makeRoom(0, this.scan.lines.length);
      this.scanOn();
    }
    const { state, starts, ends } = this.scan;
    if (!this.finished || state[POSITION] < this.linesEnd) return;
    // The line end that the last line was given is not there.
    state[POSITION] = this.filled;
    this.linesEnd = this.filled;
    const count = state[SENTENCES];
    if (state[TOKENS] === starts[count]) return;
    ends[count] = this.filled;
    starts[count + 1] = state[TOKENS];
    state[SENTENCES]++;
  }

  private scanOn(): void {
    const { bytes, state } = this.scan;
    for (; this.header > 0 && state[POSITION] < this.linesEnd; this.header--) {
      state[POSITION] = bytes.indexOf(NEWLINE, state[POSITION]) + 1;
      state[LINES]++;
    }
    this.scan.end = this.linesEnd;
    this.kernels.scanColumns(this.scan);
  }

  /** Looks which of the sentences scanned have no problem, and notes what it is with the first other. */
  private check(): void {
    const { bytes, state, starts, ends } = this.scan;
    const count = state[SENTENCES];
    const bad = this.kernels.findBadByte({ bytes, start: this.gapStart, end: ends[count - 1] });
    this.checked = count;
    if (this.isConllu()) {
      this.checked = 1;
      this.problem = new InputError(
        { source: this.options.source, line: this.firstLine + this.scan.firstLines[0] },
        'expected columns that begin with the word, found CoNLL-U; --input-format conllu reads it (--columns _,word,… its columns)',
      );
    } else if (bad >= 0) {
      // Bad bytes first: in a file that is no text, missing columns only follow from them.
      this.checked = ends.findIndex((end) => end > bad) + 1;
      this.problem = this.badByteProblem(this.checked - 1, bad);
    } else if (state[PROBLEM] !== 0 && state[TOKENS] === starts[count]) this.problem = this.cellProblem();
  }

  /** Problem of the last sentence that has ended. */
  private cellProblem(): InputError {
    const { needed, state } = this.scan;
    const line = this.firstLine + state[PROBLEM_LINE];
    const number = state[PROBLEM_NUMBER];
    let problem = `expected a value in column ${number + 1}, found an empty cell`;
    if (state[PROBLEM] === FEW_COLUMNS) problem = `expected at least ${needed} columns, found ${number}`;
    else if (state[PROBLEM] === RAGGED) problem = this.raggedProblem(number);
    return new InputError({ source: this.options.source, line }, problem);
  }

  /** Problem of a line with another number of columns than the first, and what the file may be. */
  private raggedProblem(found: number): string {
    const { separator, comments } = this.options;
    const { columns, line } = this.columnWidth() as ColumnWidth;
    const own = this.linesOf(this.scan.state[SENTENCES] - 1);
    const expected = `expected ${columns} columns as in line ${line}, found ${found}`;
    return `${expected}; ${hintOf(own, separator === 'tab', comments !== undefined)}`;
  }

  /** Whether the first sentence is one of CoNLL-U, whose first column was taken for words. */
  private isConllu(): boolean {
    this.conllu ??= this.options.cells[0] === 0 && looksLikeConllu(this.linesOf(0));
    return this.conllu;
  }

  /** Lines of a sentence of the scan. */
  private linesOf(sentence: number): string[] {
    const { bytes, lines, starts } = this.scan;
    return Array.from({ length: starts[sentence + 1] - starts[sentence] }, (_, i) => {
      const t = starts[sentence] + i;
      return decodeUtf8(bytes.subarray(lines[2 * t], lines[2 * t + 1]));
    });
  }

  private badByteProblem(sentence: number, at: number): InputError {
    const { bytes, lines, starts, firstLines } = this.scan;
    const start = lines[2 * starts[sentence]];
    let line = this.firstLine + firstLines[sentence];
    for (let i = start; i < at; i++) if (bytes[i] === NEWLINE) line++;
    for (let i = at; i < start; i++) if (bytes[i] === NEWLINE) line--;
    const place = { source: this.options.source, line, byte: this.consumed + at };
    return new InputError(place, badByteProblem(bytes[at]));
  }

  /** Forgets the sentences taken. */
  private dropTaken(): void {
    const { taken } = this;
    if (taken === 0) return;
    const { cells, lines, starts, ends, firstLines, state } = this.scan;
    const count = state[SENTENCES];
    const tokens = state[TOKENS];
    const first = starts[taken];
    const width = this.options.cells.length * 2;
    cells.copyWithin(0, first * width, tokens * width);
    lines.copyWithin(0, first * 2, tokens * 2);
    for (let s = taken; s <= count; s++) starts[s - taken] = starts[s] - first;
    ends.copyWithin(0, taken, count);
    firstLines.copyWithin(0, taken, count + 1);
    state[TOKENS] = tokens - first;
    state[SENTENCES] = count - taken;
    this.checked -= taken;
    this.taken = 0;
    if (this.checked > 0) return;
    this.problem = undefined;
    // Else it is that of a sentence which is still to come.
    if (tokens === first) state[PROBLEM] = 0;
  }

  /** Moves what is still needed to the front of the buffer. */
  private moveToFront(): void {
    const { bytes, cells, lines, ends, state } = this.scan;
    const shift = this.gapStart;
    if (shift === 0) return;
    bytes.copyWithin(0, shift, this.filled);
    this.filled -= shift;
    this.linesEnd -= shift;
    this.consumed += shift;
    this.gapStart = 0;
    state[POSITION] -= shift;
    const tokens = state[TOKENS];
    for (let i = 0; i < tokens * this.options.cells.length * 2; i++) cells[i] -= shift;
    for (let i = 0; i < tokens * 2; i++) lines[i] -= shift;
    for (let s = 0; s < state[SENTENCES]; s++) ends[s] -= shift;
  }

  /** Makes room for so many bytes in all, and so many more tokens. */
  private makeRoom(bytes: number, tokens: number): void {
    const { scan } = this;
    const room = scan.bytes.length - MARGIN;
    if (bytes <= room && tokens === 0) return;
    const capacity = bytes > room ? Math.max(bytes, 2 * room) : room;
    const { kernels, scan: larger } = makeScan(this.options, capacity, scan.lines.length / 2 + tokens);
    for (const name of ['bytes', 'cells', 'lines', 'starts', 'ends', 'firstLines', 'state'] as const) {
      larger[name].set(scan[name]);
    }
    this.kernels = kernels;
    this.scan = larger;
  }
}

/** How many line ends there are from `start` to `end`. */
export function newlinesIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let i = bytes.indexOf(NEWLINE, start); i >= 0 && i < end; i = bytes.indexOf(NEWLINE, i + 1)) count++;
  return count;
}
