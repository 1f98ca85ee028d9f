import type { InputError } from '../base/errors.js';
import type { Region } from '../data/formats/regions.js';
import type { ColumnLabeller } from './label-columns.js';

/** Sentences that could not be read, and were skipped or kept. */
export interface BadSentences {
  /** How many. */
  readonly badSentences: number;
  /** Message about the first of them. */
  readonly firstProblem: string | undefined;
}

/** What became of a region. */
export interface LabelledRegion extends BadSentences {
  /** Output, up to the problem if there is one; at the start of a buffer of its own. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** The problem that stopped labelling, if one did. */
  readonly stopped: InputError | undefined;
}

/**
 * Labels a part of a column file. The output takes the place of the region's bytes where it fits into their buffer.
 *
 * @param labeller of the whole file.
 */
export function labelRegion(labeller: ColumnLabeller, { bytes, line, byte }: Region): LabelledRegion {
  labeller.restart({ line, byte });
  const first = labeller.push(bytes);
  const last = labeller.finish();
  const length = first.length + last.length;
  const { buffer } = bytes;
  const output = new Uint8Array(buffer.byteLength < length ? new ArrayBuffer(length) : buffer, 0, length);
  output.set(first);
  output.set(last, first.length);
  const { badSentences, firstProblem, stopped } = labeller;
  return { output, badSentences, firstProblem: firstProblem?.message, stopped };
}
