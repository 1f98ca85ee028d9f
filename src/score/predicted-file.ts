import { InputError, quote } from '../base/errors.js';
import { decodeUtf8 } from '../base/utf8.js';
import { ColumnScanner, type Separator } from '../data/formats/columns.js';
import { SCHEMES, type SchemeName, type TagScheme } from '../tags/scheme.js';
import { ChunkScorer, type ChunkScores } from './conlleval.js';

/** A sentence with two taggings. */
export interface PredictedSentence {
  /** [T] gold tags. */
  readonly gold: readonly string[];
  /** [T] predicted tags. */
  readonly predicted: readonly string[];
  /** Line of the first token, from 1. */
  readonly firstLine: number;
}

/** Reads a column file whose last two columns are gold and predicted tags, as its bytes come. */
export class PredictedFileReader {
  private readonly scanner: ColumnScanner;
  private readonly parse: TagScheme['parse'];
  private readonly source: string;
  private readonly known = new Set<string>();
  private ended = false;
  private isEmpty = true;

  /**
   * @param source names the input in messages.
   * @param separator how cells are parted.
   * @param scheme the tags' scheme, where known.
   */
  constructor(source: string, separator?: Separator, scheme?: SchemeName) {
    this.source = source;
    this.parse = SCHEMES[scheme ?? 'iob2'].parse;
    this.scanner = new ColumnScanner({ cells: [-2, -1], source, separator });
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
    const { bytes, cells, length, firstLine } = sentence;
    const read = (t: number, column: number) => {
      const at = (t * 2 + column) * 2;
      const text = decodeUtf8(bytes.subarray(cells[at], cells[at + 1]));
      if (this.known.has(text)) return text;
      if (this.parse(text) === undefined) {
        const kind = column === 0 ? 'gold' : 'predicted';
        throw new InputError(
          { source: this.source, line: firstLine + t },
          `expected a ${kind} tag such as B-NP or O, found ${quote(text)}`,
        );
      }
      this.known.add(text);
      return text;
    };
    const gold: string[] = [];
    const predicted: string[] = [];
    for (let t = 0; t < length; t++) {
      gold.push(read(t, 0));
      predicted.push(read(t, 1));
    }
    return { gold, predicted, firstLine };
  }
}

/** Scores a column file whose last two columns are gold and predicted tags, as its bytes come. */
export class PredictedFileScorer {
  private readonly reader: PredictedFileReader;
  private readonly scorer: ChunkScorer;

  /** As for {@link PredictedFileReader}. */
  constructor(source: string, separator?: Separator, scheme?: SchemeName) {
    this.scorer = new ChunkScorer(scheme);
    this.reader = new PredictedFileReader(source, separator, scheme);
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
    }
  }
}
