import { cellNumbers } from '../data/corpus.js';
import type { RatedSpan, Span } from '../data/span.js';
import type { Model } from '../model/model.js';

/** A span with how sure the model is of it. */
export interface LabelledSpan extends RatedSpan {
  /** That of its least sure token, 0 … 1. */
  readonly confidence: number;
}

/** A labelled sentence. */
export interface Labelling {
  /** [T] tags in the scheme of the training file. */
  readonly tags: string[];
  /** Chunks in text order. */
  readonly spans: LabelledSpan[];
  /** [T] probability of each token's label: among those legal there, or among all legal sequences (CRF), 0 … 1. */
  readonly confidences: Float32Array;
}

/** One of the best labellings of a sentence. */
export interface Alternative {
  /** [T] tags in the scheme of the training file. */
  readonly tags: string[];
  /** Chunks in text order. */
  readonly spans: Span[];
  /**
   * Its probability, 0 … 1. Of sequence and chunk learners: exp(score) normalised over all legal labellings. Of others:
   * the product of its tokens' confidences. Over all legal labellings probabilities add up to 1, but the order of the
   * best is that of the scores, from which the second kind may differ.
   */
  readonly probability: number;
}

/** Confidence of a span: that of its least sure token. */
export function spanConfidence(span: Span, confidences: Float32Array): number {
  let least = 1;
  for (let t = span.start; t < span.end; t++) least = Math.min(least, confidences[t]);
  return least;
}

/** Numbers of a tagger's input columns in a file with the model's columns. */
export function inputCells({
  model,
  inputColumns,
}: {
  readonly model: Model;
  readonly inputColumns: readonly string[];
}): number[] {
  return cellNumbers(model.configuration.columns, inputColumns);
}
