import { checkArgument } from '../base/arguments.js';
import type { InputError } from '../base/errors.js';
import { lookUp } from '../base/errors.js';
import { decodeUtf8 } from '../base/utf8.js';
import type { SentenceColumns } from '../data/corpus.js';
import { DocumentCounter } from '../data/document-counter.js';
import { UNIT_FORMATS, type UnitFormat } from '../data/formats/input-formats.js';
import {
  type InputUnit,
  isComplete,
  type UnitReader,
  type UnitReaderOptions,
} from '../data/formats/input-unit.js';
import { LABEL_FORMATS, labelsOf } from './formats.js';
import type { LabelledSentence } from './labelled-sentence.js';
import { Labeller, type LabelOptions } from './labeller.js';
import type { Pipeline } from './pipeline.js';
import { missingColumns } from './unit-corpus.js';

/** Units that one model labels before the next one does. */
const BATCH = 256;

/** Labels raw text, JSONL spans or CoNLL-U. A document that stays in its format keeps everything but its labels. */
export class UnitLabeller extends Labeller {
  private readonly pipeline: Pipeline;
  private readonly reader: UnitReader;
  private readonly counter: DocumentCounter;
  /** Units whose document is not complete, where labels depend on it. */
  private waiting: InputUnit[] = [];
  /** [waiting] whether a unit starts a document. */
  private starting: boolean[] = [];
  private ended = false;

  /** @param offsets what offsets in JSONL spans count. */
  constructor(
    pipeline: Pipeline,
    inputFormat: UnitFormat,
    options: LabelOptions,
    offsets?: UnitReaderOptions['offsets'],
  ) {
    checkArgument('pipeline', pipeline, 'pipeline');
    checkArgument('options', options, 'object');
    const columns = [...new Set([...pipeline.inputColumns, ...pipeline.last.inputColumns])];
    super(options, inputFormat, [...columns, pipeline.last.labelColumn]);
    if (options.kbest !== undefined) pipeline.last.checkAlternatives(options.kbest);
    this.pipeline = pipeline;
    this.counter = new DocumentCounter(pipeline.last.documentSize);
    if (options.wholeRuns) pipeline.wholeRuns = options.wholeRuns;
    const { tokens, tokenizer } = pipeline.model.configuration;
    this.reader = lookUp(UNIT_FORMATS, inputFormat, 'input-format').read({
      source: options.source,
      from: options.from,
      layout: options.layout,
      abbreviations: options.abbreviations,
      columns,
      offsets,
      tokens,
      tokenizer,
      lineByLine: options.lineByLine,
      marks: 'replace',
    });
  }

  protected read(chunk: Uint8Array | undefined): void {
    if (chunk) this.reader.push(chunk);
    else {
      this.reader.end();
      this.ended = true;
    }
  }

  protected labelNext(): boolean {
    const { confidence, kbest, marginals } = this.options;
    const { units, documents } = this.nextUnits();
    const sentences = units.flatMap((unit) => (unit.problem ? [] : unit.sentences));
    const labelled = this.pipeline.labelSentences(
      sentences.map(({ sentence }) => sentence),
      sentences.map(({ columns }) => columns as SentenceColumns),
      confidence,
      kbest,
      documents,
      marginals,
    );
    let next = 0;
    for (const unit of units) {
      if (unit.problem) this.refuseUnit(unit, unit.problem);
      else this.write(unit, labelled.slice(next, (next += unit.sentences.length)));
      if (this.stopped) break;
    }
    return units.length > 0;
  }

  /**
   * The units that are there, a batch of them at most, or where labels depend on documents, those of whole ones; a missing column is
   * a problem too.
   */
  private nextUnits(): { units: InputUnit[]; documents: number[] } {
    const { readsDocuments } = this.pipeline.last;
    for (;;) {
      const unit = this.reader.next();
      if (unit === undefined)
        return this.takeUnits(readsDocuments && !this.ended ? this.lastStart() : undefined);
      const starts = unit.problem === undefined && unit.sentences.length > 0 && this.startsDocument(unit);
      this.waiting.push({ ...unit, problem: unit.problem ?? this.problemOf(unit) });
      this.starting.push(starts);
      if (this.waiting.length < BATCH) continue;
      if (!readsDocuments) return this.takeUnits();
      if (starts) return this.takeUnits(this.waiting.length - 1);
    }
  }

  /** Whether a document starts with a unit. One that is a document in itself never waits for the next. */
  private startsDocument({ sentences, startsDocument = false }: InputUnit): boolean {
    let starts = false;
    sentences.forEach((_, s) => {
      if (this.counter.next(s === 0 && startsDocument)) starts ||= s === 0;
    });
    return starts;
  }

  /** The last unit that starts a document, before which all are complete; after a JSONL document nothing is to come. */
  private lastStart(): number {
    return this.inputFormat === 'jsonl' ? this.waiting.length : Math.max(0, this.starting.lastIndexOf(true));
  }

  /** Takes the first units, by default all; the others wait on. */
  private takeUnits(count = this.waiting.length): { units: InputUnit[]; documents: number[] } {
    const units = this.waiting.splice(0, count);
    const starting = this.starting.splice(0, count);
    const documents = [0];
    let sentences = 0;
    units.forEach((unit, u) => {
      if (unit.problem) return;
      if (starting[u] && sentences > 0) documents.push(sentences);
      sentences += unit.sentences.length;
    });
    return { units, documents };
  }

  private refuseUnit({ raw }: InputUnit, problem: InputError): void {
    if (!this.refuse(problem)) return;
    if (this.options.format !== this.inputFormat) {
      this.addUnread(problem, (typeof raw === 'string' ? raw : decodeUtf8(raw)).trim());
    } else if (typeof raw === 'string') this.out.addText(raw);
    else this.out.add(raw);
  }

  /** Whether a sentence lacks a column that no model of the pipeline fills. */
  private problemOf({ sentences }: InputUnit): InputError | undefined {
    const { pipeline, inputFormat, options } = this;
    for (const { columns, lines } of sentences) {
      const missing = pipeline.inputColumns.filter((name) => !isComplete(columns[name]));
      if (missing.length > 0) {
        return missingColumns(missing, inputFormat as UnitFormat, { source: options.source, line: lines[0] });
      }
    }
    return undefined;
  }

  private write(unit: InputUnit, labelled: readonly LabelledSentence[]): void {
    const { relabel, sentences } = unit;
    if (relabel && this.options.format === this.inputFormat) {
      this.sentences += labelled.length;
      for (const { sentence } of labelled) this.tokens += sentence.words.length;
      this.out.addText(relabel(labelled.map(labelsOf)));
      return;
    }
    for (const [s, sentence] of labelled.entries()) {
      const problem = this.refusalOf(sentence, sentences[s].lines[0]);
      if (problem === undefined) continue;
      this.refuseUnit(unit, problem);
      return;
    }
    const { format, lineByLine } = this.options;
    // Spans of a document are one record.
    const isOneRecord = lineByLine || (format === 'spans-jsonl' && this.inputFormat === 'jsonl');
    const joinRecords =
      isOneRecord && typeof format === 'string' ? LABEL_FORMATS[format].joinRecords : undefined;
    if (joinRecords)
      this.addRecord(joinRecords(labelled, this.inputFormat === 'text' ? unit.text : undefined), labelled);
    else
      for (const [s, sentence] of labelled.entries())
        this.addSentence(sentence, s === 0 && unit.startsDocument);
  }
}
