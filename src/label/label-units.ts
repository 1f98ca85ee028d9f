import type { InputError } from '../base/errors.js';
import { decodeUtf8 } from '../base/utf8.js';
import type { InputUnit, UnitReader } from '../data/formats/input-unit.js';
import { UNIT_READERS, type UnitFormat, type UnitReaderOptions } from '../data/formats/unit-readers.js';
import { LABEL_FORMATS, labelsOf } from './formats.js';
import { Labeller, type LabelOptions } from './labeller.js';
import type { Pipeline } from './pipeline.js';
import { missingColumns } from './unit-corpus.js';

/** Labels raw text, JSONL spans or CoNLL-U. A document that stays in its format keeps everything but its labels. */
export class UnitLabeller extends Labeller {
  private readonly pipeline: Pipeline;
  private readonly inputFormat: UnitFormat;
  private readonly reader: UnitReader;

  /** @param offsets what offsets in JSONL spans count. */
  constructor(
    pipeline: Pipeline,
    inputFormat: UnitFormat,
    options: LabelOptions,
    offsets?: UnitReaderOptions['offsets'],
  ) {
    super(options);
    this.pipeline = pipeline;
    this.inputFormat = inputFormat;
    const columns = [...new Set([...pipeline.inputColumns, ...pipeline.last.inputColumns])];
    this.reader = UNIT_READERS[inputFormat]({ source: options.source, columns, offsets });
  }

  protected read(chunk: Uint8Array | undefined): void {
    if (chunk) this.reader.push(chunk);
    else this.reader.end();
  }

  protected labelNext(): boolean {
    const unit = this.reader.next();
    if (unit === undefined) return false;
    const problem = unit.problem ?? this.problemOf(unit);
    if (problem) {
      if (!this.refuse(problem)) return true;
      const { raw } = unit;
      if (this.options.format !== this.inputFormat) {
        this.addUnread(problem, (typeof raw === 'string' ? raw : decodeUtf8(raw)).trim());
      } else if (typeof raw === 'string') this.out.addText(raw);
      else this.out.add(raw);
    } else this.label(unit);
    return true;
  }

  /** Whether a sentence lacks a column that no model of the pipeline fills. */
  private problemOf({ sentences }: InputUnit): InputError | undefined {
    const { pipeline, inputFormat, options } = this;
    for (const { columns, lines } of sentences) {
      const missing = pipeline.inputColumns.filter((name) => columns[name] === undefined);
      if (missing.length > 0) {
        return missingColumns(missing, inputFormat, { source: options.source, line: lines[0] });
      }
    }
    return undefined;
  }

  private label({ sentences, relabel }: InputUnit): void {
    const { format, confidence } = this.options;
    const labelled = sentences.map(({ sentence, columns }) => {
      this.sentences++;
      this.tokens += sentence.words.length;
      return this.pipeline.labelSentence(sentence, columns, confidence);
    });
    if (relabel && format === this.inputFormat) {
      this.out.addText(relabel(labelled.map(labelsOf)));
      return;
    }
    const write = typeof format === 'string' ? LABEL_FORMATS[format].write : format;
    for (const sentence of labelled) this.out.addText(write(sentence));
  }
}
