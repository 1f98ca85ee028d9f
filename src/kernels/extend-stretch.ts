/**
 * Dynamic programming over a stretch of tokens with one path per label: {@link extendPaths} token by token. The label at
 * −2 is the best predecessor already chosen for the label at −1 (`hybrid`), or never told. The plain kernel, oracle of its
 * SIMD twin.
 */
import { extendPaths, type PathExtension } from './extend-paths.js';
import { type LegalSteps, stepOf } from './legal-steps.js';
import { addHistory, type JoinedFeatures } from './token-history.js';

/**
 * What the tokens of a stretch bring together with the label at −1. Tokens of one kind bring the same: the rows of their base, which
 * kinds share, and what features of their own add to them.
 */
export interface StretchHistory {
  /** The features. */
  readonly features: JoinedFeatures;
  /** [tokens] kind of each. */
  readonly kinds: Uint32Array;
  /** [kinds] base of each. */
  readonly bases: Uint32Array;
  /** Runs of features that a kind has of its own, */
  readonly kindRuns: number;
  /** and that a base has. */
  readonly baseRuns: number;
  /** [kinds × kindRuns × 2] where each of a kind's own runs starts and ends. */
  readonly runs: Uint32Array;
  /** [bases × baseRuns × 2] where each run of a base starts and ends. */
  readonly runsOfBases: Uint32Array;
  /** Room for the rows of bases that the SIMD twin keeps: [capacity, a power of 2] number of a row by hash, 0 for none, */
  readonly keptSlots: Uint32Array;
  /**
   * [rows × (4 + 2 W)] base and label of each row, from the fifth number on the row, and then a bound of what the base and all other history
   * bring with any other label; row 0 is none,
   */
  readonly keptRows: Float32Array;
  /** [1] the last one in use, */
  readonly keptCount: Uint32Array;
  /** [bases] and where in bytes the one of each base is that was last asked for, 0 for none. */
  readonly lastRows: Uint32Array;
}

/** Tokens that paths are extended over in one call. */
export interface TrellisStretch {
  /** [tokens × W] history-free scores. */
  readonly rows: Float32Array;
  /** How many. */
  tokens: number;
  /** Tokens of the sentence after the first of them. */
  remaining: number;
  /** Whether the first token is that of the sentence. */
  isStart: boolean;
  /** Whether the label at −2 is told. */
  hybrid: boolean;
  /** [(tokens + 1) × L] best predecessor of each label, L for none: row 0 of the token before the stretch, the others are written. */
  readonly backs: Uint16Array;
  /** Room for what the SIMD twin keeps of each label: [(tokens + 1) × W] a bound of its score, */
  readonly uppers: Float32Array;
  /** [(tokens + 1) × W] and of what it adds to one, */
  readonly gains: Float32Array;
  /** [(tokens + 1) × W] its margin after the top of the token before, */
  readonly margins: Float32Array;
  /** [(tokens + 1) × W] the highest bound of other labels before it; */
  readonly others: Float32Array;
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
 * Extends the paths that `extension.best` has the scores of, one per label; at the start of a sentence none are read.
 *
 * After a stretch that does not end its sentence `best` has the scores of all labels, and `backs` leads from each of them to
 * the start. At the end of the sentence only the best label's can be relied on: what cannot be part of the best path may be left out.
 *
 * @returns the label of the highest score after the last token, the lowest id among equals.
 */
export function extendStretch(
  extension: PathExtension,
  steps: LegalSteps,
  { rows, tokens, remaining, isStart, hybrid, backs, history }: TrellisStretch,
): number {
  const { labels, width, scores, previous, beforePrevious, best, from } = extension;
  const size = (labels + 1) * width;
  for (let t = 0; t < tokens; t++) {
    const step = stepOf(steps, remaining - t);
    const first = isStart && t === 0 ? labels : 0;
    const paths = first > 0 ? 1 : labels;
    for (let k = 0; k < paths; k++) {
      scores[k] = first > 0 ? 0 : best[k];
      previous[k] = first + k;
      beforePrevious[k] = hybrid && first === 0 ? backs[t * labels + k] : labels;
    }
    if (history) sumRows(history, history.kinds[t], first, paths, extension);
    const fixed = rows.subarray(t * width, (t + 1) * width);
    const legal = steps.masks.subarray(step * size, (step + 1) * size);
    extendPaths({ ...extension, fixed, legal }, paths);
    for (let c = 0; c < labels; c++) backs[(t + 1) * labels + c] = first + from[c];
  }
  return bestLabel(best);
}

/** Sums the rows that a kind of token brings with some labels at −1. */
function sumRows(
  { features, bases, kindRuns, baseRuns, runs, runsOfBases }: StretchHistory,
  kind: number,
  first: number,
  labels: number,
  { token, width }: PathExtension,
): void {
  const at = first * width;
  token.fill(0, at, at + labels * width);
  const baseAt = 2 * baseRuns * bases[kind];
  addHistory(features, runsOfBases, baseAt, baseRuns, first, labels, width, token, at);
  addHistory(features, runs, 2 * kindRuns * kind, kindRuns, first, labels, width, token, at);
}

/** The label of the highest score, the lowest id among equals. */
export function bestLabel(scores: Float64Array): number {
  let label = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[label]) label = c;
  return label;
}
