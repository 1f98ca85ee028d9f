import type { Region } from '../data/formats/regions.js';
import type { Tagger } from '../model/tagger.js';
import { ColumnLabeller } from './label-columns.js';
import type { LabelOptions } from './labeller.js';

/** Sentences that could not be read, and were skipped or kept. */
export interface BadSentences {
  /** How many. */
  readonly badSentences: number;
  /** Message about the first of them. */
  readonly firstProblem: string | undefined;
}

/** What became of a region. */
export interface LabelledRegion extends BadSentences {
  /** Output, up to the problem if there is one. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** Message about the sentence that stopped labelling, if one did. */
  readonly stopped: string | undefined;
}

/** Labels a part of a column file. */
export function labelRegion(
  tagger: Tagger,
  options: LabelOptions,
  { bytes, line, byte }: Region,
): LabelledRegion {
  const labeller = new ColumnLabeller(tagger, { ...options, from: { line, byte } });
  const first = labeller.push(bytes).slice();
  const last = labeller.finish();
  const output = new Uint8Array(first.length + last.length);
  output.set(first);
  output.set(last, first.length);
  const { badSentences, firstProblem, stopped } = labeller;
  return { output, badSentences, firstProblem: firstProblem?.message, stopped: stopped?.message };
}
