/**
 * Dynamic programming over a stretch of tokens with one path per label: {@link extendPaths} token by token. The label at
 * −2 is the best predecessor already chosen for the label at −1 (`hybrid`), or never told. The plain kernel, oracle of its
 * SIMD twin.
 */
import { extendPaths, type PathExtension } from './extend-paths.js';
import { type LegalSteps, stepOf } from './legal-steps.js';
import { historyRows, type JoinedFeatures } from './token-history.js';

/** What the tokens of a stretch bring together with the label at −1. Tokens of one kind bring the same. */
export interface StretchHistory extends JoinedFeatures {
  /** [tokens] kind of each. */
  readonly kinds: Uint32Array;
  /** [kinds × runs × 2] where each of its runs starts and ends. */
  readonly runs: Uint32Array;
  /** [kinds × W] the largest value that any label brings in each lane. */
  readonly mosts: Float32Array;
  /** Room for rows that the SIMD twin keeps: [rows, a power of 2 × 2] kind + 1 and label of each, 0 for none, */
  readonly keptKinds: Uint32Array;
  /** [rows × W] and the rows. */
  readonly keptRows: Float32Array;
}

/** Tokens that paths are extended over in one call. */
export interface TrellisStretch {
  /** [tokens × W] history-free scores. */
  readonly rows: Float32Array;
  /** How many. */
  tokens: number;
  /** Tokens of the sentence after the first of them. */
  remaining: number;
  /** Whether the label at −2 is told. */
  hybrid: boolean;
  /** [(tokens + 1) × L] best predecessor of each label: row 0 of the token before the stretch, the others are written. */
  readonly backs: Uint16Array;
  /** Room for what the SIMD twin keeps of each label: [(tokens + 1) × W] a bound of its score, */
  readonly uppers: Float32Array;
  /** [(tokens + 1) × L] its score, */
  readonly pathScores: Float64Array;
  /** [(tokens + 1) × L] whether that is known; */
  readonly known: Uint8Array;
  /** and of each token: [tokens + 1] what bounds are relative to, */
  readonly references: Float64Array;
  /** [tokens + 1] the label of highest score. */
  readonly tops: Uint16Array;
  /** What tokens bring together with the label at −1, if anything. */
  readonly history?: StretchHistory | undefined;
}

/**
 * Extends the paths that `extension.best` has the scores of, one per label.
 *
 * After a stretch that does not end its sentence `best` has the scores of all labels, and `backs` leads from each of them to
 * the start. At the end of the sentence only the best label's can be relied on: what cannot be part of the best path may be left out.
 *
 * @returns the label of the highest score after the last token, the lowest id among equals.
 */
export function extendStretch(
  extension: PathExtension,
  steps: LegalSteps,
  { rows, tokens, remaining, hybrid, backs, history }: TrellisStretch,
): number {
  const { labels, width, scores, previous, beforePrevious, best, from } = extension;
  const size = (labels + 1) * width;
  const { token } = extension;
  for (let t = 0; t < tokens; t++) {
    const step = stepOf(steps, remaining - t);
    for (let c = 0; c < labels; c++) {
      scores[c] = best[c];
      previous[c] = c;
      beforePrevious[c] = hybrid ? backs[t * labels + c] : labels;
    }
    if (history) {
      const runsAt = 2 * history.places.length * history.kinds[t];
      historyRows(history, history.runs, runsAt, labels, width, token);
    }
    const fixed = rows.subarray(t * width, (t + 1) * width);
    extendPaths({ ...extension, fixed, legal: steps.masks.subarray(step * size, (step + 1) * size) }, labels);
    for (let c = 0; c < labels; c++) backs[(t + 1) * labels + c] = from[c];
  }
  return bestLabel(best);
}

/** The label of the highest score, the lowest id among equals. */
export function bestLabel(scores: Float64Array): number {
  let label = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[label]) label = c;
  return label;
}
