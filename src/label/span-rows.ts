import { ByteBuffer } from '../base/byte-buffer.js';
import { InputError } from '../base/errors.js';
import { decodeUtf8 } from '../base/utf8.js';

const NEWLINE = 10;

/** Table of spans, a row each; all columns have the same length. */
export interface SpanTable {
  /** Document, from 0, counted over all inputs: what the inputs mark as such, else each input. */
  readonly doc: number[];
  /** Sentence in its document, from 0. */
  readonly sentence: number[];
  /** First character or token; of raw text, counted from the start of the input. */
  readonly start: number[];
  /** Number of characters or tokens. */
  readonly length: number[];
  /** Type. */
  readonly type: string[];
  /** Confidence; 0 where there are none. */
  readonly confidence: number[];
}

/** What a record holds; see `spanRecord`. */
interface SpanRecord {
  readonly doc?: true;
  readonly start?: number;
  readonly spans?: readonly (readonly [start: number, end: number, type: string, confidence?: number])[];
  readonly sentences?: readonly number[];
}

/** Reads records of spans, as the output format spans-jsonl has them, into a table. */
export class SpanRowReader {
  /** Rows that were not taken yet. */
  readonly table: SpanTable = { doc: [], sentence: [], start: [], length: [], type: [], confidence: [] };
  private readonly isOfDocuments: boolean;
  private readonly line = new ByteBuffer();
  private doc = -1;
  private sentence = 0;
  private isMarked = false;

  /** @param isOfDocuments whether a record is a document, rather than a sentence. */
  constructor(isOfDocuments: boolean) {
    this.isOfDocuments = isOfDocuments;
  }

  /** Another input begins. */
  next(): void {
    this.isMarked = false;
    if (this.isOfDocuments) return;
    this.doc++;
    this.sentence = 0;
  }

  /** Adds bytes of records. */
  push(bytes: Uint8Array): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.line.add(bytes.subarray(from, end));
      this.add(decodeUtf8(this.line.view()));
      this.line.clear();
      from = end + 1;
    }
    this.line.add(bytes.subarray(from));
  }

  /** Takes the first rows, at most so many. */
  take(most: number): SpanTable {
    const { doc, sentence, start, length, type, confidence } = this.table;
    return {
      doc: doc.splice(0, most),
      sentence: sentence.splice(0, most),
      start: start.splice(0, most),
      length: length.splice(0, most),
      type: type.splice(0, most),
      confidence: confidence.splice(0, most),
    };
  }

  private add(line: string): void {
    const {
      doc: marked,
      start: base = 0,
      spans = [],
      sentences = [spans.length],
    } = JSON.parse(line) as SpanRecord;
    if (this.isOfDocuments) {
      this.doc++;
      this.sentence = 0;
    } else if (marked && (this.isMarked || this.sentence > 0)) {
      this.doc++;
      this.sentence = 0;
    }
    if (marked) this.isMarked = true;
    const { table } = this;
    let next = 0;
    for (const count of sentences) {
      for (const last = next + count; next < last; next++) {
        const [start, end, type, confidence = 0] = spans[next];
        if (base + start > MOST) {
          throw new InputError(
            { source: 'the output' },
            `expected spans that start within ${MOST} characters, as parquet holds them`,
          );
        }
        table.doc.push(this.doc);
        table.sentence.push(this.sentence);
        table.start.push(base + start);
        table.length.push(end - start);
        table.type.push(type);
        table.confidence.push(confidence);
      }
      this.sentence++;
    }
  }
}

/** Largest start. */
const MOST = 0x7fffffff;
