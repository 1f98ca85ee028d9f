import { stepOf } from './legal-steps';
import { logSigmoid } from './log-sigmoid';

/** The SIMD twin of `../greedy-path.ts`; pointers are bytes, strides are floats. */
export function greedyPath(
  labels: i32,
  width: i32,
  link: i32,
  rows: usize,
  tokens: i32,
  remaining: i32,
  previous: i32,
  beforePrevious: i32,
  first: usize,
  firstStride: i32,
  second: usize,
  secondStride: i32,
  pair: usize,
  pairStride: i32,
  masks: usize,
  periodStart: i32,
  period: i32,
  out: usize,
  cubics: usize,
): f64 {
  const rowBytes = (<usize>width) << 2;
  const lowest = f32x4.splat(-Infinity);
  let total: f64 = 0;
  let p = previous;
  let b = beforePrevious;
  let row = rows;
  for (let t: i32 = 0; t < tokens; t++) {
    const step = stepOf(periodStart, period, remaining - t);
    const mask = masks + <usize>(step * (labels + 1) + p) * rowBytes;
    const firstRow = first + ((<usize>(p * firstStride)) << 2);
    const secondRow = second + ((<usize>(b * secondStride)) << 2);
    const pairRow = pair + ((<usize>((p * (labels + 1) + b) * pairStride)) << 2);
    let mosts = lowest;
    let places = i32x4.splat(0);
    let here = i32x4(0, 1, 2, 3);
    let open = i32x4.splat(0);
    for (let at: usize = 0; at < rowBytes; at += 16) {
      let margin = f32x4.add(v128.load(row + at), v128.load(firstRow + at));
      margin = f32x4.add(margin, v128.load(secondRow + at));
      margin = f32x4.add(margin, v128.load(pairRow + at));
      const legal = v128.load(mask + at);
      // The first legal label of a lane is taken whatever its margin, later ones where they are better.
      const better = v128.and(legal, v128.or(f32x4.gt(margin, mosts), v128.not(open)));
      mosts = v128.bitselect(margin, mosts, better);
      places = v128.bitselect(here, places, better);
      open = v128.or(open, legal);
      here = i32x4.add(here, i32x4.splat(4));
    }
    let best: i32 = -1;
    let most: f32 = -Infinity;
    if (i32x4.extract_lane(open, 0) != 0) {
      best = i32x4.extract_lane(places, 0);
      most = f32x4.extract_lane(mosts, 0);
    }
    if (isBetter(i32x4.extract_lane(open, 1), f32x4.extract_lane(mosts, 1), i32x4.extract_lane(places, 1), most, best)) {
      best = i32x4.extract_lane(places, 1);
      most = f32x4.extract_lane(mosts, 1);
    }
    if (isBetter(i32x4.extract_lane(open, 2), f32x4.extract_lane(mosts, 2), i32x4.extract_lane(places, 2), most, best)) {
      best = i32x4.extract_lane(places, 2);
      most = f32x4.extract_lane(mosts, 2);
    }
    if (isBetter(i32x4.extract_lane(open, 3), f32x4.extract_lane(mosts, 3), i32x4.extract_lane(places, 3), most, best)) {
      best = i32x4.extract_lane(places, 3);
      most = f32x4.extract_lane(mosts, 3);
    }
    total += link == 1 ? logSigmoid(<f64>most, cubics) : <f64>most;
    store<u16>(out + ((<usize>t) << 1), <u16>best);
    b = p;
    p = best;
    row += rowBytes;
  }
  return total;
}

/** Whether a lane's best label is better than the best so far; of equals the lower one. */
@inline
function isBetter(open: i32, margin: f32, place: i32, most: f32, best: i32): bool {
  return open != 0 && (best < 0 || margin > most || (margin == most && place < best));
}
