import { checkArgument } from '../base/arguments.js';
import type { InputError } from '../base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import { DocumentCounter } from '../data/document-counter.js';
import {
  type ColumnBatch,
  ColumnScanner,
  type ColumnSentence,
  type ColumnWidth,
  type InputPosition,
  startsDocument,
} from '../data/formats/columns.js';
import type { Span } from '../data/span.js';
import { appendTexts } from '../kernels/append-tags.js';
import { inputCells, spanConfidence } from '../tag/labelling.js';
import type { Tagger } from '../tag/tagger.js';
import { joinWords } from '../text/text-sentence.js';
import { DocumentBatch } from './document-batch.js';
import { documentLines } from './document-lines.js';
import { Labeller, type LabelOptions } from './labeller.js';
import { Pipeline } from './pipeline.js';
import { SpanRecordWriter } from './span-records.js';
import { TagWriter } from './tag-writer.js';

const TAB = 9;
const SPACE = 32;
/** Tag of what is in no chunk. */
const OUTSIDE = 'O';

/**
 * Labels a column file. Whatever stands between sentences (blank and -DOCSTART- lines) is passed through by `columns`;
 * in other formats the text of a sentence is its first column, one blank apart.
 */
export class ColumnLabeller extends Labeller {
  private readonly tagger: Tagger;
  private readonly pipeline: Pipeline;
  private readonly scanner: ColumnScanner;
  /** Writes many sentences at a time, where only their tags are asked for. */
  private readonly writer: TagWriter | undefined;
  /** Writes spans alone, where nothing else is asked for. */
  private readonly spanWriter: SpanRecordWriter | undefined;
  /** Sentences of documents that are not complete, where labels depend on these. */
  private readonly waiting: DocumentBatch | undefined;
  private readonly counter: DocumentCounter;
  private ended = false;

  constructor(tagger: Tagger, options: LabelOptions) {
    checkArgument('tagger', tagger, 'tagger');
    checkArgument('options', options, 'object');
    super(options, 'columns', [...tagger.inputColumns, tagger.labelColumn]);
    if (options.kbest !== undefined) tagger.checkAlternatives(options.kbest);
    this.tagger = tagger;
    this.pipeline = new Pipeline([tagger]);
    this.waiting = tagger.readsDocuments ? new DocumentBatch() : undefined;
    this.counter = new DocumentCounter(tagger.documentSize);
    const { source, separator, comments, header, from } = options;
    const { kernels } = tagger;
    const layout = { separator, comments, header };
    this.scanner = new ColumnScanner({ cells: inputCells(tagger), source, ...layout, from, kernels });
    if (options.format === 'columns' && !options.confidence) {
      const { tagSet, training } = tagger.model;
      this.writer = new TagWriter(tagSet, training, kernels);
    }
    // Labels of single tokens are no spans to a tag set.
    const hasSpans = tagger.model.tagSet.scheme !== 'token';
    if (options.format === 'spans-jsonl' && hasSpans) this.spanWriter = new SpanRecordWriter();
  }

  /** Sentences of a document where the input marks none; absent where labels do not depend on documents. */
  get documentSize(): number | undefined {
    return this.waiting && this.tagger.documentSize;
  }

  /** Columns of the first token of a part of the input that has enough; nothing where none has. */
  measure(bytes: Uint8Array, from: InputPosition): ColumnWidth | undefined {
    this.scanner.restart(from);
    this.scanner.push(bytes);
    this.scanner.end();
    // Sentences that have too few columns do not tell.
    while (this.scanner.next() && this.scanner.columnWidth() === undefined);
    return this.scanner.columnWidth();
  }

  /**
   * Goes on with another part of the input, as if made anew for it; buffers are kept.
   *
   * @param width columns of the input's first token.
   */
  restart(from: InputPosition, width?: ColumnWidth): void {
    this.sentences = 0;
    this.tokens = 0;
    this.badSentences = 0;
    this.firstProblem = undefined;
    this.stopped = undefined;
    this.scanner.restart(from, width);
    this.waiting?.clear();
    this.counter.restart();
    this.ended = false;
  }

  protected read(chunk: Uint8Array | undefined): void {
    if (chunk) this.scanner.push(chunk);
    else {
      this.scanner.end();
      this.ended = true;
    }
  }

  protected override addRest(): void {
    if (this.options.format === 'columns') this.addGap(this.scanner.rest());
  }

  protected labelNext(): boolean {
    if (this.waiting) return this.waitForDocument(this.waiting);
    const batch = (this.writer || this.spanWriter) && this.scanner.nextBatch();
    if (batch) {
      if (this.writer) this.labelBatch(batch, this.writer);
      else if (this.spanWriter) this.labelSpans(batch, this.spanWriter);
      return true;
    }
    const sentence = this.scanner.next();
    if (sentence === undefined) return false;
    if (sentence.problem) this.passUnread(sentence, sentence.problem);
    else this.label(sentence);
    return true;
  }

  /** Takes the next sentence; labels those that wait where it starts a document, cannot be read, or none comes any more. */
  private waitForDocument(waiting: DocumentBatch): boolean {
    const sentence = this.scanner.next();
    if (sentence === undefined) {
      if (this.ended) this.labelDocuments(waiting);
      return false;
    }
    const starts = this.counter.next(startsDocument(sentence));
    if (sentence.problem || (starts && waiting.isLarge)) this.labelDocuments(waiting);
    if (sentence.problem) this.passUnread(sentence, sentence.problem);
    else waiting.add(sentence, starts);
    return true;
  }

  /** Labels the sentences that wait. */
  private labelDocuments(waiting: DocumentBatch): void {
    const { tagger, writer, options } = this;
    if (waiting.count === 0) return;
    const batch = waiting.all();
    const documents = waiting.documentStarts;
    if (writer) this.labelBatch(batch, writer, documents);
    else {
      const width = 2 * tagger.inputColumns.length;
      const sentences = Array.from({ length: waiting.count }, (_, s) => waiting.sentence(s, width));
      if (options.format === 'columns') {
        this.sentences += batch.count;
        this.tokens += batch.starts[batch.count];
        const addRated = (s: number) => this.addRated(sentences[s]);
        tagger.decodeMany(batch.bytes, batch.cells, batch.starts, batch.count, addRated, documents);
      } else this.addLabelled(sentences, documents);
    }
    waiting.clear();
  }

  /** Notes a sentence that cannot be read, and passes it through where it is to be kept. */
  private passUnread({ bytes, gapStart, lines, end }: ColumnSentence, problem: InputError): void {
    const keeps = this.refuse(problem);
    // What stands after the last sentence has no lines of tokens.
    const start = lines[0] ?? gapStart;
    if (this.options.format !== 'columns') {
      if (keeps) this.addUnread(problem, decodeUtf8(bytes.subarray(start, end)).trimEnd());
    } else if (keeps) this.out.add(bytes.subarray(gapStart, end));
    else if (!this.stopped) {
      // The blank line goes with the sentence; a -DOCSTART- line stays, since it is about what follows as well.
      const gap = bytes.subarray(gapStart, start);
      if (gap.some((byte) => byte > SPACE)) this.addGap(gap);
    }
  }

  /** Labels sentences whose tags alone are written. */
  private labelBatch(batch: ColumnBatch, writer: TagWriter, documents?: ArrayLike<number>): void {
    this.sentences += batch.count;
    this.tokens += batch.starts[batch.count];
    const { bytes, cells, starts, count } = batch;
    this.tagger.decodeMany(bytes, cells, starts, count, undefined, documents);
    this.out.add(writer.write(batch, this.tagger.labels));
  }

  /** Labels sentences whose spans alone are written. */
  private labelSpans(batch: ColumnBatch, writer: SpanRecordWriter): void {
    const { tagger, out } = this;
    const { bytes, cells, lines, starts, count, gapStart } = batch;
    this.sentences += count;
    this.tokens += starts[count];
    const write = (s: number) => {
      const gap = s === 0 ? gapStart : lines[2 * starts[s] - 1];
      const starting = startsDocument({ bytes, gapStart: gap, lines: lines.subarray(2 * starts[s]) });
      const confidences = this.options.confidence ? tagger.confidences() : undefined;
      const rate = confidences && ((span: Span) => spanConfidence(span, confidences));
      out.add(writer.write(tagger.spans(), starting, rate));
    };
    tagger.decodeMany(bytes, cells, starts, count, write);
  }

  private label(sentence: ColumnSentence): void {
    const { length, cells, bytes } = sentence;
    if (this.options.format === 'columns') {
      this.sentences++;
      this.tokens += length;
      this.tagger.decodeCells(bytes, cells, length);
      this.addRated(sentence);
    } else this.addLabelled([sentence]);
  }

  /** Labels sentences and writes them in another format than their own. */
  private addLabelled(sentences: readonly ColumnSentence[], documents?: ArrayLike<number>): void {
    const { confidence, kbest, marginals } = this.options;
    const names = this.tagger.inputColumns;
    const columns = sentences.map(({ bytes, cells, length }) =>
      names.map((_, c) =>
        Array.from({ length }, (_, t) => {
          const at = (t * names.length + c) * 2;
          return decodeUtf8(bytes.subarray(cells[at], cells[at + 1]));
        }),
      ),
    );
    const labelled = this.pipeline.labelSentences(
      columns.map(([first]) => joinWords(first)),
      columns.map((own) => Object.fromEntries(names.map((name, c) => [name, own[c]]))),
      confidence,
      kbest,
      documents,
      marginals,
    );
    for (const [s, one] of labelled.entries()) {
      const problem = this.refusalOf(one, sentences[s].firstLine);
      if (problem) this.passUnread(sentences[s], problem);
      else this.addSentence(one, startsDocument(sentences[s]));
      if (this.stopped) break;
    }
  }

  /** Adds what stands between sentences; -DOCSTART- lines get a tag too. */
  private addGap(gap: Uint8Array): void {
    const bounds = documentLines(gap, 0, gap.length);
    let from = 0;
    for (let i = 0; i < bounds.length; i += 2) {
      const [start, end] = bounds.slice(i, i + 2);
      this.out.add(gap.subarray(from, end));
      const separator = gap.subarray(start, end).includes(TAB) ? '\t' : ' ';
      const outside = this.tagger.model.training.tagSpelling?.outside ?? OUTSIDE;
      this.out.addText(`${separator}${outside}${this.options.confidence ? `${separator}1.0000` : ''}`);
      from = end;
    }
    this.out.add(gap.subarray(from));
  }

  /** Adds a sentence's lines, each with its tag and how sure the model is of it. */
  private addRated(sentence: ColumnSentence): void {
    const { out, tagger } = this;
    const { bytes, lines, length, gapStart, end } = sentence;
    this.addGap(bytes.subarray(gapStart, lines[0]));
    const confidences = tagger.confidences();
    const texts = tagger.tagStrings(tagger.spans()).map((tag, t) => {
      const hasTab = bytes.subarray(lines[2 * t], lines[2 * t + 1]).includes(TAB);
      return encodeUtf8(`${tag}${hasTab ? '\t' : ' '}${confidences[t].toFixed(4)}`);
    });
    const starts = new Uint32Array(length + 1);
    for (let t = 0; t < length; t++) starts[t + 1] = starts[t] + texts[t].length;
    const pool = new Uint8Array(starts[length]);
    for (let t = 0; t < length; t++) pool.set(texts[t], starts[t]);
    out.reserve(end - lines[0] + pool.length + length + 1);
    out.length += appendTexts.plain({
      bytes,
      start: lines[0],
      end,
      lines,
      tokens: length,
      texts: Uint32Array.from(starts.keys()),
      table: { bytes: pool, starts },
      out: out.bytes.subarray(out.length),
    });
  }
}
