import type { InputError } from '../../base/errors.js';
import type { OffsetUnit } from '../../text/code-points.js';
import type { SentenceOptions } from '../../text/text-scanner.js';
import type { TextSentence } from '../../text/text-sentence.js';
import type { TokenizerName } from '../../text/tokenizers.js';
import type { MissedChunk, RatedSpan, Span } from '../span.js';
import type { InputPosition } from './columns.js';
import type { PhraseKind } from './tree-phrases.js';

/** [T] cells by column; undefined where a token has none. Columns that no token has are absent. */
export type GivenColumns = Readonly<Record<string, readonly (string | undefined)[]>>;

/** Whether every token has a cell. */
export function isComplete(cells: readonly (string | undefined)[] | undefined): cells is readonly string[] {
  return cells !== undefined && !cells.includes(undefined);
}

/** A sentence as an input has it. */
export interface InputSentence {
  /** Text and tokens. */
  readonly sentence: TextSentence;
  /** Its cells, `word` among them. */
  readonly columns: GivenColumns;
  /** Chunks that the input marks, in text order; absent where its format marks none. */
  readonly spans?: readonly Span[] | undefined;
  /** Chunks that the input marks and that its tokens cannot show; see {@link UnitReaderOptions.marks}. */
  readonly missed?: readonly MissedChunk[] | undefined;
  /** [T] line of each token. */
  readonly lines: readonly number[];
}

/** Labels of a sentence as readers write them back. */
export interface SentenceLabels {
  /** Text and tokens. */
  readonly sentence: TextSentence;
  /** [T] cells by column, without `word`: what was given, and what models filled in. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** The column that the last model filled. */
  readonly labelColumn: string;
  /** Chunks in text order; absent where every token has a label of its own. */
  readonly chunks: readonly RatedSpan[] | undefined;
}

/** A part of an input that is read, and can be written again, as a whole: a JSON document, a CoNLL-U sentence. */
export interface InputUnit {
  /** Why it cannot be used, if it cannot. */
  readonly problem: InputError | undefined;
  /** Its sentences; none in comments and blank lines at the end of an input. */
  readonly sentences: readonly InputSentence[];
  /** Verdict of who reviewed its labels, such as `accept`, `reject` and `ignore`, where there is one. */
  readonly answer?: string | undefined;
  /** The characters of a line, without a byte order mark and line end, of inputs whose units are lines of characters. */
  readonly text?: string | undefined;
  /** Whether the input says that a document starts with it. */
  readonly startsDocument?: boolean | undefined;
  /** The unit as it is in the input, line ends included; bytes where some of them are no text. */
  readonly raw: string | Uint8Array;
  /**
   * The unit in its own format with other labels, those of its sentences; what no model filled stays as it is. Absent
   * where the format holds no labels.
   */
  readonly relabel?: ((labels: readonly SentenceLabels[]) => string) | undefined;
}

/**
 * Reads units from the bytes of an input as they come. Push chunks, take units with {@link next} until it gives none,
 * and call {@link end} after the last chunk.
 */
export interface UnitReader {
  /** Adds the next bytes. */
  push(chunk: Uint8Array): void;
  /** Says that no bytes follow. */
  end(): void;
  /** The next whole unit, or nothing until more bytes come (or at all, after {@link end}). */
  next(): InputUnit | undefined;
}

/** Unit of tokens: words, or the characters (code points) that words are made of. */
export type TokenUnit = 'words' | 'characters';

/**
 * Use of the chunks that an input marks: `learn` joins sentences that one goes across, and refuses those that cut tokens;
 * `score` keeps sentences as they are without them, and tells those that no tokens are; `replace` does not read them.
 */
export type MarkedChunks = 'learn' | 'score' | 'replace';

/** How a unit reader reads its input. */
export interface UnitReaderOptions extends SentenceOptions {
  /** Name of the input in messages. */
  readonly source: string;
  /** Where the bytes begin, at a border (`PartCutter`), when they are a later part of the input. */
  readonly from?: InputPosition | undefined;
  /** Columns wanted; those that the input lacks are left out. */
  readonly columns: readonly string[];
  /** Unit of tokens; default words. With characters, words become chunks, whose types are the column `pos` if wanted. */
  readonly tokens?: TokenUnit | undefined;
  /** How text without tokens is cut into words; default english. */
  readonly tokenizer?: TokenizerName | undefined;
  /** Unit of offsets in JSONL spans; default UTF-16 units. */
  readonly offsets?: OffsetUnit | undefined;
  /** Whether each line of raw text is a text of its own, and a unit; offsets then count from its start. */
  readonly lineByLine?: boolean | undefined;
  /** Use of the chunks that the input marks; default `learn`. */
  readonly marks?: MarkedChunks | undefined;
  /** Phrases of trees that are chunks; default `conll`. */
  readonly phrases?: PhraseKind | undefined;
}
