import { checkArgument } from '../base/arguments.js';
import type { InputError } from '../base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import {
  type ColumnBatch,
  ColumnScanner,
  type ColumnSentence,
  type InputPosition,
} from '../data/formats/columns.js';
import { appendTexts } from '../kernels/append-tags.js';
import { inputCells, type Tagger } from '../tag/tagger.js';
import { joinWords } from './labelled-sentence.js';
import { Labeller, type LabelOptions } from './labeller.js';
import { Pipeline } from './pipeline.js';
import { TagWriter } from './tag-writer.js';

const TAB = 9;
const SPACE = 32;

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

  constructor(tagger: Tagger, options: LabelOptions) {
    checkArgument('tagger', tagger, 'tagger');
    checkArgument('options', options, 'object');
    super(options, 'columns', [...tagger.inputColumns, tagger.labelColumn]);
    if (options.kbest !== undefined) tagger.checkAlternatives(options.kbest);
    this.tagger = tagger;
    this.pipeline = new Pipeline([tagger]);
    const { source, separator, from } = options;
    const { kernels } = tagger;
    this.scanner = new ColumnScanner({ cells: inputCells(tagger), source, separator, from, kernels });
    if (options.format === 'columns' && !options.confidence) {
      const { tagSet, training } = tagger.model;
      this.writer = new TagWriter(tagSet, training.fileScheme, kernels);
    }
  }

  /** Goes on with another part of the input, as if made anew for it; buffers are kept. */
  restart(from: InputPosition): void {
    this.sentences = 0;
    this.tokens = 0;
    this.badSentences = 0;
    this.firstProblem = undefined;
    this.stopped = undefined;
    this.scanner.restart(from);
  }

  protected read(chunk: Uint8Array | undefined): void {
    if (chunk) this.scanner.push(chunk);
    else this.scanner.end();
  }

  protected override addRest(): void {
    if (this.options.format === 'columns') this.out.add(this.scanner.rest());
  }

  protected labelNext(): boolean {
    const batch = this.writer && this.scanner.nextBatch();
    if (this.writer && batch) {
      this.labelBatch(batch, this.writer);
      return true;
    }
    const sentence = this.scanner.next();
    if (sentence === undefined) return false;
    if (sentence.problem) this.refuseSentence(sentence, sentence.problem);
    else this.label(sentence);
    return true;
  }

  private refuseSentence({ bytes, gapStart, lines, end }: ColumnSentence, problem: InputError): void {
    const start = lines[0] ?? gapStart;
    const keeps = this.refuse(problem);
    if (this.options.format !== 'columns') {
      if (keeps) this.addUnread(problem, decodeUtf8(bytes.subarray(start, end)).trimEnd());
    } else if (keeps) this.out.add(bytes.subarray(gapStart, end));
    else if (!this.stopped) {
      // The blank line goes with the sentence; a -DOCSTART- line stays, since it is about what follows as well.
      const gap = bytes.subarray(gapStart, start);
      if (gap.some((byte) => byte > SPACE)) this.out.add(gap);
    }
  }

  /** Labels sentences whose tags alone are written. */
  private labelBatch(batch: ColumnBatch, writer: TagWriter): void {
    this.sentences += batch.count;
    this.tokens += batch.starts[batch.count];
    const { bytes, cells, starts, count } = batch;
    this.tagger.decodeMany(bytes, cells, starts, count);
    this.out.add(writer.write(batch, this.tagger.labels));
  }

  private label(sentence: ColumnSentence): void {
    const { tagger, pipeline } = this;
    const { length, cells, bytes } = sentence;
    const { format, confidence, kbest } = this.options;
    if (format === 'columns') {
      this.sentences++;
      this.tokens += length;
      tagger.decodeCells(bytes, cells, length);
      this.addRated(sentence);
      return;
    }
    const names = tagger.inputColumns;
    const columns = names.map((_, c) =>
      Array.from({ length }, (_, t) => {
        const at = (t * names.length + c) * 2;
        return decodeUtf8(bytes.subarray(cells[at], cells[at + 1]));
      }),
    );
    const given = Object.fromEntries(names.map((name, c) => [name, columns[c]]));
    const labelled = pipeline.labelSentence(joinWords(columns[0]), given, confidence, kbest);
    const problem = this.refusalOf(labelled, sentence.firstLine);
    if (problem) this.refuseSentence(sentence, problem);
    else this.addSentence(labelled);
  }

  /** Adds a sentence's lines, each with its tag and how sure the model is of it. */
  private addRated(sentence: ColumnSentence): void {
    const { out, tagger } = this;
    const { bytes, lines, length, gapStart, end } = sentence;
    const confidences = tagger.confidences();
    const texts = tagger.tagStrings(tagger.spans()).map((tag, t) => {
      const hasTab = bytes.subarray(lines[2 * t], lines[2 * t + 1]).includes(TAB);
      return encodeUtf8(`${tag}${hasTab ? '\t' : ' '}${confidences[t].toFixed(4)}`);
    });
    const starts = new Uint32Array(length + 1);
    for (let t = 0; t < length; t++) starts[t + 1] = starts[t] + texts[t].length;
    const pool = new Uint8Array(starts[length]);
    for (let t = 0; t < length; t++) pool.set(texts[t], starts[t]);
    out.reserve(end - gapStart + pool.length + length + 1);
    out.length += appendTexts.plain({
      bytes,
      start: gapStart,
      end,
      lines,
      tokens: length,
      texts: Uint32Array.from(starts.keys()),
      table: { bytes: pool, starts },
      out: out.bytes.subarray(out.length),
    });
  }
}
