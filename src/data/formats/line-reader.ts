import { InputError } from '../../base/errors.js';
import { grown } from '../../base/growable.js';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js';
import { findBadByte } from './bad-bytes.js';
import type { InputPosition } from './columns.js';

const NEWLINE = 10;
const RETURN = 13;
/** In place of an offset: some byte of the lines that are there is no text. */
const UNSOUND = -1;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A line of an input. */
export interface InputLine {
  /** A byte order mark before it, or nothing. */
  readonly mark: string;
  /** Its characters; none where it holds bytes that are no text. */
  readonly text: string;
  /** Its bytes, mark and line end included, where they are no text. */
  readonly bytes?: Uint8Array | undefined;
  /** Its line end: LF after any number of CR, or nothing at the end of the input. */
  readonly ending: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Why it cannot be used, if it cannot. */
  readonly problem: InputError | undefined;
}

/** A line as bytes; they hold until the reader that gave it is given more. Those of all lines are views of one array until then. */
export interface LineBytes extends Omit<InputLine, 'text' | 'bytes'> {
  /** Its bytes without mark and line end. */
  readonly bytes: Uint8Array;
}

/** Lines as they are in the input: a text, or bytes where some are no text. */
export function rawLines(lines: readonly Omit<InputLine, 'line' | 'problem'>[]): string | Uint8Array {
  if (lines.every(({ bytes }) => bytes === undefined)) {
    return lines.map(({ mark, text, ending }) => mark + text + ending).join('');
  }
  const parts = lines.map(({ mark, text, ending, bytes }) => bytes ?? encodeUtf8(mark + text + ending));
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

/**
 * Reads lines from UTF-8 bytes as they come; a byte order mark is no part of the text. Push chunks, take lines with {@link next}
 * until it gives none, and call {@link end} after the last chunk. Memory is bounded by a chunk and the longest line.
 */
export class LineReader {
  private readonly source: string;
  private buffer = new Uint8Array(1 << 16);
  /** The part of the buffer that is filled; what stands after it is old. */
  private filled = this.buffer.subarray(0, 0);
  /** Start of the next line. */
  private position = 0;
  /** No newline stands between `position` and this. */
  private searched = 0;
  /** All up to here is known to be text. */
  private sound = 0;
  /** Offset of buffer[0] from the start of the input. */
  private consumed: number;
  private line: number;
  private ended = false;

  /**
   * @param source names the input in messages.
   * @param from where the bytes begin, at a line's start, when they are a later part of the input.
   */
  constructor(source: string, from: Pick<InputPosition, 'line' | 'byte'> = { line: 1, byte: 0 }) {
    this.source = source;
    this.consumed = from.byte;
    this.line = from.line - 1;
  }

  /** Adds the next bytes of the input. */
  push(chunk: Uint8Array): void {
    const kept = this.filled.length - this.position;
    if (this.position > 0) {
      this.buffer.copyWithin(0, this.position, this.filled.length);
      this.searched -= this.position;
      this.sound = 0;
      this.consumed += this.position;
      this.position = 0;
    }
    this.buffer = grown(this.buffer, kept + chunk.length);
    this.buffer.set(chunk, kept);
    this.filled = this.buffer.subarray(0, kept + chunk.length);
  }

  /** Says that no bytes follow. */
  end(): void {
    this.ended = true;
  }

  /** The next whole line, or nothing until more bytes come (or at all, after {@link end}). */
  next(): InputLine | undefined {
    const start = this.position;
    const line = this.nextBytes();
    if (line === undefined) return undefined;
    const { bytes, ...rest } = line;
    if (line.problem === undefined) return { ...rest, text: decodeUtf8(bytes) };
    return { ...rest, text: '', bytes: this.filled.slice(start, this.position) };
  }

  /** As {@link next}, but the line's bytes as they stand in the reader's buffer. */
  nextBytes(): LineBytes | undefined {
    const { filled } = this;
    const newline = filled.indexOf(NEWLINE, this.searched);
    const isWhole = newline >= 0;
    if (!isWhole) {
      this.searched = filled.length;
      if (!this.ended || this.position === filled.length) return undefined;
    }
    const lineStart = this.position;
    let end = isWhole ? newline : filled.length;
    this.position = isWhole ? newline + 1 : filled.length;
    this.searched = this.position;
    this.line++;
    const isMarked =
      this.consumed + lineStart === 0 && BYTE_ORDER_MARK.every((byte, i) => filled[i] === byte);
    const start = isMarked ? lineStart + BYTE_ORDER_MARK.length : lineStart;
    let ending = isWhole ? '\n' : '';
    // Several where a file with CRLF was written once more as text.
    for (; isWhole && end > start && filled[end - 1] === RETURN; end--) ending = `\r${ending}`;
    const bytes = filled.subarray(start, end);
    const bad = isWhole && this.isSound(lineStart) ? undefined : findBadByte(bytes);
    const problem =
      bad &&
      new InputError(
        { source: this.source, line: this.line, byte: this.consumed + start + bad.at },
        bad.problem,
      );
    return { mark: isMarked ? '\ufeff' : '', ending, line: this.line, bytes, problem };
  }

  /** Whether the line from `start` to the position is text; all whole lines that are there are looked at in one go. */
  private isSound(start: number): boolean {
    const { filled, position } = this;
    if (this.sound === UNSOUND || position <= this.sound) return this.sound !== UNSOUND;
    const end = filled.lastIndexOf(NEWLINE) + 1;
    this.sound = findBadByte(filled.subarray(start, end)) === undefined ? end : UNSOUND;
    return this.sound === end;
  }
}
