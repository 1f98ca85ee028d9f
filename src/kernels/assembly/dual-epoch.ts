/**
 * The SIMD twin of `../dual-epoch.ts`: the same objective, the same operations in the same order, four lanes at once.
 * All pointers are bytes in the memory that the module imports; shapes are those of `DualState`.
 */

/** Most groups of four lanes whose sums are kept in registers at once: a row of 16 lanes fills one cache line. */
const MOST_GROUPS: i32 = 4;
/** [16] sums of a row, then [16] steps. */
const sums = memory.data(2 * 16 * sizeof<f32>(), 16);
const steps = sums + 16 * sizeof<f32>();
/** Examples whose rows are touched before the first of them is visited, so that memory is waited for once. */
const BATCH: i32 = 16;
/** Bytes that memory brings at once. */
const LINE: usize = 64;
/** Keeps loads from being left out. */
let touched: u32 = 0;

/**
 * A stretch of an epoch over the first `active` examples of `order`: visits those from place `from` on, at most `count`.
 * Engines compile a function well only after its first calls, so that one call an epoch would spend the first epoch in slow
 * code.
 *
 * @param resting [W] all bits set where a lane rests, else 0.
 * @returns how many remain active; the others are moved behind them in `order`.
 */
export function dualStretch(
  offsets: usize,
  indices: usize,
  labels: usize,
  signs: usize,
  width: i32,
  weights: usize,
  alphas: usize,
  order: usize,
  diagonal: f32,
  upper: f32,
  resting: usize,
  shrinkAbove: usize,
  shrinkBelow: usize,
  largest: usize,
  smallest: usize,
  from: i32,
  count: i32,
  before: i32,
): i32 {
  let active = before;
  const rowBytes = <usize>width << 2;
  if (from == 0) {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      v128.store(largest + at, f32x4.splat(-Infinity));
      v128.store(smallest + at, f32x4.splat(Infinity));
    }
  }
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const highest = f32x4.splat(upper);
  const diagonals = f32x4.splat(diagonal);
  let position = from;
  let ahead = from;
  for (let left = count; left > 0 && position < active; left--) {
    if (position == ahead) {
      ahead = min(active, position + BATCH);
      const first = order + (<usize>position << 2);
      touch(first, order + (<usize>ahead << 2), offsets, indices, labels, alphas, rowBytes);
    }
    const example = load<u32>(order + (<usize>position << 2));
    const start = indices + (<usize>load<u32>(offsets + (<usize>example << 2)) << 2);
    const end = indices + (<usize>load<u32>(offsets + (<usize>example << 2), 4) << 2);
    const curvature = f32x4.splat(<f32>((end - start) >> 2) + diagonal);
    const signRow = signs + <usize>load<u16>(labels + (<usize>example << 1)) * rowBytes;
    const alphaRow = alphas + <usize>example * rowBytes;
    let needed = false;
    for (let base: i32 = 0; base < width; base += 4 * MOST_GROUPS) {
      const at = <usize>base << 2;
      const groups = min(MOST_GROUPS, (width - base) >> 2);
      const until = at + ((<usize>groups) << 4);
      let seen = zero;
      for (let lane = at; lane < until; lane += 16) {
        seen = v128.or(
          seen,
          v128.andnot(f32x4.ne(v128.load(signRow + lane), zero), v128.load(resting + lane)),
        );
      }
      if (!v128.any_true(seen)) continue;
      const matrix = weights + at;
      if (groups == 1) gather(1, matrix, rowBytes, start, end);
      else if (groups == 2) gather(2, matrix, rowBytes, start, end);
      else if (groups == 3) gather(3, matrix, rowBytes, start, end);
      else gather(4, matrix, rowBytes, start, end);

      let changed: i32 = 0;
      for (let group: i32 = 0; group < groups; group++) {
        const lane = at + ((<usize>group) << 4);
        const sign = v128.load(signRow + lane);
        let live = v128.andnot(f32x4.ne(sign, zero), v128.load(resting + lane));
        if (!v128.any_true(live)) continue;
        const alpha = v128.load(alphaRow + lane);
        const score = v128.load(sums + ((<usize>group) << 4));
        const gradient = f32x4.add(f32x4.sub(f32x4.mul(sign, score), one), f32x4.mul(alpha, diagonals));
        const atZero = f32x4.eq(alpha, zero);
        const atUpper = v128.andnot(f32x4.eq(alpha, highest), atZero);
        const above = v128.and(atZero, f32x4.gt(gradient, v128.load(shrinkAbove + lane)));
        const below = v128.and(atUpper, f32x4.lt(gradient, v128.load(shrinkBelow + lane)));
        live = v128.andnot(live, v128.or(above, below));
        if (!v128.any_true(live)) continue;
        needed = true;
        const blocked = v128.or(
          v128.and(atZero, f32x4.gt(gradient, zero)),
          v128.and(atUpper, f32x4.lt(gradient, zero)),
        );
        const projected = v128.andnot(gradient, blocked);
        const most = v128.load(largest + lane);
        const least = v128.load(smallest + lane);
        v128.store(
          largest + lane,
          v128.bitselect(projected, most, v128.and(live, f32x4.gt(projected, most))),
        );
        v128.store(
          smallest + lane,
          v128.bitselect(projected, least, v128.and(live, f32x4.lt(projected, least))),
        );
        const moved = f32x4.sub(alpha, f32x4.div(gradient, curvature));
        const next = v128.and(f32x4.min(moved, highest), f32x4.gt(moved, zero));
        const step = f32x4.mul(f32x4.sub(next, alpha), sign);
        const moves = v128.and(v128.and(live, f32x4.ne(projected, zero)), f32x4.ne(step, zero));
        if (!v128.any_true(moves)) continue;
        v128.store(alphaRow + lane, v128.bitselect(next, alpha, moves));
        v128.store(steps + ((<usize>group) << 4), v128.and(step, moves));
        changed |= 1 << group;
      }
      for (let group: i32 = 0; group < groups; group++) {
        if (((changed >> group) & 1) == 0) continue;
        scatter(v128.load(steps + ((<usize>group) << 4)), matrix + ((<usize>group) << 4), rowBytes, start, end);
      }
    }
    if (needed) position++;
    else {
      active--;
      const last = order + (<usize>active << 2);
      store<u32>(order + (<usize>position << 2), load<u32>(last));
      store<u32>(last, example);
    }
  }
  return active;
}

/** Touches what is read of the examples whose numbers are from `first` on, before `last`: it is all over memory. */
function touch(
  first: usize,
  last: usize,
  offsets: usize,
  indices: usize,
  labels: usize,
  alphas: usize,
  rowBytes: usize,
): void {
  let sum: u32 = 0;
  for (let at = first; at < last; at += 4) {
    const example = <usize>load<u32>(at);
    sum ^= load<u32>(offsets + (example << 2)) ^ load<u16>(labels + (example << 1));
    sum ^= load<u32>(alphas + example * rowBytes);
  }
  for (let at = first; at < last; at += 4) {
    const offset = offsets + (<usize>load<u32>(at) << 2);
    const end = indices + (<usize>load<u32>(offset, 4) << 2);
    for (let line = indices + (<usize>load<u32>(offset) << 2); line < end; line += LINE) {
      sum ^= load<u32>(line);
    }
  }
  touched = sum;
}

/** Sums the first `groups` groups of lanes of a row's weights. */
@inline
function gather(groups: i32, matrix: usize, rowBytes: usize, start: usize, end: usize): void {
  let sum0 = f32x4.splat(0);
  let sum1 = f32x4.splat(0);
  let sum2 = f32x4.splat(0);
  let sum3 = f32x4.splat(0);
  for (let at = start; at < end; at += 4) {
    const row = matrix + <usize>load<u32>(at) * rowBytes;
    sum0 = f32x4.add(sum0, v128.load(row));
    if (groups > 1) sum1 = f32x4.add(sum1, v128.load(row, 16));
    if (groups > 2) sum2 = f32x4.add(sum2, v128.load(row, 32));
    if (groups > 3) sum3 = f32x4.add(sum3, v128.load(row, 48));
  }
  v128.store(sums, sum0);
  if (groups > 1) v128.store(sums, sum1, 16);
  if (groups > 2) v128.store(sums, sum2, 32);
  if (groups > 3) v128.store(sums, sum3, 48);
}

/** Adds a step to one group of lanes of a row's weights. */
function scatter(step: v128, matrix: usize, rowBytes: usize, start: usize, end: usize): void {
  for (let at = start; at < end; at += 4) {
    const row = matrix + <usize>load<u32>(at) * rowBytes;
    v128.store(row, f32x4.add(v128.load(row), step));
  }
}
