/**
 * The SIMD twin of `../extend-paths.ts`: the same scores and choices. A path is compared with what four labels at once
 * still need of it; those that it could serve are scored one by one.
 */
import { MARGIN_SLACK, ROUNDING } from './constants';
import { logSigmoid } from './log-sigmoid';

/** Most lanes whose needs are kept here. */
const MOST_LANES: i32 = 512;
/** How many paths are tried in the order of their scores; putting all in order costs more than it spares. */
const BEST_FIRST: i32 = 3;
/** [W] float32: what score a path needs at least to become the best of a label. */
const needs = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** [W] float32: no path adds more than this by taking a label. */
const mosts = memory.data(MOST_LANES * sizeof<f32>(), 16);
/** [k] float64: scores of the paths not yet tried. */
const left = memory.data((MOST_LANES + 1) * sizeof<f64>(), 16);
/** [4] margins of the group under way. */
const margins = memory.data(16, 16);

/** Numbers that all calls of one sentence share. */
let labels: i32 = 0;
let legal: usize = 0;
let best: usize = 0;
let from: usize = 0;
let scores: usize = 0;
let cubics: usize = 0;
let linked: bool = false;

/**
 * Extends the first `count` paths; pointers are bytes, strides are floats.
 *
 * @param cubicsAt the table of log σ.
 */
export function extendPaths(
  count: i32,
  labelCount: i32,
  width: i32,
  link: i32,
  scoresAt: usize,
  previous: usize,
  beforePrevious: usize,
  fixed: usize,
  first: usize,
  firstStride: i32,
  second: usize,
  secondStride: i32,
  pair: usize,
  pairStride: i32,
  token: usize,
  tokenStride: i32,
  mostHistory: usize,
  historyRange: f32,
  legalAt: usize,
  bestAt: usize,
  fromAt: usize,
  cubicsAt: usize,
): void {
  labels = labelCount;
  legal = legalAt;
  best = bestAt;
  from = fromAt;
  scores = scoresAt;
  cubics = cubicsAt;
  linked = link == 1;
  for (let c: i32 = 0; c < labels; c++) {
    store<f64>(best + ((<usize>c) << 3), -Infinity);
    store<u16>(from + ((<usize>c) << 1), 0);
  }
  for (let k: i32 = 0; k < count; k++) {
    store<f64>(left + ((<usize>k) << 3), load<f64>(scores + ((<usize>k) << 3)));
  }
  const rowBytes = (<usize>width) << 2;
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(needs + at, f32x4.splat(-f32.MAX_VALUE));
  for (let c = labels; c < width; c++) store<f32>(needs + ((<usize>c) << 2), Infinity);
  findMosts(count, rowBytes, previous, fixed, token, tokenStride, mostHistory, historyRange);

  // The best paths first: what they give to labels spares the others most of the work.
  for (let turn: i32 = 0; turn < BEST_FIRST + count; turn++) {
    let k = turn - BEST_FIRST;
    if (turn < BEST_FIRST) k = highest(count);
    const score = load<f64>(left + ((<usize>k) << 3));
    if (score == -Infinity) continue;
    store<f64>(left + ((<usize>k) << 3), -Infinity);
    const p = <i32>load<u16>(previous + ((<usize>k) << 1));
    const b = <i32>load<u16>(beforePrevious + ((<usize>k) << 1));
    const firstRow = first + ((<usize>(p * firstStride)) << 2);
    const secondRow = second + ((<usize>(b * secondStride)) << 2);
    const pairRow = pair + ((<usize>((p * (labels + 1) + b) * pairStride)) << 2);
    const tokenRow = token + ((<usize>(p * tokenStride)) << 2);
    const legalRow = legal + (<usize>p) * rowBytes;
    const has = f32x4.splat(<f32>score);
    for (let at: usize = 0; at < rowBytes; at += 16) {
      let open = i32x4.bitmask(v128.and(f32x4.ge(has, v128.load(needs + at)), v128.load(legalRow + at)));
      if (open == 0) continue;
      let margin = f32x4.add(v128.load(fixed + at), v128.load(firstRow + at));
      margin = f32x4.add(margin, v128.load(secondRow + at));
      margin = f32x4.add(margin, v128.load(pairRow + at));
      v128.store(margins, f32x4.add(margin, v128.load(tokenRow + at)));
      for (; open != 0; open &= open - 1) {
        const lane = ctz(open);
        offer(k, score, <i32>(at >> 2) + lane, <f64>load<f32>(margins + ((<usize>lane) << 2)));
      }
    }
  }
}

/** The best of the paths not yet tried. */
function highest(count: i32): i32 {
  let k: i32 = 0;
  let score = -Infinity;
  for (let i: i32 = 0; i < count; i++) {
    const other = load<f64>(left + ((<usize>i) << 3));
    k = select<i32>(i, k, other > score);
    score = other > score ? other : score;
  }
  return k;
}

/** Offers a label a path with the margin that it would have. */
@inline
function offer(k: i32, score: f64, c: i32, margin: f64): void {
  const at = (<usize>c) << 3;
  const known = load<f64>(best + at);
  let total = score;
  if (linked) {
    if (margin < 0 && score + 2 * margin < known) return;
    total += logSigmoid(margin, cubics);
  } else total += margin;
  if (total < known) return;
  if (total == known) {
    // Of equals the path of higher score, then the first.
    const rival = <i32>load<u16>(from + ((<usize>c) << 1));
    const rivalScore = load<f64>(scores + ((<usize>rival) << 3));
    if (total == -Infinity || rivalScore > score || (rivalScore == score && rival < k)) return;
  }
  store<f64>(best + at, total);
  store<u16>(from + ((<usize>c) << 1), <u16>k);
  // A little less than is needed, so that no rounding to float32 leaves out an equal.
  const need = total - <f64>load<f32>(mosts + ((<usize>c) << 2));
  store<f32>(needs + ((<usize>c) << 2), <f32>(need - (abs(need) * 1e-6 + 1e-6)));
}

/** Bounds, for each label, what a path adds to its score by taking it. */
function findMosts(
  count: i32,
  rowBytes: usize,
  previous: usize,
  fixed: usize,
  token: usize,
  tokenStride: i32,
  mostHistory: usize,
  historyRange: f32,
): void {
  for (let at: usize = 0; at < rowBytes; at += 16) {
    let most = f32x4.splat(0);
    if (tokenStride > 0) {
      most = f32x4.splat(-Infinity);
      for (let k: i32 = 0; k < count; k++) {
        if (load<f64>(scores + ((<usize>k) << 3)) == -Infinity) continue;
        const p = <i32>load<u16>(previous + ((<usize>k) << 1));
        most = f32x4.pmax(most, v128.load(token + ((<usize>(p * tokenStride)) << 2) + at));
      }
    }
    const own = v128.load(fixed + at);
    const margin = f32x4.add(f32x4.add(own, v128.load(mostHistory + at)), most);
    if (linked) {
      v128.store(mosts + at, linkBound(f32x4.add(margin, f32x4.splat(MARGIN_SLACK))));
      continue;
    }
    const size = f32x4.add(f32x4.add(f32x4.abs(own), f32x4.abs(most)), f32x4.splat(1 + historyRange));
    v128.store(mosts + at, f32x4.add(margin, f32x4.mul(size, f32x4.splat(ROUNDING))));
  }
}

/**
 * Upper bound of log σ(2 m): the lowest of lines that touch it, since it is concave, a little raised. They touch
 * where m is −∞, −1, −0.25, 0.5, 1.5 and ∞.
 */
@inline
export function linkBound(margin: v128): v128 {
  let bound = f32x4.pmin(f32x4.add(margin, margin), f32x4.splat(0));
  bound = f32x4.pmin(bound, f32x4.add(f32x4.mul(margin, f32x4.splat(1.7615942)), f32x4.splat(-0.3653338)));
  bound = f32x4.pmin(bound, f32x4.add(f32x4.mul(margin, f32x4.splat(1.2449187)), f32x4.splat(-0.6628472)));
  bound = f32x4.pmin(bound, f32x4.add(f32x4.mul(margin, f32x4.splat(0.5378828)), f32x4.splat(-0.5822031)));
  bound = f32x4.pmin(bound, f32x4.add(f32x4.mul(margin, f32x4.splat(0.0948517)), f32x4.splat(-0.1908650)));
  return f32x4.pmin(f32x4.add(bound, f32x4.splat(1e-5)), f32x4.splat(0));
}
