import { checkArgument } from '../base/arguments.js';
import { InputError, type InputPlace, listNames, lookUp } from '../base/errors.js';
import { Sha256 } from '../base/sha256.js';
import { type Corpus, checkColumnNames, isColumnName, SentenceCollector } from '../data/corpus.js';
import { UNIT_FORMATS, type UnitFormat } from '../data/formats/input-formats.js';
import {
  type InputSentence,
  isComplete,
  type MarkedChunks,
  type UnitReader,
  type UnitReaderOptions,
} from '../data/formats/input-unit.js';
import { SPANS_KEYS } from '../data/formats/spans-shape.js';
import { SCHEMES, type SchemeName } from '../tags/scheme.js';
import { fillColumns, type Pipeline } from './pipeline.js';

/** Verdicts of reviewers that say that labels are not to be learned, as Prodigy has them. */
const NOT_ACCEPTED = ['reject', 'ignore'];

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
  /** How text without tokens is cut into words. */
  readonly tokenizer?: UnitReaderOptions['tokenizer'];
  /** Unit of offsets in JSONL spans. */
  readonly offsets?: UnitReaderOptions['offsets'];
  /** Phrases of trees that are chunks. */
  readonly phrases?: UnitReaderOptions['phrases'];
  /** Use of the chunks that the input marks; default `learn`. */
  readonly marks?: Exclude<MarkedChunks, 'replace'> | undefined;
  /** Fills columns that the input lacks: a part-of-speech model for spans over raw text. */
  readonly fill?: Pipeline | undefined;
  /** Whether documents that cannot be read are left out; else they are refused. */
  readonly skipBad?: boolean | undefined;
}

/** Builds a {@link Corpus} from JSONL spans or CoNLL-U as the bytes come. */
export class UnitCorpusBuilder {
  /** Documents left out that could not be read. */
  badUnits = 0;
  /** Why the first of them could not. */
  firstProblem: InputError | undefined;
  /** Documents left out since a reviewer rejected or ignored what they are labelled with, by that word. */
  readonly notAccepted = new Map<string, number>();
  private readonly options: UnitCorpusOptions;
  private readonly format: UnitFormat;
  private readonly columns: readonly string[];
  private readonly reader: UnitReader;
  private readonly sentences: SentenceCollector;
  private readonly hash = new Sha256();

  constructor(format: UnitFormat, options: UnitCorpusOptions) {
    checkArgument('options', options, 'object');
    checkColumnNames(options.columns);
    this.options = options;
    this.format = format;
    this.columns = options.columns.filter(isColumnName);
    this.reader = lookUp(UNIT_FORMATS, format, 'input-format').read({ ...options, columns: this.columns });
    this.sentences = new SentenceCollector(this.columns, options.source);
  }

  /** Adds the next bytes. @throws InputError for what cannot be read, or lacks a column. */
  push(chunk: Uint8Array): void {
    checkArgument('chunk', chunk, 'bytes');
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
      const { answer = '' } = unit;
      if (NOT_ACCEPTED.includes(answer)) {
        this.notAccepted.set(answer, (this.notAccepted.get(answer) ?? 0) + 1);
        continue;
      }
      try {
        if (unit.problem) throw unit.problem;
        const cells = unit.sentences.map((sentence) => this.cellsOf(sentence));
        for (const [s, { lines, missed }] of unit.sentences.entries()) {
          const counted = this.options.scheme === 'token' ? [] : missed;
          this.sentences.add(cells[s], lines, counted, s === 0 && unit.startsDocument);
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
      throw missingColumns(missing, this.format, { source, line: lines[0] }, label);
    }
    return all as string[][];
  }
}

/** Says that a sentence lacks columns that are to be read. @param label the one that chunks may stand for, if any. */
export function missingColumns(
  names: readonly string[],
  format: UnitFormat,
  place: InputPlace,
  label?: string,
): InputError {
  const hints = [names.includes('pos') ? '; --pos-model FILE fills in parts of speech' : ''];
  if (format === 'jsonl' && names.includes(label ?? '')) {
    hints.push(
      `; chunks stand under ${listNames(SPANS_KEYS.map((key) => JSON.stringify(key)))}: an empty list where there are none`,
    );
  }
  const problem = `expected the column ${listNames(names)}, which this ${format} sentence does not have for every token`;
  return new InputError(place, problem + hints.join(''));
}
