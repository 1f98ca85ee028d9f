import { stepOf } from './legal-steps';
import { extendPaths } from './extend-paths';

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
