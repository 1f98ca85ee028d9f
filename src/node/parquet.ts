import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { VERSION } from '../base/version.js';
import { SpanRowReader, type SpanTable } from '../label/span-rows.js';

/** Rows of a row group: what readers take at a time. */
const ROWS = 1 << 20;

/** Steps of a confidence: a byte a span. */
const STEPS = 255;

/** How a table of spans is written. */
export interface ParquetOptions {
  /** Whether a record is a document, rather than a sentence. */
  readonly isOfDocuments: boolean;
  /** Whether there is a column of confidences. */
  readonly confidence: boolean;
  /** Says what offsets count, in the file's metadata. */
  readonly offsets: string;
}

/**
 * Turns records of spans into a Parquet file: a row a span, with the columns doc, sentence, start, length and type, and with
 * confidences, in steps of 1/255, the column confidence. The bytes depend on the records alone, not on how they come.
 */
export class SpansToParquet {
  private readonly options: ParquetOptions;
  private readonly reader: SpanRowReader;
  private readonly writer = new ByteWriter();
  private readonly parquet: ParquetWriter;
  private isGiven = false;

  constructor(options: ParquetOptions) {
    this.options = options;
    this.reader = new SpanRowReader(options.isOfDocuments);
    const names = ['doc', 'sentence', 'start', 'length'];
    this.parquet = new ParquetWriter({
      writer: this.writer,
      createdBy: `spanwright ${VERSION}`,
      kvMetadata: [{ key: 'spanwright.offsets', value: options.offsets }],
      schema: [
        { name: 'root', num_children: options.confidence ? 6 : 5 },
        ...names.map((name) => ({ name, type: 'INT32', repetition_type: 'REQUIRED' }) as const),
        { name: 'type', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        ...(options.confidence
          ? ([{ name: 'confidence', type: 'FLOAT', repetition_type: 'REQUIRED' }] as const)
          : []),
      ],
    });
  }

  /** Another input begins. */
  next(): void {
    this.reader.next();
  }

  /** Adds bytes of records; returns bytes of the file, which hold until the next call. */
  push(bytes: Uint8Array): Uint8Array {
    this.reader.push(bytes);
    this.forgetGiven();
    while (this.reader.table.doc.length >= ROWS) this.addGroup(this.reader.take(ROWS));
    return this.give();
  }

  /** The rest of the file. */
  finish(): Uint8Array {
    this.forgetGiven();
    if (this.reader.table.doc.length > 0) this.addGroup(this.reader.take(ROWS));
    this.parquet.finish();
    return this.give();
  }

  private give(): Uint8Array {
    this.isGiven = true;
    return this.writer.getBytes();
  }

  /** Makes room; what the file begins with is there before anything is asked for. */
  private forgetGiven(): void {
    if (this.isGiven) this.writer.index = 0;
    this.isGiven = false;
  }

  private addGroup(rows: SpanTable): void {
    const { doc, sentence, start, length, type, confidence } = rows;
    const columnData = [
      { name: 'doc', data: Int32Array.from(doc), encoding: 'DELTA_BINARY_PACKED' as const },
      { name: 'sentence', data: Int32Array.from(sentence), encoding: 'DELTA_BINARY_PACKED' as const },
      { name: 'start', data: Int32Array.from(start), ...startEncoding(start) },
      { name: 'length', data: Int32Array.from(length), encoding: 'RLE_DICTIONARY' as const },
      { name: 'type', data: type, encoding: 'RLE_DICTIONARY' as const },
    ];
    const rated = Float32Array.from(confidence, (value) => Math.round(value * STEPS) / STEPS);
    const rating = { name: 'confidence', data: rated, encoding: 'RLE_DICTIONARY' as const };
    this.parquet.write({
      columnData: this.options.confidence ? [...columnData, rating] : columnData,
      rowGroupSize: type.length,
    });
  }
}

/** Most starts that are numbered: those within sentences are few, those in a text are not. */
const FEW = 4096;

function startEncoding(start: readonly number[]): { encoding: 'RLE_DICTIONARY' | 'DELTA_BINARY_PACKED' } {
  const seen = new Set<number>();
  for (const one of start) if (seen.add(one).size > FEW) return { encoding: 'DELTA_BINARY_PACKED' };
  return { encoding: 'RLE_DICTIONARY' };
}
