/**
 * Dynamic programming over a stretch of tokens with one path per label: {@link extendPaths} token by token. The label at
 * −2 is the best predecessor already chosen for the label at −1 (`hybrid`), or never told. The plain kernel, oracle of its
 * SIMD twin.
 */
import { extendPaths, type PathExtension } from './extend-paths.js';
import { type LegalSteps, stepOf } from './legal-steps.js';

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
}

/** Extends the paths that `extension.best` has the scores of, one per label; writes their scores there. */
export function extendStretch(
  extension: PathExtension,
  steps: LegalSteps,
  { rows, tokens, remaining, hybrid, backs }: TrellisStretch,
): void {
  const { labels, width, scores, previous, beforePrevious, best, from } = extension;
  const size = (labels + 1) * width;
  for (let t = 0; t < tokens; t++) {
    const step = stepOf(steps, remaining - t);
    for (let c = 0; c < labels; c++) {
      scores[c] = best[c];
      previous[c] = c;
      beforePrevious[c] = hybrid ? backs[t * labels + c] : labels;
    }
    const fixed = rows.subarray(t * width, (t + 1) * width);
    extendPaths({ ...extension, fixed, legal: steps.masks.subarray(step * size, (step + 1) * size) }, labels);
    for (let c = 0; c < labels; c++) backs[(t + 1) * labels + c] = from[c];
  }
}
