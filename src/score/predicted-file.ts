import { InputError, quote } from '../base/errors.js';
import { decodeUtf8 } from '../base/utf8.js';
import { type ColumnLayout, ColumnScanner } from '../data/formats/columns.js';
import { SCHEMES, type SchemeName, type TagScheme } from '../tags/scheme.js';
import { TagReader } from '../tags/spelling.js';
import { ChunkScorer, type ChunkScores } from './conlleval.js';

/** A sentence with two taggings. */
export interface PredictedSentence {
  /** [T] gold tags. */
  readonly gold: readonly string[];
  /** [T] predicted tags. */
  readonly predicted: readonly string[];
  /** [T] words, the first column; empty where they are not asked for. */
  readonly words: readonly string[];
  /** Line of the first token, from 1. */
  readonly firstLine: number;
}

/** How a file with predictions is read. */
export interface PredictedFileOptions extends ColumnLayout {
  /** The tags' scheme, where known. */
  readonly scheme?: SchemeName | undefined;
  /** Whether words are wanted too: the file must then have a column before the tags. */
  readonly words?: boolean | undefined;
  /** Whether only chunks count whose tags are as the scheme writes them; see {@link ChunkScorer}. */
  readonly isStrict?: boolean | undefined;
  /** Told of each sentence that is scored. */
  readonly onSentence?: ((sentence: PredictedSentence) => void) | undefined;
}

/** Reads a column file whose last two columns are gold and predicted tags, as its bytes come. */
export class PredictedFileReader {
  private readonly scanner: ColumnScanner;
  private readonly parse: TagScheme['parse'];
  private readonly source: string;
  /** Reads tags in any spelling; labels of single tokens have none. */
  private readonly tags: TagReader | undefined;
  /** Tags read, as schemes spell them. */
  private readonly known = new Map<string, string>();
  /** Cells of a token that are read. */
  private readonly width: number;
  private ended = false;
  private isEmpty = true;

  /** @param source names the input in messages. */
  constructor(source: string, { scheme, words, separator, comments, header }: PredictedFileOptions = {}) {
    this.source = source;
    this.parse = SCHEMES[scheme ?? 'iob2'].parse;
    this.tags = scheme === 'token' ? undefined : new TagReader();
    // The third from the right is asked for so that a line without it is refused: its word would be its gold tag.
    const cells = words ? [-2, -1, 0, -3] : [-2, -1];
    this.width = cells.length;
    this.scanner = new ColumnScanner({ separator, comments, header, cells, source });
  }

  /** Adds bytes. */
  push(chunk: Uint8Array): void {
    this.scanner.push(chunk);
  }

  /** Says that no bytes follow. */
  end(): void {
    this.scanner.end();
    this.ended = true;
  }

  /**
   * The next whole sentence, or nothing until more bytes come (or at all, after {@link end}).
   *
   * @throws InputError at a line that cannot be read or holds something that is no tag, and for an empty input.
   */
  next(): PredictedSentence | undefined {
    const sentence = this.scanner.next();
    if (sentence === undefined) {
      if (!this.ended || !this.isEmpty) return undefined;
      throw new InputError({ source: this.source }, 'expected sentences, found none: the input is empty');
    }
    if (sentence.problem) throw sentence.problem;
    this.isEmpty = false;
    const { bytes, cells, length, firstLine, lineOf } = sentence;
    const { width } = this;
    const cell = (t: number, column: number) => {
      const at = (t * width + column) * 2;
      return decodeUtf8(bytes.subarray(cells[at], cells[at + 1]));
    };
    if (this.tags) {
      const { tags } = this;
      const column = (c: number) => Array.from({ length }, (_, t) => cell(t, c));
      if (tags.meet(column(0), column(1))) this.known.clear();
    }
    const read = (t: number, column: number) => {
      const text = cell(t, column);
      const plain = this.known.get(text);
      if (plain !== undefined) return plain;
      const tag = this.tags ? this.tags.read(text) : text;
      if (tag === undefined || this.parse(tag) === undefined) {
        const kind = column === 0 ? 'gold' : 'predicted';
        throw new InputError(
          { source: this.source, line: lineOf(t) },
          `expected a ${kind} tag such as B-NP or O, found ${quote(text)}`,
        );
      }
      this.known.set(text, tag);
      return tag;
    };
    const gold: string[] = [];
    const predicted: string[] = [];
    const words: string[] = [];
    for (let t = 0; t < length; t++) {
      gold.push(read(t, 0));
      predicted.push(read(t, 1));
      if (width > 2) words.push(cell(t, 2));
    }
    return { gold, predicted, words, firstLine };
  }
}

/** Scores a column file whose last two columns are gold and predicted tags, as its bytes come. */
export class PredictedFileScorer {
  private readonly reader: PredictedFileReader;
  private readonly scorer: ChunkScorer;
  private readonly onSentence: PredictedFileOptions['onSentence'];

  /** As for {@link PredictedFileReader}. */
  constructor(source: string, options: PredictedFileOptions = {}) {
    this.scorer = new ChunkScorer(options.scheme, options.isStrict);
    this.onSentence = options.onSentence;
    this.reader = new PredictedFileReader(source, options);
  }

  /** Adds bytes. @throws InputError at a line that cannot be read or holds something that is no tag. */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
    this.scoreAll();
  }

  /** The scores, once all bytes are pushed. @throws InputError as {@link push}, and for an empty input. */
  finish(): ChunkScores {
    this.reader.end();
    this.scoreAll();
    return this.scorer.scores();
  }

  private scoreAll(): void {
    for (let sentence = this.reader.next(); sentence; sentence = this.reader.next()) {
      this.scorer.add(sentence.gold, sentence.predicted);
      this.onSentence?.(sentence);
    }
  }
}
