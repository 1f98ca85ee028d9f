import { addFeature } from './score-rows';

/** The SIMD twins of `../token-history.ts`; pointers are bytes. */

/** Sums the row of one label. */
export function historyRow(
  words: usize,
  places: usize,
  count: i32,
  runs: usize,
  previous: i32,
  width: i32,
  out: usize,
): void {
  const rowBytes = (<usize>width) << 2;
  for (let at: usize = 0; at < rowBytes; at += 16) v128.store(out + at, f32x4.splat(0));
  for (let i: i32 = 0; i < count; i++) {
    const place = load<u32>(places + ((<usize>i) << 2)) + previous;
    const run = runs + ((<usize>i) << 3);
    const end = words + (<usize>load<u32>(run, 4) << 2);
    for (let word = words + (<usize>load<u32>(run) << 2); word < end; ) {
      const header = load<u32>(word);
      if (header >> 16 > place) break;
      if (header >> 16 == place) word = addFeature(word, out);
      else word += 4 + (<usize>(header & 0xffff) << 3);
    }
  }
}

/** Sums the rows of all labels. */
export function historyRows(
  words: usize,
  places: usize,
  count: i32,
  runs: usize,
  labels: i32,
  width: i32,
  out: usize,
): void {
  const rowBytes = (<usize>width) << 2;
  memory.fill(out, 0, rowBytes * labels);
  for (let i: i32 = 0; i < count; i++) {
    const first = load<u32>(places + ((<usize>i) << 2));
    const run = runs + ((<usize>i) << 3);
    const end = words + (<usize>load<u32>(run, 4) << 2);
    for (let word = words + (<usize>load<u32>(run) << 2); word < end; ) {
      const header = load<u32>(word);
      const previous = (header >> 16) - first;
      // What is below the first place wraps around.
      if (previous < <u32>labels) word = addFeature(word, out + <usize>previous * rowBytes);
      else word += 4 + (<usize>(header & 0xffff) << 3);
    }
  }
}

/** Writes the largest value of each lane. */
export function largestOfRows(rows: usize, labels: i32, width: i32, out: usize): void {
  const rowBytes = (<usize>width) << 2;
  const end = rowBytes * labels;
  for (let group: usize = 0; group < rowBytes; group += 16) {
    let largest = v128.load(rows + group);
    for (let at = group + rowBytes; at < end; at += rowBytes) largest = f32x4.pmax(largest, v128.load(rows + at));
    v128.store(out + group, largest);
  }
}
