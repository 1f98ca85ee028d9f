/**
 * Dynamic programming over a stretch of tokens with one path per label: {@link extendPaths} token by token. The label at
 * −2 is the best predecessor already chosen for the label at −1 (`hybrid`), or never told. The plain kernel, oracle of its
 * SIMD twin.
 */
import { extendPaths, MOST_LANES, type PathExtension } from './extend-paths.js';
import type { Kernel } from './kernel.js';
import { type LegalSteps, stepOf } from './legal-steps.js';
import { addHistory, type JoinedFeatures } from './token-history.js';

/**
 * Contributions of a stretch's tokens joined with the label at −1. Tokens of one kind share them: the rows of their base, which
 * kinds share, and what features of their own add to them.
 */
export interface StretchHistory {
  /** The features. */
  readonly features: JoinedFeatures;
  /** [tokens] kind of each. */
  readonly kinds: Uint32Array;
  /** [kinds] base of each. */
  readonly bases: Uint32Array;
  /** Runs of features that a kind has of its own. */
  readonly kindRuns: number;
  /** Runs of features that a base has. */
  readonly baseRuns: number;
  /** [kinds × kindRuns × 2] where each of a kind's own runs starts and ends. */
  readonly runs: Uint32Array;
  /** [bases × baseRuns × 2] where each run of a base starts and ends. */
  readonly runsOfBases: Uint32Array;
  /** [capacity, a power of 2] hash table of the rows of bases that the SIMD twin keeps: number of a row, 0 for none. */
  readonly keptSlots: Uint32Array;
  /**
   * [rows × (4 + 2 W)] base and label of each row, from the fifth number on the row, and then a bound of what the base and all other history
   * bring with any other label; row 0 is none.
   */
  readonly keptRows: Float32Array;
  /** [1] last row of `keptRows` in use. */
  readonly keptCount: Uint32Array;
  /** [bases] byte offset of each base's row that was last asked for, 0 for none. */
  readonly lastRows: Uint32Array;
}

/** Tokens that paths are extended over in one call. */
export interface TrellisStretch {
  /** [tokens × W] history-free scores. */
  readonly rows: Float32Array;
  /** Number of tokens. */
  tokens: number;
  /** Tokens of the sentence after the first of them. */
  remaining: number;
  /** Whether the first token is that of the sentence. */
  isStart: boolean;
  /** Whether the label at −2 is told. */
  hybrid: boolean;
  /** [(tokens + 1) × L] best predecessor of each label, L for none: row 0 of the token before the stretch, the others are written. */
  readonly backs: Uint16Array;
  /** [(tokens + 1) × W] bound of each label's score, kept by the SIMD twin. */
  readonly uppers: Float32Array;
  /** [(tokens + 1) × W] bound of what a label adds to a score. */
  readonly gains: Float32Array;
  /** [(tokens + 1) × W] each label's margin after the best label of the token before. */
  readonly margins: Float32Array;
  /** [(tokens + 1) × W] highest bound of other labels before each label. */
  readonly others: Float32Array;
  /** [(tokens + 1) × W] bound of the paths to the label that is being scored, by the label before it. */
  readonly bounds: Float32Array;
  /** [(tokens + 1) × L] score of each label, where it is known. */
  readonly pathScores: Float64Array;
  /** [(tokens + 1) × L] 1 where a label's score is known, 2 and more where it was found to be less than was needed, once or more often. */
  readonly known: Uint8Array;
  /** [tokens + 1] score that a token's bounds are relative to. */
  readonly references: Float64Array;
  /** [tokens + 1] the label of highest score. */
  readonly tops: Uint16Array;
  /** Contributions of tokens joined with the label at −1; {@link NO_HISTORY} for none. */
  readonly history: StretchHistory;
}

const NO_NUMBERS = new Uint32Array(0);
const NO_FLOATS = new Float32Array(0);

/** Tokens bring nothing with the label at −1. */
export const NO_HISTORY: StretchHistory = {
  features: { words: NO_NUMBERS, floats: NO_FLOATS },
  kinds: NO_NUMBERS,
  bases: NO_NUMBERS,
  kindRuns: 0,
  baseRuns: 0,
  runs: NO_NUMBERS,
  runsOfBases: NO_NUMBERS,
  keptSlots: NO_NUMBERS,
  keptRows: NO_FLOATS,
  keptCount: NO_NUMBERS,
  lastRows: NO_NUMBERS,
};

/** Paths that reach a stretch, and what they are extended by. */
export interface StretchSearch {
  /** The paths that `best` has the scores of, one per label, and scores by earlier labels. */
  readonly extension: PathExtension;
  /** Labels that may follow labels. */
  readonly steps: LegalSteps;
  /** The tokens. */
  readonly stretch: TrellisStretch;
}

/** Most runs of features of a kind, or of a base, that the twin has room for. */
const MOST_RUNS = 64;

/**
 * Extends paths over a stretch; at the start of a sentence none are read. Returns the label of the highest score after the last
 * token, the lowest id among equals.
 *
 * After a stretch that does not end its sentence `best` has the scores of all labels, and `backs` leads from each of them to
 * the start. At the end of the sentence only the best label's can be relied on: what cannot be part of the best path may be left out.
 */
export const extendStretch: Kernel<StretchSearch, number> = {
  name: 'extendStretch',
  plain({ extension, steps, stretch }) {
    const { labels, width, scores, previous, beforePrevious, best, from } = extension;
    const { rows, tokens, remaining, isStart, hybrid, backs, history } = stretch;
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
      if (history !== NO_HISTORY) sumRows(history, history.kinds[t], first, paths, extension);
      const fixed = rows.subarray(t * width, (t + 1) * width);
      const legal = steps.masks.subarray(step * size, (step + 1) * size);
      extendPaths.plain({ ...extension, count: paths, fixed, legal });
      for (let c = 0; c < labels; c++) backs[(t + 1) * labels + c] = first + from[c];
    }
    return bestLabel(best);
  },
  parameters: {
    labelCount: ['constant', ({ extension }) => extension.labels],
    width: ['constant', ({ extension }) => extension.width],
    link: ['constant', ({ extension }) => extension.link],
    rowsAt: ['float32', ({ stretch }) => stretch.rows],
    tokens: ['number', ({ stretch }) => stretch.tokens],
    remaining: ['number', ({ stretch }) => stretch.remaining],
    isStart: ['flag', ({ stretch }) => stretch.isStart],
    hybrid: ['flag', ({ stretch }) => stretch.hybrid],
    isLast: ['flag', ({ stretch }) => stretch.remaining < stretch.tokens],
    backsAt: ['uint16', ({ stretch }) => stretch.backs],
    uppersAt: ['float32', ({ stretch }) => stretch.uppers],
    gainsAt: ['float32', ({ stretch }) => stretch.gains],
    marginsAt: ['float32', ({ stretch }) => stretch.margins],
    othersAt: ['float32', ({ stretch }) => stretch.others],
    boundsAt: ['float32', ({ stretch }) => stretch.bounds],
    scoresAt: ['float64', ({ stretch }) => stretch.pathScores],
    knownAt: ['uint8', ({ stretch }) => stretch.known],
    referencesAt: ['float64', ({ stretch }) => stretch.references],
    topsAt: ['uint16', ({ stretch }) => stretch.tops],
    firstAt: ['float32', ({ extension }) => extension.first],
    firstStride: ['constant', ({ extension }) => extension.firstStride],
    secondAt: ['float32', ({ extension }) => extension.second],
    secondStride: ['constant', ({ extension }) => extension.secondStride],
    pairAt: ['float32', ({ extension }) => extension.pair],
    pairStride: ['constant', ({ extension }) => extension.pairStride],
    mostHistoryAt: ['float32', ({ extension }) => extension.mostHistory],
    mostBeforeAt: ['float32', ({ extension }) => extension.mostBefore],
    historyRange: ['constant', ({ extension }) => extension.historyRange],
    masksAt: ['int32', ({ steps }) => steps.masks],
    sourcesAt: ['uint32', ({ steps }) => steps.sources],
    sourceMasksAt: ['int32', ({ steps }) => steps.sourceMasks],
    periodStart: ['number', ({ steps }) => steps.periodStart],
    period: ['number', ({ steps }) => steps.period],
    best: ['float64', ({ extension }) => extension.best],
    cubicsAt: ['float64', ({ extension }) => extension.cubics],
    featuresAt: ['uint32', ({ stretch }) => stretch.history.features.words],
    kindsAt: ['uint32', ({ stretch }) => stretch.history.kinds],
    basesAt: ['uint32', ({ stretch }) => stretch.history.bases],
    runsPerKind: ['constant', ({ stretch }) => stretch.history.kindRuns],
    runsPerBase: ['constant', ({ stretch }) => stretch.history.baseRuns],
    runsAt: ['uint32', ({ stretch }) => stretch.history.runs],
    runsOfBasesAt: ['uint32', ({ stretch }) => stretch.history.runsOfBases],
    keptSlotsAt: ['uint32', ({ stretch }) => stretch.history.keptSlots],
    keptCapacity: ['constant', ({ stretch }) => stretch.history.keptSlots.length],
    keptRowsAt: ['float32', ({ stretch }) => stretch.history.keptRows],
    keptRoom: [
      'constant',
      ({ extension, stretch }) => Math.floor(stretch.history.keptRows.length / (2 * extension.width + 4)),
    ],
    keptCountAt: ['uint32', ({ stretch }) => stretch.history.keptCount],
    lastRowsAt: ['uint32', ({ stretch }) => stretch.history.lastRows],
  },
  fits: ({ extension, stretch: { history } }) =>
    extension.width <= MOST_LANES && Math.max(history.kindRuns, history.baseRuns) <= MOST_RUNS,
};

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
  const sum = { features, first, labels, width, out: token, at };
  addHistory.plain({ ...sum, runs: runsOfBases, runsAt: baseAt, count: baseRuns });
  addHistory.plain({ ...sum, runs, runsAt: 2 * kindRuns * kind, count: kindRuns });
}

/** The label of the highest score, the lowest id among equals. */
export function bestLabel(scores: Float64Array): number {
  let label = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[label]) label = c;
  return label;
}
