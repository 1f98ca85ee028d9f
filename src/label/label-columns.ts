import { decodeUtf8, encodeUtf8 } from '../base/utf8.js';
import { ColumnScanner, type ColumnSentence, type InputPosition } from '../data/formats/columns.js';
import { inputCells, type Tagger } from '../model/tagger.js';
import { LABEL_FORMATS } from './formats.js';
import { joinWords } from './labelled-sentence.js';
import { Labeller, type LabelOptions } from './labeller.js';
import { Pipeline } from './pipeline.js';

const NEWLINE = 10;
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

  constructor(tagger: Tagger, options: LabelOptions) {
    super(options, 'columns', [...tagger.inputColumns, tagger.labelColumn]);
    if (options.kbest !== undefined) tagger.checkAlternatives(options.kbest);
    this.tagger = tagger;
    this.pipeline = new Pipeline([tagger]);
    const { source, separator, from } = options;
    this.scanner = new ColumnScanner({ cells: inputCells(tagger), source, separator, from });
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
    const sentence = this.scanner.next();
    if (sentence === undefined) return false;
    const { problem, bytes, gapStart, lines, end } = sentence;
    if (problem) {
      const keeps = this.refuse(problem);
      if (this.options.format !== 'columns') {
        if (keeps) this.addUnread(problem, decodeUtf8(bytes.subarray(lines[0], end)).trimEnd());
      } else if (keeps) this.out.add(bytes.subarray(gapStart, end));
      else if (!this.stopped) {
        // The blank line goes with the sentence; a -DOCSTART- line stays, since it is about what follows as well.
        const gap = bytes.subarray(gapStart, lines[0]);
        if (gap.some((byte) => byte > SPACE)) this.out.add(gap);
      }
    } else this.label(sentence);
    return true;
  }

  private label(sentence: ColumnSentence): void {
    const { tagger, pipeline } = this;
    const { length, cells, bytes } = sentence;
    const { format, confidence, kbest } = this.options;
    this.sentences++;
    this.tokens += length;
    if (format === 'columns') {
      tagger.decodeCells(bytes, cells, length);
      const tags = tagger.tagStrings(tagger.spans());
      this.addColumns(sentence, tags, confidence ? tagger.confidences() : undefined);
      return;
    }
    const names = tagger.inputColumns;
    const columns = names.map((_, c) =>
      Array.from({ length }, (_, t) => {
        const at = (t * names.length + c) * 2;
        return decodeUtf8(bytes.subarray(cells[at], cells[at + 1]));
      }),
    );
    const write = typeof format === 'string' ? LABEL_FORMATS[format].write : format;
    const given = Object.fromEntries(names.map((name, c) => [name, columns[c]]));
    this.out.addText(write(pipeline.labelSentence(joinWords(columns[0]), given, confidence, kbest)));
  }

  /** Adds the sentence's lines, each with its tag. */
  private addColumns(sentence: ColumnSentence, tags: readonly string[], confidences?: Float32Array): void {
    const { out } = this;
    const { bytes, lines, length, gapStart, end: sentenceEnd } = sentence;
    const columns = tags.map((tag) => out.encode(tag));
    const numbers = confidences && Array.from(confidences, (value) => encodeUtf8(value.toFixed(4)));
    let room = sentenceEnd - gapStart;
    for (let t = 0; t < length; t++) room += columns[t].length + (numbers?.[t].length ?? 0) + 3;
    out.reserve(room);
    // One loop over bytes without calls: most of the time that writing takes is otherwise spent on calls.
    const to = out.bytes;
    let at = out.length;
    for (let i = gapStart; i < lines[0]; i++) to[at++] = bytes[i];
    for (let t = 0; t < length; t++) {
      const end = lines[2 * t + 1];
      let separator = SPACE;
      for (let i = lines[2 * t]; i < end; i++) {
        const byte = bytes[i];
        if (byte === TAB) separator = TAB;
        to[at++] = byte;
      }
      to[at++] = separator;
      const tag = columns[t];
      for (let i = 0; i < tag.length; i++) to[at++] = tag[i];
      if (numbers) {
        to[at++] = separator;
        const number = numbers[t];
        for (let i = 0; i < number.length; i++) to[at++] = number[i];
      }
      const next = t + 1 < length ? lines[2 * t + 2] : sentenceEnd;
      if (next === end) to[at++] = NEWLINE;
      else for (let i = end; i < next; i++) to[at++] = bytes[i];
    }
    out.length = at;
  }
}
