import { isSame, keyOf } from './find-ids';

/** The twins of `../find-values.ts`; pointers are bytes. */

/** Finds the values of strings, or of their first or last characters. */
export function findValues(
  slots: usize,
  mask: i32,
  offsets: usize,
  pool: usize,
  bytes: usize,
  spans: usize,
  count: i32,
  part: i32,
  first: u32,
  out: usize,
): void {
  for (let i: i32 = 0; i < count; i++) {
    let start = bytes + <usize>load<u32>(spans + ((<usize>i) << 3));
    let end = bytes + <usize>load<u32>(spans + ((<usize>i) << 3), 4);
    let missing = part;
    if (part > 0) {
      let to = start;
      while (to < end && (missing > 0 || isInside(to))) {
        if (!isInside(to)) missing--;
        to++;
      }
      end = to;
    } else if (part < 0) {
      missing = -part;
      let from = end;
      while (from > start && missing > 0) {
        from--;
        if (!isInside(from)) missing--;
      }
      start = from;
    }
    const id = missing > 0 ? 0 : idOf(slots, mask, offsets, pool, start, end);
    store<u32>(out + ((<usize>i) << 2), id == 0 ? 0 : first + id - 1);
  }
}

/** Id + 1 of the string from `start` to `end`, 0 for none. */
function idOf(slots: usize, mask: i32, offsets: usize, pool: usize, start: usize, end: usize): u32 {
  const length = <u32>(end - start);
  const key = keyOf(start, length);
  let slot = hashBytes(start, end) & mask;
  let id: u32 = 0;
  for (;;) {
    id = load<u32>(slots + ((<usize>slot) << 2));
    if (id == 0) break;
    const own = offsets + ((<usize>id) << 2) - 4;
    const from = load<u32>(own);
    if (load<u32>(own, 4) - from == length) {
      const at = pool + <usize>from;
      if (keyOf(at, length) == key && (length <= 8 || isSame(at, start, length))) break;
    }
    slot = (slot + 1) & mask;
  }
  return id;
}

@inline
function isInside(at: usize): bool {
  return (load<u8>(at) & 0xc0) == 0x80;
}

/** As `Alphabet` hashes strings. */
@inline
function hashBytes(start: usize, end: usize): i32 {
  let hash: u32 = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = (hash ^ <u32>load<u8>(at)) * 0x01000193;
  hash ^= hash >> 15;
  hash *= 0x2c1b3c6d;
  return <i32>(hash ^ (hash >> 13));
}

/** Writes strings anew, each character as a map says, and of runs of one character only the first few. */
export function mapStrings(
  bytes: usize,
  spans: usize,
  count: i32,
  map: usize,
  longestRun: u32,
  out: usize,
  room: u32,
  outSpans: usize,
): i32 {
  let used: u32 = 0;
  let left: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const start = bytes + <usize>load<u32>(spans + ((<usize>i) << 3));
    const end = bytes + <usize>load<u32>(spans + ((<usize>i) << 3), 4);
    let to = used;
    let isLeft = <u32>(end - start) > room - used;
    let last: u32 = 256;
    let run: u32 = 0;
    for (let at = start; at < end && !isLeft; at++) {
      const byte = load<u8>(at);
      if (byte > 127) {
        isLeft = true;
        break;
      }
      const mapped = <u32>load<u8>(map + <usize>byte);
      run = mapped == last ? run + 1 : 1;
      last = mapped;
      if (run <= longestRun) {
        store<u8>(out + <usize>to, mapped);
        to++;
      }
    }
    const own = outSpans + ((<usize>i) << 3);
    store<u32>(own, isLeft ? 0 : used);
    store<u32>(own, isLeft ? 0 : to, 4);
    if (isLeft) left++;
    else used = to;
  }
  return left;
}
