import { InputError, type InputPlace, listNames } from '../base/errors.js';
import { Sha256 } from '../base/sha256.js';
import { type Corpus, checkColumnNames, isColumnName, SentenceCollector } from '../data/corpus.js';
import { UNIT_FORMATS, type UnitFormat } from '../data/formats/input-formats.js';
import {
  type InputSentence,
  isComplete,
  type UnitReader,
  type UnitReaderOptions,
} from '../data/formats/input-unit.js';
import { SCHEMES, type SchemeName } from '../tags/scheme.js';
import { fillColumns, type Pipeline } from './pipeline.js';

/** How to read labelled JSONL spans or CoNLL-U. */
export interface UnitCorpusOptions {
  /** Names of the columns, the last one holding the labels. */
  readonly columns: readonly string[];
  /** Scheme of the model to train: with `token`, labels are those of tokens; else marked chunks become IOB2 tags. */
  readonly scheme: SchemeName;
  /** Name of the input in messages. */
  readonly source: string;
  /** Unit of tokens. */
  readonly tokens?: UnitReaderOptions['tokens'];
  /** Unit of offsets in JSONL spans. */
  readonly offsets?: UnitReaderOptions['offsets'];
  /** Fills columns that the input lacks: a part-of-speech model for spans over raw text. */
  readonly fill?: Pipeline | undefined;
  /** Whether documents that cannot be read are left out; else they are refused. */
  readonly skipBad?: boolean | undefined;
}

/** Builds a {@link Corpus} from JSONL spans or CoNLL-U as the bytes come. */
export class UnitCorpusBuilder {
  /** Documents left out. */
  badUnits = 0;
  /** Why the first of them was. */
  firstProblem: InputError | undefined;
  private readonly options: UnitCorpusOptions;
  private readonly format: UnitFormat;
  private readonly columns: readonly string[];
  private readonly reader: UnitReader;
  private readonly sentences: SentenceCollector;
  private readonly hash = new Sha256();

  constructor(format: UnitFormat, options: UnitCorpusOptions) {
    checkColumnNames(options.columns);
    this.options = options;
    this.format = format;
    this.columns = options.columns.filter(isColumnName);
    this.reader = UNIT_FORMATS[format].read({ ...options, columns: this.columns });
    this.sentences = new SentenceCollector(this.columns, options.source);
  }

  /** Adds the next bytes. @throws InputError for what cannot be read, or lacks a column. */
  push(chunk: Uint8Array): void {
    this.hash.update(chunk);
    this.reader.push(chunk);
    this.takeUnits();
  }

  /** The corpus, once all bytes are pushed. @throws InputError as {@link push}, and where there are no sentences. */
  finish(): Corpus {
    this.reader.end();
    this.takeUnits();
    return this.sentences.finish(this.hash.hex());
  }

  private takeUnits(): void {
    for (let unit = this.reader.next(); unit; unit = this.reader.next()) {
      try {
        if (unit.problem) throw unit.problem;
        const cells = unit.sentences.map((sentence) => this.cellsOf(sentence));
        for (const [s, { lines }] of unit.sentences.entries()) {
          this.sentences.add(cells[s], lines, s === 0 && unit.startsDocument);
        }
      } catch (error) {
        if (!this.options.skipBad || !(error instanceof InputError)) throw error;
        this.badUnits++;
        this.firstProblem ??= error;
      }
    }
  }

  /** [C][T] a sentence's cells. @throws InputError where it lacks a column. */
  private cellsOf({ sentence, columns, spans, lines }: InputSentence): readonly (readonly string[])[] {
    const { length } = sentence.words;
    const inputs = this.columns.slice(0, -1);
    const label = this.columns[inputs.length];
    const { fill, source, scheme } = this.options;
    const isLacking = inputs.some((name) => !isComplete(columns[name]));
    const cells = fill && isLacking ? fillColumns(fill.last, fill.fill([columns]))[0] : columns;
    const tags = spans && scheme !== 'token' ? SCHEMES.iob2.encode(spans, length) : columns[label];
    const all = [...inputs.map((name) => cells[name]), tags];
    const missing = this.columns.filter((_, c) => !isComplete(all[c]));
    if (missing.length > 0) {
      throw missingColumns(missing, this.format, { source, line: lines[0] });
    }
    return all as string[][];
  }
}

/** Says that a sentence lacks columns that are to be read. */
export function missingColumns(names: readonly string[], format: UnitFormat, place: InputPlace): InputError {
  const hint = names.includes('pos') ? '; --pos-model FILE fills in parts of speech' : '';
  const problem = `expected the column ${listNames(names)}, which this ${format} sentence does not have for every token`;
  return new InputError(place, problem + hint);
}
