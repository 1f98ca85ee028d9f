import { finishHash, mixHash, TUPLE_SEED } from './hash';

/** Positions that pairs are looked up for at a time. */
const BATCH: i32 = 64;
/** [BATCH] where the entry of each position's pair is. */
const entryOf = memory.data(BATCH * sizeof<usize>(), 16);
/** Keeps loads from being left out. */
let touched: u32 = 0;

/**
 * The twin of `../dense-pairs.ts`; pointers are bytes. All entries of a batch are touched before the first
 * is read, so that memory is waited for once rather than pair by pair.
 */
export function addDensePairs(
  left: usize,
  right: usize,
  positions: i32,
  entries: usize,
  capacity: i32,
  groups: i32,
  width: i32,
  out: usize,
): void {
  const rowBytes = (<usize>width) << 1;
  const groupBytes = (<usize>groups) << 3;
  const entryBytes = groupBytes + 8;
  const entriesEnd = entries + <usize>capacity * entryBytes;
  let row = out;
  for (let from: i32 = 0; from < positions; from += BATCH) {
    const lefts = left + ((<usize>from) << 2);
    const rights = right + ((<usize>from) << 2);
    const end = (<usize>min(BATCH, positions - from)) << 2;
    let touch: u32 = 0;
    for (let at: usize = 0; at < end; at += 4) {
      const hash = <u64>(<u32>finishHash(mixHash(mixHash(TUPLE_SEED, load<u32>(lefts + at)), load<u32>(rights + at))));
      const entry = entries + <usize>((hash * <u64>capacity) >> 32) * entryBytes;
      store<usize>(entryOf + at, entry);
      touch ^= load<u32>(entry);
    }
    touched = touch;
    for (let at: usize = 0; at < end; at += 4, row += rowBytes) {
      const a = load<u32>(lefts + at);
      const b = load<u32>(rights + at);
      let entry = load<usize>(entryOf + at);
      let found = load<u32>(entry);
      while (found != 0 && (found != a || load<u32>(entry, 4) != b)) {
        entry += entryBytes;
        if (entry == entriesEnd) entry = entries;
        found = load<u32>(entry);
      }
      // No pair has the value 0.
      if (found == 0) continue;
      for (let group: usize = 0; group < groupBytes; group += 8) {
        const eight = row + (group << 1);
        v128.store(eight, i16x8.add(v128.load(eight), v128.load8x8_s(entry + group, 8)));
      }
    }
  }
}
