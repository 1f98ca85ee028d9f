/**
 * Reads the lines of column files: where tokens, their cells and their sentences are. The plain kernels, oracle of their SIMD
 * twins.
 */
import { findInvalidUtf8 } from '../base/utf8.js';
import type { Kernel } from './kernel.js';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
/** Starts of lines that mark the start of a document: as CoNLL-2003 and the JNLPBA corpus have them. */
export const DOCUMENT_MARKS: readonly string[] = ['-DOCSTART-', '###MEDLINE'];
const MARKS = DOCUMENT_MARKS.map((mark) => [...mark].map((letter) => letter.charCodeAt(0)));

/** Index in {@link ColumnScan.state}: where the next line starts. */
export const POSITION = 0;
/** Index in {@link ColumnScan.state}: tokens found, those of a sentence that has not ended included. */
export const TOKENS = 1;
/** Index in {@link ColumnScan.state}: sentences found that have ended. */
export const SENTENCES = 2;
/** Index in {@link ColumnScan.state}: lines read. */
export const LINES = 3;
/** Index in {@link ColumnScan.state}: first problem of the last sentence, {@link FEW_COLUMNS} and so on; 0 for none. */
export const PROBLEM = 4;
/** Index in {@link ColumnScan.state}: lines read before the problem. */
export const PROBLEM_LINE = 5;
/** Index in {@link ColumnScan.state}: number of columns there, or of the one that is empty. */
export const PROBLEM_NUMBER = 6;
/** Index in {@link ColumnScan.state}: columns of the first token's line; 0 before it. */
export const WIDTH = 7;
/** Index in {@link ColumnScan.state}: lines read before that line. */
export const WIDTH_LINE = 8;
/** How many numbers the state has. */
export const STATE_NUMBERS = 9;

/** {@link PROBLEM}: a line has fewer columns than are needed. */
export const FEW_COLUMNS = 1;
/** {@link PROBLEM}: a wanted cell is empty. */
export const EMPTY_CELL = 2;
/** {@link PROBLEM}: a line has another number of columns than the first. */
export const RAGGED = 3;

/** Arrays that {@link scanColumns} reads and writes. All positions count from the first of `bytes`. */
export interface ColumnScan {
  /** The text, with room for 64 bytes after it. */
  readonly bytes: Uint8Array;
  /** Whether single tabs part cells, which may then hold spaces; else runs of spaces and tabs. */
  readonly tabs: boolean;
  /** First bytes of lines that are comments, up to 4, the first lowest; see {@link commentMask}. */
  readonly comment: number;
  /** The bits of {@link comment} that count; 0 where no lines are comments. */
  readonly commentMask: number;
  /** [C] columns wanted, by number from 0; negative ones count from the end of the line. */
  readonly wanted: Int32Array;
  /** Columns that a line must have for that, at least 1. */
  readonly needed: number;
  /** Room for the cells of a line that may be wanted: the first `needed`, and as many as a power of 2 not less of the last. */
  readonly bounds: Uint32Array;
  /** [tokens × C × 2] start and end of each wanted cell; of a sentence that has a problem not all. */
  readonly cells: Uint32Array;
  /** [tokens × 2] start and end of each token's line, without its line end. */
  readonly lines: Uint32Array;
  /** [sentences + 1] first token of each sentence; the last is that of the one to come. */
  readonly starts: Uint32Array;
  /** [sentences] where the line after its last token starts. */
  readonly ends: Uint32Array;
  /** [sentences + 1] lines read before its first token's. */
  readonly firstLines: Uint32Array;
  /** [{@link STATE_NUMBERS}] how far the scan is. */
  readonly state: Uint32Array;
  /** Where the scan is to stop, the end of a line. */
  end: number;
}

/**
 * Goes on with a scan up to its end. Blank lines and those that begin with one of {@link DOCUMENT_MARKS} end a sentence and
 * are no tokens; comments are no tokens either. Stops before where the arrays are full, and after a sentence that has a
 * problem.
 */
export const scanColumns: Kernel<ColumnScan, void> = {
  name: 'scanColumns',
  plain(scan) {
    const { bytes, lines, starts, ends, firstLines, state, end } = scan;
    const mostTokens = lines.length / 2;
    while (state[POSITION] < end && state[TOKENS] < mostTokens && state[SENTENCES] < ends.length) {
      const start = state[POSITION];
      const newline = bytes.indexOf(NEWLINE, start);
      const lineEnd = endOfText(bytes, start, newline);
      if (isComment(scan, start)) {
        state[POSITION] = newline + 1;
        state[LINES]++;
        continue;
      }
      const found = splitLine(scan, start, lineEnd);
      const sentence = state[SENTENCES];
      const isOpen = state[TOKENS] > starts[sentence];
      if (found > 0) {
        if (!isOpen) firstLines[sentence] = state[LINES];
        addToken(scan, start, lineEnd, found);
      }
      state[POSITION] = newline + 1;
      state[LINES]++;
      if (found > 0 || !isOpen) continue;
      ends[sentence] = start;
      starts[sentence + 1] = state[TOKENS];
      state[SENTENCES]++;
      if (state[PROBLEM] !== 0) return;
    }
  },
  parameters: {
    bytes: ['uint8', ({ bytes }) => bytes],
    tabs: ['flag', ({ tabs }) => tabs],
    comment: ['number', ({ comment }) => comment],
    commentMask: ['number', ({ commentMask }) => commentMask],
    wanted: ['int32', ({ wanted }) => wanted],
    columns: ['number', ({ wanted }) => wanted.length],
    needed: ['number', ({ needed }) => needed],
    bounds: ['uint32', ({ bounds }) => bounds],
    mask: ['number', ({ bounds, needed }) => bounds.length / 2 - needed - 1],
    cells: ['uint32', ({ cells }) => cells],
    lines: ['uint32', ({ lines }) => lines],
    mostTokens: ['number', ({ lines }) => lines.length / 2],
    starts: ['uint32', ({ starts }) => starts],
    sentenceEnds: ['uint32', ({ ends }) => ends],
    mostSentences: ['number', ({ ends }) => ends.length],
    firstLines: ['uint32', ({ firstLines }) => firstLines],
    state: ['uint32', ({ state }) => state],
    end: ['number', ({ end }) => end],
  },
};

/** Where a line's text ends: before LF and all CR in front of it, of which there are several where CRLF was written once more as text. */
export function endOfText(bytes: Uint8Array, start: number, newline: number): number {
  let end = newline;
  while (end > start && bytes[end - 1] === RETURN) end--;
  return end;
}

/** Splits a line into `bounds`; returns how many cells it has, 0 for lines that are no tokens. */
function splitLine({ bytes, tabs, needed, bounds }: ColumnScan, start: number, end: number): number {
  const mask = bounds.length / 2 - needed - 1;
  let found = 0;
  const keep = (cellStart: number, cellEnd: number) => {
    const at = 2 * slotOf(found++, needed, mask);
    bounds[at] = cellStart;
    bounds[at + 1] = cellEnd;
  };
  let i = start;
  while (i < end && isBlank(bytes[i])) i++;
  if (i === end) return 0;
  if (tabs) {
    // Nothing is trimmed: a line may begin or end with an empty cell.
    for (let cell = start; cell <= end; cell = i + 1) {
      for (i = cell; i < end && bytes[i] !== TAB; ) i++;
      keep(cell, i);
    }
  } else {
    while (i < end) {
      const cell = i;
      while (i < end && !isBlank(bytes[i])) i++;
      keep(cell, i);
      while (i < end && isBlank(bytes[i])) i++;
    }
  }
  return isDocumentStart(bytes, bounds[0], bounds[1]) ? 0 : found;
}

/** Place of a cell's bounds: after the first cells only the last ones are kept. */
function slotOf(cell: number, needed: number, mask: number): number {
  return cell < needed ? cell : needed + (cell & mask);
}

function addToken(scan: ColumnScan, start: number, end: number, found: number): void {
  const { wanted, needed, bounds, cells, lines, state } = scan;
  const mask = bounds.length / 2 - needed - 1;
  const token = state[TOKENS]++;
  lines[2 * token] = start;
  lines[2 * token + 1] = end;
  if (found < needed) {
    noteProblem(state, FEW_COLUMNS, found);
    return;
  }
  if (state[WIDTH] === 0) {
    state[WIDTH] = found;
    state[WIDTH_LINE] = state[LINES];
  } else if (found !== state[WIDTH]) noteProblem(state, RAGGED, found);
  let at = 2 * token * wanted.length;
  for (let i = 0; i < wanted.length; i++) {
    const column = wanted[i] < 0 ? found + wanted[i] : wanted[i];
    const slot = 2 * slotOf(column, needed, mask);
    if (bounds[slot] === bounds[slot + 1]) noteProblem(state, EMPTY_CELL, column);
    cells[at++] = bounds[slot];
    cells[at++] = bounds[slot + 1];
  }
}

function noteProblem(state: Uint32Array, problem: number, number: number): void {
  if (state[PROBLEM] !== 0) return;
  state[PROBLEM] = problem;
  state[PROBLEM_LINE] = state[LINES];
  state[PROBLEM_NUMBER] = number;
}

/** Whether a line that starts at `start` is a comment; bytes after the text do not count, as a line ends before them. */
function isComment({ bytes, comment, commentMask }: ColumnScan, start: number): boolean {
  const first = bytes[start] | (bytes[start + 1] << 8) | (bytes[start + 2] << 16) | (bytes[start + 3] << 24);
  return commentMask !== 0 && ((first ^ comment) & commentMask) === 0;
}

/** Whether a first cell, or a line that begins with it, marks the start of a document. */
export function isDocumentStart(bytes: Uint8Array, start: number, end: number): boolean {
  return MARKS.some(
    (mark) =>
      end - start >= mark.length &&
      bytes[start] === mark[0] &&
      mark.every((byte, i) => bytes[start + i] === byte),
  );
}

/** Whether a byte stands between cells. */
export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}

/** Bytes in which a bad one is looked for. */
export interface ByteSearch {
  /** The bytes. */
  readonly bytes: Uint8Array;
  /** First byte looked at. */
  readonly start: number;
  /** Byte after the last. */
  readonly end: number;
}

/** Finds the first NUL byte, or the first start of what is not UTF-8. Returns its place in `bytes`, −1 where there is none. */
export const findBadByte: Kernel<ByteSearch, number> = {
  name: 'findBadByte',
  plain({ bytes, start, end }) {
    const part = bytes.subarray(start, end);
    const zero = part.indexOf(0);
    const invalid = findInvalidUtf8(part);
    const at = zero >= 0 && (invalid < 0 || zero < invalid) ? zero : invalid;
    return at < 0 ? -1 : start + at;
  },
  parameters: {
    bytes: ['uint8', ({ bytes }) => bytes],
    start: ['number', ({ start }) => start],
    end: ['number', ({ end }) => end],
  },
};
