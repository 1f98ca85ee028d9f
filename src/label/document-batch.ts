import { ByteBuffer } from '../base/byte-buffer.js';
import { Uint32List } from '../base/growable.js';
import { type ColumnBatch, type ColumnSentence, newlinesIn } from '../data/formats/columns.js';

/** Tokens from which on a batch is large enough to be labelled at the end of a document. */
const ENOUGH_TOKENS = 1 << 12;

/** Sentences of a column file that are kept until their documents are complete. */
export class DocumentBatch {
  private readonly text = new ByteBuffer();
  private readonly cells = new Uint32List(1024);
  private readonly lines = new Uint32List(1024);
  private readonly starts = new Uint32List();
  private readonly ends = new Uint32List();
  private readonly firstLines = new Uint32List();
  private readonly documents = new Uint32List();

  constructor() {
    this.clear();
  }

  /** Number of sentences. */
  get count(): number {
    return this.ends.length;
  }

  /** Whether there is enough to label. */
  get isLarge(): boolean {
    return this.starts.values[this.count] >= ENOUGH_TOKENS;
  }

  /** First sentence of each document. */
  get documentStarts(): Uint32Array {
    return this.documents.toArray();
  }

  /** Adds a sentence with what stands before it. @param startsDocument whether it is the first of a document. */
  add(sentence: ColumnSentence, startsDocument: boolean): void {
    const { bytes, cells, lines, length, gapStart, end, firstLine } = sentence;
    const { text } = this;
    const shift = text.length - gapStart;
    if (startsDocument || this.count === 0) this.documents.push(this.count);
    text.add(bytes.subarray(gapStart, end));
    for (let i = 0; i < cells.length; i++) this.cells.push(cells[i] + shift);
    for (let i = 0; i < lines.length; i++) this.lines.push(lines[i] + shift);
    this.firstLines.push(firstLine);
    this.starts.push(this.starts.values[this.count] + length);
    this.ends.push(text.length);
  }

  /** All sentences; they hold until the next is added. */
  all(): ColumnBatch {
    const { text, cells, lines, starts, count } = this;
    return {
      bytes: text.view(),
      count,
      starts: starts.values,
      cells: cells.values,
      lines: lines.values,
      gapStart: 0,
      end: text.length,
    };
  }

  /** One of the sentences; it holds until the next is added. @param width numbers that a token has in `cells`. */
  sentence(s: number, width: number): ColumnSentence {
    const { text, cells, lines, starts, ends, firstLines } = this;
    const from = starts.values[s];
    const to = starts.values[s + 1];
    const bytes = text.view();
    const own = lines.values.subarray(2 * from, 2 * to);
    const firstLine = firstLines.values[s];
    return {
      bytes,
      length: to - from,
      cells: cells.values.subarray(from * width, to * width),
      lines: own,
      firstLine,
      lineOf: (token) => firstLine + newlinesIn(bytes, own[0], own[2 * token]),
      gapStart: s === 0 ? 0 : ends.values[s - 1],
      end: ends.values[s],
      problem: undefined,
    };
  }

  /** Forgets all sentences. */
  clear(): void {
    this.text.clear();
    for (const list of [this.cells, this.lines, this.starts, this.ends, this.firstLines, this.documents]) {
      list.length = 0;
    }
    this.starts.push(0);
  }
}
