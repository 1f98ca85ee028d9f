import { grown } from '../../base/growable.js';
import { endOfText, isBlank, isDocumentStart } from '../../kernels/scan-columns.js';
import { DocumentCounter } from '../document-counter.js';
import type { InputPosition } from './columns.js';

const NEWLINE = 10;
const HASH = 35;
const SPACE = 32;
/** Bytes for which another view of them costs more than it saves. */
const FEW = 128;

/** Where an input may be cut. */
export type BorderRule =
  /** After every line. */
  | 'lines'
  /** After a blank line. */
  | 'paragraphs'
  /** Where blank and -DOCSTART- lines begin after a sentence of a column file. */
  | 'column-sentences'
  /** The same where a document ends as well. */
  | 'column-documents'
  /** After the blank line behind a sentence of CoNLL-U. */
  | 'conllu-sentences'
  /** The same where the comments behind it begin a document. */
  | 'conllu-documents';

/** Options of a {@link PartCutter}. */
export interface PartCutterOptions {
  /** Fewest bytes of a part, but for the last, 1 … . */
  readonly size: number;
  /** Where the input may be cut. */
  readonly rule: BorderRule;
  /** Sentences of a document where the input marks none, for `column-documents`. */
  readonly documentSize?: number | undefined;
  /** Lines at the start that belong together: a header; default 0. */
  readonly header?: number | undefined;
  /** Whether offsets in UTF-16 units and code points are counted. */
  readonly countsText?: boolean | undefined;
}

/** Start of a part, every offset of it. */
export interface PartStart extends InputPosition {
  /** Offset in UTF-16 units, from 0. */
  readonly start: number;
  /** Offset in code points, from 0. */
  readonly startCodePoint: number;
}

/**
 * Finds where an input is cut into parts that can be read apart: at the first border that is `size` bytes or more after the last
 * one. Push all chunks; each gives the starts of the parts that begin in it, or a little before it. Memory is bounded by the
 * longest line.
 */
export class PartCutter {
  private readonly options: PartCutterOptions;
  private readonly counter: DocumentCounter | undefined;
  /** Where counting has come to. */
  private line = 1;
  private byte = 0;
  private start = 0;
  private startCodePoint = 0;
  /** Least byte of the next border. */
  private target: number;
  /** The line under way, as far as it has come. */
  private text = new Uint8Array(256);
  private length = 0;
  /** Where that begins. */
  private lineStart: PartStart = { line: 1, byte: 0, start: 0, startCodePoint: 0 };
  /** Whether lines are looked at, and whether that under way is so from its start. */
  private looks = false;
  private isWhole = false;
  private endsLine = true;
  /** Whether the line before is a token or a word. */
  private isInside = false;
  /** A border if the lines behind it say so. */
  private candidate: PartStart | undefined;
  private isMarked = false;
  private found: PartStart[] = [];

  constructor(options: PartCutterOptions) {
    this.options = options;
    this.target = Math.max(1, options.size);
    const { rule, documentSize = 1 } = options;
    this.counter = rule === 'column-documents' ? new DocumentCounter(documentSize) : undefined;
  }

  /** Adds a chunk; returns borders, in order. */
  push(chunk: Uint8Array): readonly PartStart[] {
    this.found = [];
    for (let at = 0; at < chunk.length; ) {
      // Documents are counted from the start of the input.
      if (!this.looks && !this.counter && this.byte + chunk.length - at <= this.target - 1) {
        this.advance(chunk, at, chunk.length);
        break;
      }
      if (!this.looks) {
        const end = this.counter ? at : Math.max(at, at + this.target - 1 - this.byte);
        this.advance(chunk, at, end);
        at = end;
        this.beginLooking();
      }
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline < 0 ? chunk.length : newline + 1;
      this.addToLine(chunk, at, end);
      this.advance(chunk, at, end);
      at = end;
      if (newline >= 0) this.endLine();
    }
    return this.found;
  }

  /** Offset before which no border is to come any more. */
  get settled(): number {
    if (!this.looks || this.options.rule === 'lines') return this.byte;
    return Math.min(this.candidate?.byte ?? this.byte, this.lineStart.byte);
  }

  /** Position of what was pushed last. */
  private position(): PartStart {
    const { line, byte, start, startCodePoint } = this;
    return { line, byte, start, startCodePoint };
  }

  private advance(chunk: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    this.line += countNewlines(chunk, from, to);
    this.endsLine = chunk[to - 1] === NEWLINE;
    if (this.options.countsText) this.countText(chunk, from, to);
    this.byte += to - from;
  }

  /** Counts characters by the bytes that begin them; a byte order mark at the start of the input is none. */
  private countText(chunk: Uint8Array, from: number, to: number): void {
    let points = 0;
    let pairs = 0;
    for (let i = from; i < to; i++) {
      if ((chunk[i] & 0xc0) !== 0x80) points++;
      if (chunk[i] >= 0xf0) pairs++;
    }
    if (this.byte === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) points--;
    this.startCodePoint += points;
    this.start += points + pairs;
  }

  private beginLooking(): void {
    this.looks = true;
    this.isWhole = this.endsLine;
    this.isInside = false;
    this.candidate = undefined;
    this.length = 0;
    this.lineStart = this.position();
  }

  private addToLine(chunk: Uint8Array, from: number, to: number): void {
    // Of lines that are all borders nothing has to be known.
    if (this.options.rule === 'lines') return;
    this.text = grown(this.text, this.length + to - from);
    this.text.set(chunk.subarray(from, to), this.length);
    this.length += to - from;
  }

  /** Looks at the line that has ended, the counters behind it. */
  private endLine(): void {
    const border = this.borderAt();
    this.length = 0;
    this.isWhole = true;
    this.lineStart = this.position();
    if (border === undefined || border.byte < this.target) return;
    const isInHeader = border.line <= (this.options.header ?? 0) + 1;
    if (isInHeader) return;
    this.found.push(border);
    this.target = border.byte + Math.max(1, this.options.size);
    // The lines behind it were looked at.
    if (this.byte < this.target - 1) this.looks = this.counter !== undefined;
  }

  /** The border that shows with the line. */
  private borderAt(): PartStart | undefined {
    switch (this.options.rule) {
      case 'lines':
        return this.position();
      case 'paragraphs':
        return this.isWhole && this.isBlankLine() ? this.position() : undefined;
      case 'column-sentences':
        return this.columnBorder();
      case 'column-documents':
        return this.documentBorder(this.counter as DocumentCounter);
      case 'conllu-sentences':
        return this.conlluBorder();
      case 'conllu-documents':
        return this.conlluDocument();
    }
  }

  private isBlankLine(): boolean {
    const end = endOfText(this.text, 0, this.length - 1);
    for (let i = 0; i < end; i++) if (!isBlank(this.text[i])) return false;
    return true;
  }

  /** Whether a line stands between sentences of a column file. */
  private isBetween(): boolean {
    return this.isBlankLine() || isDocumentStart(this.text, 0, endOfText(this.text, 0, this.length - 1));
  }

  private columnBorder(): PartStart | undefined {
    const isBetween = this.isWhole && this.isBetween();
    const isBorder = isBetween && this.isInside;
    this.isInside = this.isWhole && !isBetween;
    return isBorder ? this.lineStart : undefined;
  }

  private documentBorder(counter: DocumentCounter): PartStart | undefined {
    if (this.line - 1 <= (this.options.header ?? 0)) return undefined;
    if (this.isBetween()) {
      if (this.isInside) this.candidate = this.lineStart;
      this.isInside = false;
      for (let i = 0; i < this.length; i++)
        if (this.text[i] > SPACE && this.text[i] < 0x80) this.isMarked = true;
      return undefined;
    }
    if (this.isInside) return undefined;
    this.isInside = true;
    const { candidate, isMarked } = this;
    const starts = counter.next(isMarked);
    this.isMarked = false;
    this.candidate = undefined;
    if (!starts || candidate === undefined || candidate.byte < this.target) return undefined;
    if (!isMarked && counter.seesMarks) return undefined;
    // A part is read as if it were an input of its own.
    counter.restart();
    counter.next(isMarked);
    return candidate;
  }

  private conlluBorder(): PartStart | undefined {
    const isBorder = this.isInside && this.isBlankLine();
    this.isInside = this.isWhole && isConlluWord(this.text, this.length);
    return isBorder ? this.position() : undefined;
  }

  private conlluDocument(): PartStart | undefined {
    const end = this.conlluBorder();
    if (end) {
      this.candidate = end;
      return undefined;
    }
    const { candidate } = this;
    if (candidate === undefined || this.isBlankLine()) return undefined;
    if (this.text[0] !== HASH) this.candidate = undefined;
    else if (startsConlluDocument(this.text.subarray(0, this.length))) {
      this.candidate = undefined;
      return candidate;
    }
    return undefined;
  }
}

/** Whether a line of CoNLL-U begins with a number and a tab. */
function isConlluWord(text: Uint8Array, length: number): boolean {
  let i = 0;
  while (i < length && text[i] >= 0x30 && text[i] <= 0x39) i++;
  return i > 0 && text[i] === 9;
}

function startsConlluDocument(line: Uint8Array): boolean {
  return /^#[ \t]*newdoc\b/.test(String.fromCharCode(...line.subarray(0, 64)));
}

/** Newlines of bytes, four at a time where they stand so in memory. */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let i = from;
  if (to - from < FEW) {
    for (; i < to; i++) if (bytes[i] === NEWLINE) count++;
    return count;
  }
  for (; i < to && (bytes.byteOffset + i) % 4 !== 0; i++) if (bytes[i] === NEWLINE) count++;
  const fours = new Uint32Array(bytes.buffer, bytes.byteOffset + i, Math.max(0, to - i) >>> 2);
  for (let f = 0; f < fours.length; f++) {
    // A newline's byte becomes 0, then the highest bit of each byte says whether that is 0.
    const differing = fours[f] ^ 0x0a0a0a0a;
    const isZero = ~(((differing & 0x7f7f7f7f) + 0x7f7f7f7f) | differing | 0x7f7f7f7f);
    count += Math.imul(isZero >>> 7, 0x01010101) >>> 24;
  }
  for (i += 4 * fours.length; i < to; i++) if (bytes[i] === NEWLINE) count++;
  return count;
}
