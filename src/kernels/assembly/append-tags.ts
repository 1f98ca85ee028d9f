/** The twins of `../append-tags.ts`; pointers are bytes. */

const TAB: u8 = 9;
const NEWLINE: u8 = 10;
const SPACE: u8 = 32;
const MOST_DISTANCE: u32 = 3;

export function encodeTags(
  types: usize,
  boundary: u32,
  opens: usize,
  leadingTags: u32,
  leading: usize,
  backward: bool,
  labels: usize,
  starts: usize,
  count: u32,
  tags: usize,
): void {
  const width = boundary + 1;
  for (let s: u32 = 0; s < count; s++) {
    const from = load<u32>(starts + ((<usize>s) << 2));
    const to = load<u32>(starts + ((<usize>s) << 2), 4);
    let previous = boundary;
    let type: i32 = -1;
    let chunk = from;
    let touchesBefore: u32 = 0;
    for (let t = from; t <= to; t++) {
      const label =
        t == to ? boundary : <u32>load<u16>(labels + ((<usize>(backward ? from + to - 1 - t : t)) << 1));
      const isOpening = load<u8>(opens + <usize>(previous * width + label)) != 0;
      const next = load<i32>(types + ((<usize>label) << 2));
      if (type >= 0 && (isOpening || next < 0)) {
        const touchesAfter = <u32>(next == type);
        const first = 1 + <u32>type * leadingTags;
        const neighbours = (touchesBefore << 1) | touchesAfter;
        for (let i = chunk; i < t; i++) {
          const place = (((min(i - chunk, MOST_DISTANCE) << 2) | min(t - 1 - i, MOST_DISTANCE)) << 2) | neighbours;
          store<u32>(tags + ((<usize>i) << 2), first + <u32>load<u8>(leading + <usize>place));
        }
        touchesBefore = touchesAfter;
      }
      if (isOpening) chunk = t;
      else if (next < 0 && t < to) store<u32>(tags + ((<usize>t) << 2), 0);
      previous = label;
      type = next;
    }
  }
}

export function appendTexts(
  bytes: usize,
  start: u32,
  end: u32,
  lines: usize,
  tokens: u32,
  texts: usize,
  pool: usize,
  starts: usize,
  out: usize,
): u32 {
  const tab = i8x16.splat(TAB);
  let at = out;
  let from = bytes + <usize>start;
  for (let t: u32 = 0; t < tokens; t++) {
    const lineStart = bytes + <usize>load<u32>(lines + ((<usize>t) << 3));
    const lineEnd = bytes + <usize>load<u32>(lines + ((<usize>t) << 3), 4);
    if (lineStart > from) {
      copy(at, from, lineStart);
      at += lineStart - from;
      from = lineStart;
    }
    // What is copied too much is written over.
    let tabs: u32 = 0;
    while (from + 16 <= lineEnd) {
      const text = v128.load(from);
      v128.store(at, text);
      tabs |= <u32>i8x16.bitmask(i8x16.eq(text, tab));
      from += 16;
      at += 16;
    }
    const text = v128.load(from);
    v128.store(at, text);
    const left = <u32>(lineEnd - from);
    tabs |= <u32>i8x16.bitmask(i8x16.eq(text, tab)) & (((<u32>1) << left) - 1);
    at += lineEnd - from;
    from = lineEnd;
    store<u8>(at++, tabs != 0 ? TAB : SPACE);
    const entry = starts + ((<usize>load<u32>(texts + ((<usize>t) << 2))) << 2);
    const tag = pool + <usize>load<u32>(entry);
    const tagEnd = pool + <usize>load<u32>(entry, 4);
    copy(at, tag, tagEnd);
    at += tagEnd - tag;
  }
  const last = bytes + <usize>end;
  if (tokens > 0 && from == last) store<u8>(at++, NEWLINE);
  memory.copy(at, from, last - from);
  return <u32>(at + (last - from) - out);
}

/** Copies 16 bytes at a time, and so up to 15 beyond. */
@inline
function copy(to: usize, from: usize, end: usize): void {
  for (; from < end; from += 16) {
    v128.store(to, v128.load(from));
    to += 16;
  }
}
