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
    // Of the four lanes the largest, of equals the lowest label; without branches, which no label lets foresee.
    const pairs = f32x4.pmax(mosts, v128.shuffle<f32>(mosts, mosts, 2, 3, 0, 1));
    const mostOfAll = f32x4.pmax(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2));
    const equal = v128.and(open, f32x4.eq(mosts, mostOfAll));
    const lowestOf = v128.bitselect(places, i32x4.splat(i32.MAX_VALUE), equal);
    const halves = i32x4.min_s(lowestOf, v128.shuffle<i32>(lowestOf, lowestOf, 2, 3, 0, 1));
    const best = min(i32x4.extract_lane(halves, 0), i32x4.extract_lane(halves, 1));
    const most = f32x4.extract_lane(mostOfAll, 0);
    total += link == 1 ? logSigmoid(<f64>most, cubics) : <f64>most;
    store<u16>(out + ((<usize>t) << 1), <u16>best);
    b = p;
    p = best;
    row += rowBytes;
  }
  return total;
}
