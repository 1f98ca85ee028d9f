import { BOUND_SLACK } from './constants';
import { addFeature } from './score-rows';

/** The SIMD twins of `../token-history.ts`; pointers are bytes. */

/** Most runs and lanes that there is room for here. */
const MOST_RUNS: i32 = 64;
const MOST_LANES: i32 = 512;
/** [runs] how far each has been read. */
const cursors = memory.data(MOST_RUNS * sizeof<usize>(), 16);
/** [W] the row of the label under way. */
const row = memory.data(MOST_LANES * sizeof<f32>(), 16);

/** Adds the feature at a word to a row; returns where the next one is. */
@inline
function addJoined(word: usize, out: usize, rowBytes: usize): usize {
  if ((load<u32>(word) & 0xffff) != 0) return addFeature(word, out);
  const value = f32x4.splat(load<f32>(word, 4));
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(out + at, f32x4.add(v128.load(out + at), value));
  return word + 8;
}

/** Where the feature after the one at a word is. */
@inline
export function nextFeature(word: usize): usize {
  const weights = <usize>(load<u32>(word) & 0xffff);
  return word + (weights == 0 ? 8 : 4 + (weights << 3));
}

/** Adds to the rows of labels what some runs bring. */
export function addHistory(
  words: usize,
  runs: usize,
  count: i32,
  first: i32,
  labels: i32,
  width: i32,
  out: usize,
): void {
  const rowBytes = (<usize>width) << 2;
  for (let i: i32 = 0; i < count; i++) {
    const run = runs + ((<usize>i) << 3);
    const end = words + (<usize>load<u32>(run, 4) << 2);
    for (let word = words + (<usize>load<u32>(run) << 2); word < end; ) {
      const label = <i32>(load<u32>(word) >> 16) - first;
      if (label >= labels) break;
      word = label < 0 ? nextFeature(word) : addJoined(word, out + <usize>label * rowBytes, rowBytes);
    }
  }
}

/**
 * Bounds what some runs bring together with any label but one: writes the largest value of each lane, a little raised. All runs are
 * read side by side, label by label.
 *
 * @param but the label that is left out, if it is one.
 * @param offset [W] is added to the bound.
 * @param range no number of `offset` is further from 0.
 */
export function boundHistory(
  words: usize,
  runs: usize,
  count: i32,
  labels: i32,
  but: i32,
  width: i32,
  offset: usize,
  range: f32,
  out: usize,
): void {
  const rowBytes = (<usize>width) << 2;
  for (let i: usize = 0; i < <usize>count; i++) {
    store<usize>(cursors + (i << 2), words + (<usize>load<u32>(runs + (i << 3)) << 2));
  }
  let seen: i32 = 0;
  for (;;) {
    let label = <u32>labels;
    for (let i: usize = 0; i < <usize>count; i++) {
      const word = load<usize>(cursors + (i << 2));
      if (word < words + (<usize>load<u32>(runs + (i << 3), 4) << 2)) label = min(label, load<u32>(word) >> 16);
    }
    if (label == <u32>labels) break;
    const isLeftOut = <i32>label == but;
    for (let at: usize = 0; at < rowBytes; at += 16) v128.store(row + at, f32x4.splat(0));
    for (let i: usize = 0; i < <usize>count; i++) {
      const word = load<usize>(cursors + (i << 2));
      if (word == words + (<usize>load<u32>(runs + (i << 3), 4) << 2) || load<u32>(word) >> 16 != label) continue;
      store<usize>(cursors + (i << 2), isLeftOut ? nextFeature(word) : addJoined(word, row, rowBytes));
    }
    if (isLeftOut) continue;
    for (let at: usize = 0; at < rowBytes; at += 16) {
      const own = v128.load(row + at);
      v128.store(out + at, seen == 0 ? own : f32x4.pmax(v128.load(out + at), own));
    }
    seen++;
  }
  const others = but >= 0 && but < labels ? labels - 1 : labels;
  const zero = f32x4.splat(0);
  const base = f32x4.splat(1 + range);
  for (let at: usize = 0; at < rowBytes; at += 16) {
    let largest = zero;
    if (seen > 0) {
      largest = v128.load(out + at);
      // Labels without features bring 0.
      if (seen < others) largest = f32x4.pmax(largest, zero);
    }
    const size = f32x4.add(f32x4.abs(largest), base);
    const most = f32x4.add(v128.load(offset + at), largest);
    v128.store(out + at, f32x4.add(most, f32x4.mul(size, f32x4.splat(BOUND_SLACK))));
  }
}
