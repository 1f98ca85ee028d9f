import { extendPaths } from './extend-paths';
import { stepOf } from './legal-steps';
import { logSigmoid } from './log-sigmoid';

/** Most labels that there is room for here. */
const MOST_LABELS: i32 = 512;
/** [L] the label of each path, */
const labelOf = memory.data(MOST_LABELS * sizeof<u16>(), 16);
/** and the label before it where none is told. */
const untold = memory.data(MOST_LABELS * sizeof<u16>(), 16);

/** The twin of `../extend-stretch.ts`; pointers are bytes, strides are floats. */
export function extendStretch(
  labels: i32,
  width: i32,
  link: i32,
  rows: usize,
  tokens: i32,
  remaining: i32,
  hybrid: i32,
  backs: usize,
  scores: usize,
  first: usize,
  firstStride: i32,
  second: usize,
  secondStride: i32,
  pair: usize,
  pairStride: i32,
  token: usize,
  mostHistory: usize,
  historyRange: f32,
  masks: usize,
  periodStart: i32,
  period: i32,
  best: usize,
  cubics: usize,
): void {
  const rowBytes = (<usize>width) << 2;
  const backBytes = (<usize>labels) << 1;
  for (let c: i32 = 0; c < labels; c++) {
    store<u16>(labelOf + ((<usize>c) << 1), <u16>c);
    store<u16>(untold + ((<usize>c) << 1), <u16>labels);
  }
  let row = rows;
  let back = backs;
  for (let t: i32 = 0; t < tokens; t++) {
    const step = stepOf(periodStart, period, remaining - t);
    const legal = masks + <usize>(step * (labels + 1)) * rowBytes;
    const before = hybrid ? back : untold;
    back += backBytes;
    if (firstStride == 0 && secondStride == 0 && pairStride == 0) {
      extendAlike(labels, rowBytes, link, scores, row, legal, best, back, cubics);
      row += rowBytes;
      continue;
    }
    memory.copy(scores, best, (<usize>labels) << 3);
    extendPaths(
      labels,
      labels,
      width,
      link,
      scores,
      labelOf,
      before,
      row,
      first,
      firstStride,
      second,
      secondStride,
      pair,
      pairStride,
      token,
      0,
      mostHistory,
      historyRange,
      legal,
      best,
      back,
      cubics,
    );
    row += rowBytes;
  }
}

/** As {@link extendPaths}, where a label has one score whatever is before it: its best predecessor is the best legal one. */
@inline
function extendAlike(
  labels: i32,
  rowBytes: usize,
  link: i32,
  scores: usize,
  row: usize,
  legal: usize,
  best: usize,
  back: usize,
  cubics: usize,
): void {
  memory.copy(scores, best, (<usize>labels) << 3);
  for (let at: usize = 0; at < rowBytes; at += 16) {
    let low = f64x2.splat(-Infinity);
    let high = low;
    let lowFrom = i64x2.splat(0);
    let highFrom = lowFrom;
    let here = lowFrom;
    let mask = legal + at;
    for (let p: i32 = 0; p < labels; p++) {
      const score = v128.load64_splat(scores + ((<usize>p) << 3));
      const open = v128.load(mask);
      const lowBetter = v128.and(i64x2.extend_low_i32x4_s(open), f64x2.gt(score, low));
      const highBetter = v128.and(i64x2.extend_high_i32x4_s(open), f64x2.gt(score, high));
      low = v128.bitselect(score, low, lowBetter);
      high = v128.bitselect(score, high, highBetter);
      lowFrom = v128.bitselect(here, lowFrom, lowBetter);
      highFrom = v128.bitselect(here, highFrom, highBetter);
      here = i64x2.add(here, i64x2.splat(1));
      mask += rowBytes;
    }
    const first = <i32>(at >> 2);
    take(labels, first, f64x2.extract_lane(low, 0), i64x2.extract_lane(lowFrom, 0), link, row, best, back, cubics);
    take(labels, first + 1, f64x2.extract_lane(low, 1), i64x2.extract_lane(lowFrom, 1), link, row, best, back, cubics);
    take(labels, first + 2, f64x2.extract_lane(high, 0), i64x2.extract_lane(highFrom, 0), link, row, best, back, cubics);
    take(labels, first + 3, f64x2.extract_lane(high, 1), i64x2.extract_lane(highFrom, 1), link, row, best, back, cubics);
  }
}

/** Notes a label's best predecessor and the score of the path over it. */
@inline
function take(
  labels: i32,
  c: i32,
  score: f64,
  from: i64,
  link: i32,
  row: usize,
  best: usize,
  back: usize,
  cubics: usize,
): void {
  if (c >= labels) return;
  const margin = <f64>load<f32>(row + ((<usize>c) << 2));
  store<f64>(best + ((<usize>c) << 3), score + (link == 1 ? logSigmoid(margin, cubics) : margin));
  store<u16>(back + ((<usize>c) << 1), <u16>from);
}
