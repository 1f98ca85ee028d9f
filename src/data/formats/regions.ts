import { grown } from '../../base/growable.js';
import { endOfText, isBlank, isDocumentStart } from '../../kernels/scan-columns.js';
import { DocumentCounter } from '../document-counter.js';
import type { ColumnWidth } from './columns.js';
import { countNewlines } from './part-cutter.js';

const NEWLINE = 10;
/** Bytes of a region's buffer for each of its bytes, so that what is made of it fits too. */
const ROOM = 2;

/** A part of a column file: whole sentences, each after the blank and -DOCSTART- lines before it. */
export interface Region {
  /** Its bytes, at the start of a buffer of their own with room for more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Line number of its first line, from 1. */
  readonly line: number;
  /** Offset of its first byte from the start of the input. */
  readonly byte: number;
  /** Columns of the input's first token, where that is known. */
  readonly width?: ColumnWidth | undefined;
}

/**
 * Cuts a column file between sentences into regions that can be worked on apart: push chunks, take regions. A sentence
 * is never cut, so a region is larger than asked for where a sentence is.
 */
export class RegionCutter {
  private readonly size: number;
  private buffer = new Uint8Array(1 << 16);
  private filled = 0;
  /** No sentence that is whole ends in lines before this. */
  private searched = 0;
  private line = 1;
  private byte = 0;
  private readonly spare: ArrayBuffer[] = [];

  /** Tells where documents start, where these are not to be cut. */
  private readonly counter: DocumentCounter | undefined;
  /** Of the lines searched: whether the last is part of a sentence, where what stands after the last sentence starts, and whether that marks a document. */
  private isInside = false;
  private gapStart = 0;
  private isMarked = false;
  /** Where the last document that is whole ends. */
  private documentEnd = 0;

  /**
   * @param size bytes that a region should have.
   * @param documentSize sentences of a document where the input marks none, if documents are not to be cut.
   */
  constructor(size: number, documentSize?: number) {
    this.size = size;
    this.counter = documentSize === undefined ? undefined : new DocumentCounter(documentSize);
  }

  /** Adds a chunk; returns a region once enough bytes have come. */
  push(chunk: Uint8Array): Region | undefined {
    this.buffer = grown(this.buffer, this.filled + chunk.length);
    this.buffer.set(chunk, this.filled);
    this.filled += chunk.length;
    if (this.filled < this.size) return undefined;
    const end = this.counter ? this.lastDocument(this.counter) : this.lastBoundary();
    return end > 0 ? this.cut(end) : undefined;
  }

  /**
   * Takes a region's buffer back, to be used for another: memory that is touched for the first time costs more than
   * all the cutting.
   */
  reuse(buffer: ArrayBuffer): void {
    this.spare.push(buffer);
  }

  /** Last region, once all chunks are pushed; undefined where nothing is left. */
  finish(): Region | undefined {
    return this.filled > 0 ? this.cut(this.filled) : undefined;
  }

  /** End of the last sentence that is whole, before what follows it; 0 if there is none. */
  private lastBoundary(): number {
    const { buffer, searched } = this;
    let isFollowed = false;
    let end = buffer.lastIndexOf(NEWLINE, this.filled - 1);
    this.searched = end + 1;
    // Before what was searched already a sentence can only end if what was not begins with what follows it.
    while (end >= 0 && (isFollowed || end >= searched)) {
      const start = end > 0 ? buffer.lastIndexOf(NEWLINE, end - 1) + 1 : 0;
      if (isBetween(buffer, start, end)) isFollowed = true;
      else if (isFollowed) return end + 1;
      end = start - 1;
    }
    return 0;
  }

  /** End of the last document that is whole; 0 if there is none. A document that is only part of one between marks is not cut off. */
  private lastDocument(counter: DocumentCounter): number {
    const { buffer } = this;
    for (;;) {
      const newline = buffer.indexOf(NEWLINE, this.searched);
      if (newline < 0 || newline >= this.filled) return this.documentEnd;
      const isGap = isBetween(buffer, this.searched, newline);
      if (isGap) {
        if (this.isInside) this.gapStart = this.searched;
        this.isInside = false;
        const textEnd = endOfText(buffer, this.searched, newline);
        for (let i = this.searched; i < textEnd; i++)
          if (!isBlank(buffer[i]) && buffer[i] < 0x80) this.isMarked = true;
      } else if (!this.isInside) {
        const starts = counter.next(this.isMarked);
        if (starts && (this.isMarked || !counter.seesMarks)) this.documentEnd = this.gapStart;
        this.isInside = true;
        this.isMarked = false;
      }
      this.searched = newline + 1;
    }
  }

  private cut(end: number): Region {
    const known = this.spare.pop();
    const room = known && known.byteLength >= end ? known : new ArrayBuffer(ROOM * end);
    const bytes = new Uint8Array(room, 0, end);
    bytes.set(this.buffer.subarray(0, end));
    const region = { bytes, line: this.line, byte: this.byte };
    this.line += countNewlines(bytes, 0, bytes.length);
    this.byte += end;
    this.buffer.copyWithin(0, end, this.filled);
    this.filled -= end;
    // What stands after the last document has been searched.
    this.searched = this.counter ? Math.max(0, this.searched - end) : 0;
    this.gapStart = Math.max(0, this.gapStart - end);
    this.documentEnd = 0;
    return region;
  }
}

/** Whether a line stands between sentences: a blank one, or a -DOCSTART- line. */
function isBetween(buffer: Uint8Array, start: number, end: number): boolean {
  const textEnd = endOfText(buffer, start, end);
  let at = start;
  while (at < textEnd && isBlank(buffer[at])) at++;
  return at === textEnd || isDocumentStart(buffer, start, textEnd);
}
