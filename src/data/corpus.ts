import { checkArgument } from '../base/arguments.js';
import { InputError, type InputPlace, listNames, OptionError, quote, show } from '../base/errors.js';
import { Uint32List } from '../base/growable.js';
import { Sha256 } from '../base/sha256.js';
import { encodeUtf8 } from '../base/utf8.js';
import type { PackedStrings } from '../kernels/find-values.js';
import { Alphabet } from './alphabet.js';
import { type ColumnLayout, ColumnScanner, type ColumnSentence, startsDocument } from './formats/columns.js';
import { LineEndReader } from './formats/line-ends.js';
import type { MissedChunk } from './span.js';
import type { TagSpelling } from './tag-spelling.js';

/** Name of a column that is to be skipped. */
export const SKIPPED_COLUMN = '_';

/** Stands for any number of columns that are to be skipped; those named after it count from the end of the line. */
export const ANY_COLUMNS = '...';

/** Whether an entry of `--columns` names a column, rather than columns to be skipped. */
export function isColumnName(name: string): boolean {
  return name !== SKIPPED_COLUMN && name !== ANY_COLUMNS;
}

/** Numbers of columns in a line, from 0; those after {@link ANY_COLUMNS} are negative and count from the end. */
export function cellNumbers(columns: readonly string[], names: readonly string[]): number[] {
  const any = columns.indexOf(ANY_COLUMNS);
  return names.map((name) => {
    const index = columns.indexOf(name);
    return any >= 0 && index > any ? index - columns.length : index;
  });
}

/** A sentence as columns of strings: `{ word: ['The', 'dog'], pos: ['DT', 'NN'] }`. */
export type SentenceColumns = Readonly<Record<string, readonly string[]>>;

/** Sentences as interned integer columns. */
export interface Corpus {
  /** Column names [C]. */
  readonly columns: readonly string[];
  /** One alphabet per column [C]. */
  readonly alphabets: readonly Alphabet[];
  /** [S + 1] first token of each sentence. */
  readonly starts: Uint32Array;
  /** [S] number of each sentence's document, ascending from 1, 0 where the input does not say; absent where it nowhere does. */
  readonly documents?: Uint32Array | undefined;
  /** [C][T] id of each cell in its column's alphabet. */
  readonly cells: readonly Uint32Array[];
  /** [T] line number of each token. */
  readonly lines: Uint32Array;
  /** Chunks of the input that no stretch of tokens is, by sentence; they are in no cell, and count as not found. */
  readonly missed?: readonly MissedInSentence[] | undefined;
  /** How the input spells the tags of its last column, where that is not as they are here. */
  readonly tagSpelling?: TagSpelling | undefined;
  /** Name of the input, for messages. */
  readonly source: string;
  /** SHA-256 of the input's bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A gold chunk that no labelling can find. */
export interface MissedInSentence extends MissedChunk {
  /** Number of the sentence, from 0. */
  readonly sentence: number;
}

/** How to read a column file. */
export interface ReadColumnsOptions extends ColumnLayout {
  /** Names of the columns from the left; `_` skips one, `...` any number. Further columns in the file are ignored. */
  readonly columns: readonly string[];
  /** Name of the input in messages; default `<input>`. */
  readonly source?: string;
}

/**
 * Reads a whole column file (CoNLL) into a corpus.
 *
 * @param input the file's text or bytes, or its chunks in order.
 * @throws InputError at the first line that cannot be read, and for an input without any sentence.
 */
export function readColumns(
  input: string | Uint8Array | Iterable<Uint8Array>,
  options: ReadColumnsOptions,
): Corpus {
  checkArgument('input', input, 'input');
  checkArgument('options', options, 'object');
  const builder = new CorpusBuilder(options);
  const bytes = typeof input === 'string' ? encodeUtf8(input) : input;
  const lineEnds = new LineEndReader();
  for (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    checkArgument('chunk', chunk, 'bytes');
    builder.push(lineEnds.read(chunk));
  }
  return builder.finish();
}

/** Builds a {@link Corpus} from the chunks of a column file as they come. */
export class CorpusBuilder {
  private readonly scanner: ColumnScanner;
  private readonly sentences: SentenceCollector;
  private readonly hash = new Sha256();

  constructor(options: ReadColumnsOptions) {
    checkArgument('options', options, 'object');
    checkColumnNames(options.columns);
    const columns = options.columns.filter(isColumnName);
    const source = options.source ?? '<input>';
    this.sentences = new SentenceCollector(columns, source);
    this.scanner = new ColumnScanner({ ...options, cells: cellNumbers(options.columns, columns), source });
  }

  /** Adds the next bytes. */
  push(chunk: Uint8Array): void {
    checkArgument('chunk', chunk, 'bytes');
    this.hash.update(chunk);
    this.scanner.push(chunk);
    this.takeSentences();
  }

  /** The corpus, once all bytes are pushed. */
  finish(): Corpus {
    this.scanner.end();
    this.takeSentences();
    return this.sentences.finish(this.hash.hex());
  }

  private takeSentences(): void {
    for (let sentence = this.scanner.next(); sentence; sentence = this.scanner.next()) {
      if (sentence.problem) throw sentence.problem;
      this.sentences.addScanned(sentence);
    }
  }
}

/** Interns sentences as they come. */
export class SentenceCollector {
  private readonly columns: readonly string[];
  private readonly source: string;
  private readonly alphabets: Alphabet[];
  private readonly cells: Uint32List[];
  private readonly starts = new Uint32List();
  private readonly lines = new Uint32List(1024);
  private readonly missed: MissedInSentence[] = [];
  /** [S] number of each sentence's document. */
  private readonly documents = new Uint32List();
  private document = 0;

  /**
   * @param columns names of the columns [C].
   * @param source name of the input in messages.
   */
  constructor(columns: readonly string[], source: string) {
    this.columns = columns;
    this.source = source;
    this.alphabets = columns.map(() => new Alphabet());
    this.cells = columns.map(() => new Uint32List(1024));
    this.starts.push(0);
  }

  /** Adds a sentence of a column file, scanned with one wanted cell per column. */
  addScanned(sentence: ColumnSentence): void {
    const { bytes, cells, length, lineOf } = sentence;
    const width = this.columns.length;
    for (let c = 0; c < width; c++) {
      const alphabet = this.alphabets[c];
      const list = this.cells[c];
      for (let t = 0; t < length; t++) {
        const at = (t * width + c) * 2;
        list.push(alphabet.addBytes(bytes, cells[at], cells[at + 1]));
      }
    }
    for (let t = 0; t < length; t++) this.lines.push(lineOf(t));
    this.endSentence(startsDocument(sentence));
  }

  /**
   * Adds a sentence.
   *
   * @param columns [C][T] its cells.
   * @param lines [T] line of each token.
   * @param missed its chunks that no stretch of its tokens is.
   * @param startsDocument whether the input says that a document starts with it.
   */
  add(
    columns: readonly (readonly string[])[],
    lines: readonly number[],
    missed: readonly MissedChunk[] = [],
    startsDocument = false,
  ): void {
    const sentence = this.starts.length - 1;
    for (const chunk of missed) this.missed.push({ ...chunk, sentence });
    columns.forEach((strings, c) => {
      for (const text of strings) this.cells[c].push(this.alphabets[c].add(text));
    });
    for (const line of lines) this.lines.push(line);
    this.endSentence(startsDocument);
  }

  private endSentence(startsDocument: boolean): void {
    if (startsDocument) this.document++;
    this.documents.push(this.document);
    this.starts.push(this.lines.length);
  }

  /**
   * The corpus of the sentences added.
   *
   * @param sha256 of the input's bytes, in hexadecimal.
   * @throws InputError when there are none.
   */
  finish(sha256: string): Corpus {
    if (this.lines.length === 0) {
      throw new InputError({ source: this.source }, 'expected sentences, found none: the input is empty');
    }
    return {
      columns: this.columns,
      alphabets: this.alphabets,
      starts: this.starts.toArray(),
      cells: this.cells.map((list) => list.toArray()),
      lines: this.lines.toArray(),
      ...(this.missed.length > 0 && { missed: this.missed }),
      source: this.source,
      sha256,
      ...(this.document > 0 && { documents: this.documents.toArray() }),
    };
  }
}

/** Refuses column names that templates could not name. */
export function checkColumnNames(columns: readonly string[]): void {
  const refuse = (found: unknown) =>
    new OptionError('columns', `--columns: expected names such as word,pos,chunk, found ${show(found)}`);
  if (!Array.isArray(columns)) throw refuse(columns);
  const seen = new Set<string>();
  for (const name of columns) {
    if (name === ANY_COLUMNS && !seen.has(name)) {
      seen.add(name);
      continue;
    }
    // What every object has is no name for a key that may be missing.
    if (typeof name !== 'string' || !/^[^\s.[\](),"'#|=\p{Cc}\p{Cs}]+$/u.test(name) || name in {})
      throw refuse(name);
    if (name !== SKIPPED_COLUMN && seen.has(name)) {
      throw new OptionError('columns', `--columns: expected each name once, found ${quote(name)} twice`);
    }
    seen.add(name);
  }
}

/** A corpus as plain arrays, which threads can be sent. */
export interface PackedCorpus extends Omit<Corpus, 'alphabets'> {
  /** [C] strings of each column. */
  readonly strings: readonly PackedStrings[];
}

/** A corpus as plain arrays. */
export function packCorpus({ alphabets, ...arrays }: Corpus): PackedCorpus {
  return { ...arrays, strings: alphabets.map((alphabet) => alphabet.pack()) };
}

/** The corpus that {@link packCorpus} was given. */
export function unpackCorpus({ strings, ...arrays }: PackedCorpus): Corpus {
  return { ...arrays, alphabets: strings.map((packed) => Alphabet.unpack(packed)) };
}

/** Number of a column, or an {@link OptionError} that lists those there are. */
export function columnIndex(corpus: Corpus, name: string): number {
  const index = corpus.columns.indexOf(name);
  if (index < 0) {
    throw new OptionError('columns', `expected a column ${name}, found only ${listNames(corpus.columns)}`);
  }
  return index;
}

/** Sentence as strings: [T] cells of one column. */
export function columnStrings(corpus: Corpus, column: number, sentence: number): string[] {
  checkArgument('corpus', corpus, 'corpus');
  const { alphabets, cells, starts } = corpus;
  const alphabet = alphabets[column];
  if (alphabet === undefined) {
    throw new OptionError(
      'column',
      `column: expected a number below ${alphabets.length}, found ${show(column)}`,
    );
  }
  const strings: string[] = [];
  for (let t = starts[sentence]; t < starts[sentence + 1]; t++) {
    strings.push(alphabet.string(cells[column][t]));
  }
  return strings;
}

/** Where a token stands in the corpus' file. */
export function placeOf(corpus: Corpus, sentence: number, token: number): InputPlace {
  return { source: corpus.source, line: corpus.lines[corpus.starts[sentence] + token] };
}

/** The corpus of some of the sentences, in the order given; alphabets are shared, the checksum is the whole file's. */
export function selectSentences(corpus: Corpus, sentences: ArrayLike<number>): Corpus {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('sentences', sentences, 'numbers');
  const starts = new Uint32Array(sentences.length + 1);
  for (let i = 0; i < sentences.length; i++) {
    starts[i + 1] = starts[i] + corpus.starts[sentences[i] + 1] - corpus.starts[sentences[i]];
  }
  const [lines, ...cells] = [corpus.lines, ...corpus.cells].map((column) => {
    const selected = new Uint32Array(starts[sentences.length]);
    for (let i = 0; i < sentences.length; i++) {
      const sentence = sentences[i];
      selected.set(column.subarray(corpus.starts[sentence], corpus.starts[sentence + 1]), starts[i]);
    }
    return selected;
  });
  const missed = corpus.missed && missedIn(corpus.missed, sentences);
  const documents = corpus.documents && Uint32Array.from(sentences, (s) => corpus.documents?.[s] as number);
  return { ...corpus, starts, cells, lines, ...(missed && { missed }), ...(documents && { documents }) };
}

/** Chunks missed in some of the sentences, which are numbered anew. */
function missedIn(missed: readonly MissedInSentence[], sentences: ArrayLike<number>): MissedInSentence[] {
  return Array.from(sentences).flatMap((old, sentence) =>
    missed.filter((chunk) => chunk.sentence === old).map((chunk) => ({ ...chunk, sentence })),
  );
}

/**
 * The corpus with other cells in one column.
 *
 * @param cells [S][T] the new cells.
 * @throws OptionError when there is no such column.
 */
export function replaceColumn(corpus: Corpus, name: string, cells: readonly (readonly string[])[]): Corpus {
  checkArgument('corpus', corpus, 'corpus');
  checkArgument('cells', cells, 'cells');
  const column = columnIndex(corpus, name);
  const alphabet = new Alphabet();
  const ids = Uint32Array.from(cells.flat(), (text) => alphabet.add(text));
  return {
    ...corpus,
    alphabets: corpus.alphabets.with(column, alphabet),
    cells: corpus.cells.with(column, ids),
  };
}
