/** Pieces per unit of the table. */
const PIECES = 16;
/** Beyond this log(1 + exp(−x)) is below 10⁻¹⁷ and counts as 0. */
const LARGEST = 40;

/** [LARGEST · PIECES × 4] coefficients of the cubic that has the value and slope of log(1 + exp(−x)) at both ends. */
export const CUBICS = makeCubics();

/**
 * log σ(2f) = −log(1 + exp(−2f)) from a table, with an error below 10⁻⁸ everywhere: decoders ask for it once per label
 * and token. Never above min(0, 2f), which pruning relies on.
 */
export function logSigmoid(margin: number): number {
  const doubled = 2 * margin;
  const distance = Math.abs(doubled);
  const bound = Math.min(doubled, 0);
  if (!(distance < LARGEST)) return bound;
  const scaled = distance * PIECES;
  const piece = scaled | 0;
  const u = scaled - piece;
  const at = 4 * piece;
  const softened = CUBICS[at] + u * (CUBICS[at + 1] + u * (CUBICS[at + 2] + u * CUBICS[at + 3]));
  return bound - softened;
}

function makeCubics(): Float64Array {
  const cubics = new Float64Array(4 * LARGEST * PIECES);
  const value = (x: number) => Math.log1p(Math.exp(-x));
  const slope = (x: number) => -1 / (1 + Math.exp(x)) / PIECES;
  for (let piece = 0; piece < LARGEST * PIECES; piece++) {
    const x0 = piece / PIECES;
    const x1 = (piece + 1) / PIECES;
    const rise = value(x1) - value(x0);
    cubics[4 * piece] = value(x0);
    cubics[4 * piece + 1] = slope(x0);
    cubics[4 * piece + 2] = 3 * rise - 2 * slope(x0) - slope(x1);
    cubics[4 * piece + 3] = slope(x0) + slope(x1) - 2 * rise;
  }
  return cubics;
}
