import type { InputError } from '../base/errors.js';
import type { Region } from '../data/formats/regions.js';
import { ColumnLabeller } from '../label/label-columns.js';
import type { LabelOptions } from '../label/labeller.js';
import type { DecoderChoice } from '../model/model.js';
import { loadModel } from '../model/model-file.js';
import { Tagger } from '../tag/tagger.js';

/** A column file to label in regions, as plain data. */
export interface RegionWork {
  /** Bytes of the model file. */
  readonly model: Uint8Array;
  /** Name of the model file. */
  readonly modelSource: string;
  /** A decoder other than the model's. */
  readonly decoder: DecoderChoice;
  /** How to label. */
  readonly options: LabelOptions;
}

/** Makes the labeller of a file's regions. */
export function regionLabeller({ model, modelSource, decoder, options }: RegionWork): ColumnLabeller {
  return new ColumnLabeller(new Tagger(loadModel(model, modelSource), decoder), options);
}

/** Sentences that could not be read, and were skipped or kept. */
export interface BadSentences {
  /** How many. */
  readonly badSentences: number;
  /** Message about the first of them. */
  readonly firstProblem: string | undefined;
}

/** Labelled region. */
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
export function labelRegion(labeller: ColumnLabeller, { bytes, line, byte, width }: Region): LabelledRegion {
  labeller.restart({ line, byte }, width);
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
