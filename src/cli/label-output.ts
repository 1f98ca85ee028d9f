import { OptionError } from '../base/errors.js';
import type { OptionValues } from '../base/options.js';
import type { BadSentences } from '../jobs/label-region.js';
import type { LabelFormat, SentenceWriter } from '../label/formats.js';
import type { Labeller } from '../label/labeller.js';
import { fileSize } from '../node/files.js';
import { PACKED_EXTENSION } from '../node/packed.js';
import type { LabelSetup } from './label-setup.js';
import { isStandardOutput, type Output, openOutput } from './output.js';
import { counted, duration, warn, withThousands } from './render.js';
import { showStatus } from './terminal.js';

/** Formats in which an empty line parts sentences. */
const PARTED_BY_EMPTY_LINES: readonly unknown[] = ['columns', 'conllu'];
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Milliseconds between two looks at the progress. */
const INTERVAL = 200;

/** The output of several inputs: what one leaves unfinished, a line or a sentence, ends before the next begins. */
export class JoinedOutput {
  private readonly output: Output;
  /** Line ends that must stand before the next input. */
  private readonly lineEnds: number;
  /** Line ends at the end of what is written, no more than counted; nothing written needs none. */
  private ending: number;

  constructor(output: Output, format: LabelFormat | SentenceWriter) {
    this.output = output;
    this.lineEnds = PARTED_BY_EMPTY_LINES.includes(format) ? 2 : 1;
    this.ending = this.lineEnds;
  }

  /** Another input begins. */
  async next(): Promise<void> {
    this.output.next?.();
    const missing = this.lineEnds - this.ending;
    if (missing > 0) await this.write(new Uint8Array(missing).fill(NEWLINE));
  }

  /** Writes bytes; they may be reused once this resolves. */
  async write(bytes: Uint8Array): Promise<void> {
    let found = 0;
    let at = bytes.length - 1;
    for (; at >= 0 && found < this.lineEnds; at--) {
      if (bytes[at] === NEWLINE) found++;
      else if (bytes[at] !== CARRIAGE_RETURN) break;
    }
    // Bytes that are line ends only continue those before them.
    this.ending = Math.min(this.lineEnds, at < 0 ? this.ending + found : found);
    await this.output.write(bytes);
  }

  /** Ends well. */
  commit(): Promise<void> {
    return this.output.commit();
  }

  /** Ends without a file. */
  abandon(): Promise<void> {
    return this.output.abandon();
  }
}

/** Opens where labelling writes to, in the format that options name, which may be one of tables. */
export async function openLabelOutput(
  options: OptionValues,
  { inputFormat, isTable }: Pick<LabelSetup, 'inputFormat' | 'isTable'>,
): Promise<Output> {
  if (!isTable) return openOutput(options);
  if (isStandardOutput(options.output) && process.stdout.isTTY) {
    throw new OptionError(
      'output',
      '--format parquet: expected --output FILE, or standard output that is no terminal',
    );
  }
  const { SpansToParquet } = await import('../node/parquet.js');
  const isText = inputFormat === 'text' || inputFormat === 'jsonl';
  const table = new SpansToParquet({
    isOfDocuments: inputFormat === 'jsonl' || options['line-by-line'] === true,
    confidence: options.confidence === true,
    offsets: isText ? 'utf16' : 'tokens',
  });
  const output = await openOutput(options);
  return {
    next: () => table.next(),
    write: (bytes) => output.write(table.push(bytes)),
    commit: async () => {
      await output.write(table.finish());
      await output.commit();
    },
    abandon: () => output.abandon(),
  };
}

/**
 * Labels an input in this thread.
 *
 * @returns sentences that could not be read, and the message about the first.
 * @throws InputError for what cannot be read, once everything before it is written.
 */
export async function labelHere(
  labeller: Labeller,
  input: AsyncIterable<Uint8Array>,
  output: Pick<Output, 'write'>,
): Promise<BadSentences> {
  // What one chunk gave is written while the next is labelled.
  let written = Promise.resolve();
  const write = async (bytes: Uint8Array) => {
    await written;
    written = output.write(bytes);
    // It may fail before it is waited for.
    written.catch(() => undefined);
  };
  for await (const chunk of input) {
    await write(labeller.push(chunk));
    if (labeller.stopped) break;
  }
  if (!labeller.stopped) await write(labeller.finish());
  await written;
  if (labeller.stopped) throw labeller.stopped;
  return { badSentences: labeller.badSentences, firstProblem: labeller.firstProblem?.message };
}

/** Warns of sentences or documents that were left out or not labelled. */
export function warnOfBad(
  { options, inputFormat }: Pick<LabelSetup, 'options' | 'inputFormat'>,
  badSentences: number,
  firstProblem: string | null | undefined,
): void {
  if (badSentences === 0) return;
  const verb = options['on-error'] === 'skip' ? 'skipped' : 'kept unlabelled';
  const noun = inputFormat === 'jsonl' ? 'document' : 'sentence';
  warn(`${counted(badSentences, noun)} ${verb}; the first: ${firstProblem}`);
}

/** Shows how far labelling is, and at its end how much was done. */
export class LabelProgress {
  private readonly isShown: boolean;
  private readonly started = performance.now();
  private readonly labellers = new Set<Labeller>();
  private size = 0;
  private name = '';
  private shownAt = 0;

  /** @param isShown whether somebody sees it. */
  constructor(isShown: boolean) {
    this.isShown = isShown;
  }

  /** Another input begins. */
  async next(input: string | undefined): Promise<void> {
    if (!this.isShown) return;
    this.name = input === undefined ? '' : ` of ${input}`;
    // What a packed file holds is not known.
    this.size = input === undefined || PACKED_EXTENSION.test(input) ? 0 : await fileSize(input);
  }

  /** The chunks of an input, looked at as they are read. @param labeller counts sentences and tokens, where one does all. */
  async *watch(chunks: AsyncIterable<Uint8Array>, labeller?: Labeller): AsyncGenerator<Uint8Array> {
    if (labeller) this.labellers.add(labeller);
    let read = 0;
    for await (const chunk of chunks) {
      yield chunk;
      read += chunk.length;
      if (this.isShown) this.show(read);
    }
  }

  private show(read: number): void {
    const now = performance.now();
    if (now - this.shownAt < INTERVAL) return;
    this.shownAt = now;
    const done =
      this.size > 0
        ? `${Math.min(100, Math.round((100 * read) / this.size))} %`
        : `${withThousands(read / 1000)} kB`;
    const { tokens } = this.counts();
    const rate =
      tokens > 0 ? `, ${withThousands((1000 * tokens) / (now - this.started))} tokens a second` : '';
    showStatus(`${done}${this.name}${rate}`);
  }

  /** Removes what is on the screen. */
  end(): void {
    if (this.isShown) showStatus('');
  }

  /** Says how much was labelled. */
  summarise(): void {
    const { sentences, tokens } = this.counts();
    if (!this.isShown || tokens === 0) return;
    const elapsed = performance.now() - this.started;
    process.stderr.write(
      `labelled ${counted(sentences, 'sentence')} (${counted(tokens, 'token')}) in ${duration(elapsed)}, ` +
        `${withThousands((1000 * tokens) / elapsed)} tokens a second\n`,
    );
  }

  private counts(): { sentences: number; tokens: number } {
    let sentences = 0;
    let tokens = 0;
    for (const labeller of this.labellers) {
      sentences += labeller.sentences;
      tokens += labeller.tokens;
    }
    return { sentences, tokens };
  }
}
