import { checkArgument } from '../base/arguments.js';
import { ByteBuffer } from '../base/byte-buffer.js';
import { InputError, listNames, OptionError, quote } from '../base/errors.js';
import type { ColumnLayout, InputPosition } from '../data/formats/columns.js';
import type { InputFormat } from '../data/formats/input-formats.js';
import type { SentenceOptions } from '../text/text-scanner.js';
import { LABEL_FORMATS, type LabelFormat, type SentenceWriter } from './formats.js';
import type { LabelledSentence } from './labelled-sentence.js';
import type { WholeRun } from './whole-runs.js';

/** Policy for sentences that cannot be read: `stop`, `skip` them, or `keep` them as they are, unlabelled. */
export type ErrorPolicy = 'stop' | 'skip' | 'keep';

/** All policies. */
export const ERROR_POLICIES: readonly ErrorPolicy[] = ['stop', 'skip', 'keep'];

const FORMATS = Object.entries(LABEL_FORMATS);
const FORMATS_OF_UNREAD = FORMATS.flatMap(([name, { writeUnread }]) => (writeUnread ? [name] : []));
const FORMATS_OF_ALTERNATIVES = FORMATS.flatMap(([name, { hasAlternatives }]) =>
  hasAlternatives ? [name] : [],
);
const FORMATS_OF_CONFIDENCE = FORMATS.flatMap(([name, { hasConfidence }]) => (hasConfidence ? [name] : []));

/** How a {@link Labeller} works. */
export interface LabelOptions extends ColumnLayout, SentenceOptions {
  /** Name of the input in messages. */
  readonly source: string;
  /** Where the bytes begin, when they are a later part of the input. */
  readonly from?: InputPosition | undefined;
  /** Output format, or what writes sentences in a format of one's own. */
  readonly format: LabelFormat | SentenceWriter;
  /** Whether confidences are written too. */
  readonly confidence: boolean;
  /** How many labellings of each sentence are written, the best first; absent: the best only, with no list of them. */
  readonly kbest?: number | undefined;
  /** Runs of characters that models of characters leave whole; default Latin letters and digits. */
  readonly wholeRuns?: readonly WholeRun[] | undefined;
  /** Whether the probabilities of all tags are written. */
  readonly marginals?: boolean | undefined;
  /** Policy for sentences that cannot be read. */
  readonly onError: ErrorPolicy;
  /** Whether each line of the input gives one line of output: lines of text are texts of their own. */
  readonly lineByLine?: boolean | undefined;
}

/**
 * Labels an input as its bytes come: push chunks, collect output. Memory is bounded by a chunk and the longest sentence
 * (of formats that hold a document in a line, the longest line).
 */
export abstract class Labeller {
  /** Sentences labelled. */
  sentences = 0;
  /** Tokens labelled. */
  tokens = 0;
  /** Sentences or documents that could not be read, and were skipped or kept. */
  badSentences = 0;
  /** The first of them. */
  firstProblem: InputError | undefined;
  /** Under `stop`: what could not be read. What was labelled before it is in the output. */
  stopped: InputError | undefined;
  /** How to work. */
  protected readonly options: LabelOptions;
  /** Format of the input. */
  protected readonly inputFormat: InputFormat;
  /** Output not yet handed out. */
  protected out = new ByteBuffer();
  /** Output handed out last: it can be written while the next is made. */
  private given = new ByteBuffer();

  /**
   * @param inputFormat format of the input.
   * @param columns names of the columns that models read or fill.
   * @throws OptionError where the output format has no place for something.
   */
  constructor(options: LabelOptions, inputFormat: InputFormat, columns: readonly string[]) {
    this.options = options;
    this.inputFormat = inputFormat;
    const { format, onError, confidence, kbest } = options;
    if (kbest !== undefined && !(typeof format === 'string' && LABEL_FORMATS[format].hasAlternatives)) {
      throw new OptionError(
        'kbest',
        `--kbest: the format ${typeof format === 'string' ? format : 'pretty'} has no place for several labellings; ` +
          `expected --format ${listNames(FORMATS_OF_ALTERNATIVES)}`,
      );
    }
    if (
      options.marginals === true &&
      !(typeof format === 'string' && LABEL_FORMATS[format].hasAlternatives)
    ) {
      throw new OptionError(
        'marginals',
        `--marginals: expected --format ${listNames(FORMATS_OF_ALTERNATIVES)}, which has a place for them`,
      );
    }
    if (options.lineByLine === true) checkLines(options, inputFormat);
    else if (inputFormat === 'text' && onError !== 'stop') {
      throw new OptionError(
        'on-error',
        '--on-error: raw text has no sentences that could be left out; expected stop',
      );
    }
    if (typeof format !== 'string') return;
    const { reserved = [], writeUnread, hasConfidence } = LABEL_FORMATS[format];
    if (confidence && !hasConfidence) {
      throw new OptionError(
        'confidence',
        `--confidence: the format ${format} has no place for it; expected the format ${listNames(FORMATS_OF_CONFIDENCE)}`,
      );
    }
    if (onError === 'keep' && writeUnread === undefined && format !== inputFormat) {
      throw new OptionError(
        'on-error',
        `--on-error keep: ${format} has no place for what cannot be read; expected skip or stop, or the format ` +
          listNames([...new Set([inputFormat, ...FORMATS_OF_UNREAD])]),
      );
    }
    const taken = columns.find((name) => name !== 'word' && reserved.includes(name));
    if (taken !== undefined) {
      throw new OptionError(
        'format',
        `the format ${format} has another use for the name of the column ${quote(taken)}`,
      );
    }
  }

  /**
   * Labels the sentences that are complete with this chunk, up to one that stops the labeller; see {@link stopped}.
   *
   * @returns output bytes, a view that holds until the call after the next.
   */
  push(chunk: Uint8Array): Uint8Array {
    checkArgument('chunk', chunk, 'bytes');
    this.beginOutput();
    this.read(chunk);
    this.labelAll();
    return this.out.view();
  }

  /** Labels what is left once all chunks are pushed; returns as {@link push}. */
  finish(): Uint8Array {
    this.beginOutput();
    this.read(undefined);
    this.labelAll();
    if (!this.stopped) this.addRest();
    return this.out.view();
  }

  /** Takes a chunk, or notes that no more come. */
  protected abstract read(chunk: Uint8Array | undefined): void;

  /** Labels the next sentence or document; false when it is not there yet. */
  protected abstract labelNext(): boolean;

  /** Writes what follows the last sentence. */
  protected addRest(): void {}

  /** Notes what could not be read; true when it is to be kept in the output. */
  protected refuse(problem: InputError): boolean {
    const { onError } = this.options;
    if (onError === 'stop') {
      this.stopped = problem;
      return false;
    }
    this.badSentences++;
    this.firstProblem ??= problem;
    return onError === 'keep';
  }

  /** Why the output format cannot hold a sentence, if it cannot. @param line its line in the input. */
  protected refusalOf(labelled: LabelledSentence, line: number | undefined): InputError | undefined {
    const { format, source } = this.options;
    const problem = typeof format === 'string' ? LABEL_FORMATS[format].refuse?.(labelled) : undefined;
    if (problem === undefined) return undefined;
    return new InputError({ source, line }, `the output format ${String(format)} has ${problem}`);
  }

  /** Writes a sentence. @param startsDocument whether the input marks that a document starts with it. */
  protected addSentence(labelled: LabelledSentence, startsDocument = false): void {
    const { format } = this.options;
    this.sentences++;
    this.tokens += labelled.sentence.words.length;
    const { write, writeTokens } = typeof format === 'string' ? LABEL_FORMATS[format] : { write: format };
    const ofTokens = this.inputFormat === 'text' ? undefined : writeTokens;
    this.out.addText(ofTokens ? ofTokens(labelled, startsDocument) : write(labelled));
  }

  /** Writes a record of some sentences. */
  protected addRecord(record: string, sentences: readonly LabelledSentence[]): void {
    this.sentences += sentences.length;
    for (const { sentence } of sentences) this.tokens += sentence.words.length;
    this.out.addText(record);
  }

  /** Writes what could not be read in another format than its own. */
  protected addUnread(problem: InputError, raw: string): void {
    const { format } = this.options;
    const { writeUnread } = typeof format === 'string' ? LABEL_FORMATS[format] : LABEL_FORMATS.brackets;
    this.out.addText(writeUnread?.(problem, raw) ?? '');
  }

  private beginOutput(): void {
    const { out } = this;
    this.out = this.given;
    this.given = out;
    this.out.clear();
  }

  private labelAll(): void {
    while (!this.stopped && this.labelNext()) {}
  }
}

/** Formats of input whose units are lines. */
const FORMATS_OF_LINES: readonly InputFormat[] = ['text', 'jsonl', 'segmented', 'tagged'];

/** @throws OptionError where an input or output format has more or fewer lines than units. */
function checkLines({ format, onError }: LabelOptions, inputFormat: InputFormat): void {
  if (!FORMATS_OF_LINES.includes(inputFormat)) {
    throw new OptionError(
      'line-by-line',
      `--line-by-line: expected an input of the format ${listNames(FORMATS_OF_LINES)}, found ${inputFormat}`,
    );
  }
  if (typeof format !== 'string' || LABEL_FORMATS[format].joinRecords === undefined) {
    const names = FORMATS.flatMap(([name, { joinRecords }]) => (joinRecords ? [name] : []));
    const found = typeof format === 'string' ? format : 'pretty';
    throw new OptionError(
      'line-by-line',
      `--line-by-line: expected an output format that can hold a text in a line, ${listNames(names)}, found ${found}`,
    );
  }
  if (onError === 'skip') {
    throw new OptionError(
      'line-by-line',
      '--line-by-line: expected --on-error stop or keep: each line of input gives one of output',
    );
  }
}
