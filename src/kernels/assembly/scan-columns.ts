/**
 * The twins of `../scan-columns.ts`; pointers are bytes, positions in the text are as the plain one counts them. Lines are not
 * read byte by byte: of 64 bytes at a time masks tell where cells begin and end.
 */

const TAB: u8 = 9;
const NEWLINE: u8 = 10;
const RETURN: u8 = 13;
const SPACE: u8 = 32;
const BLOCK: u32 = 64;
/** The state's numbers, as byte offsets. */
const TOKENS: usize = 4;
const SENTENCES: usize = 8;
const LINES: usize = 12;
const PROBLEM: usize = 16;
const PROBLEM_LINE: usize = 20;
const PROBLEM_NUMBER: usize = 24;
const WIDTH: usize = 28;
const WIDTH_LINE: usize = 32;
const FEW_COLUMNS: u32 = 1;
const EMPTY_CELL: u32 = 2;
const RAGGED: u32 = 3;

export function scanColumns(
  bytes: usize,
  tabs: bool,
  comment: u32,
  commentMask: u32,
  wanted: usize,
  columns: u32,
  needed: u32,
  bounds: usize,
  mask: u32,
  cells: usize,
  lines: usize,
  mostTokens: u32,
  starts: usize,
  sentenceEnds: usize,
  mostSentences: u32,
  firstLines: usize,
  state: usize,
  end: u32,
): void {
  let lineStart = load<u32>(state);
  let tokens = load<u32>(state, TOKENS);
  let sentences = load<u32>(state, SENTENCES);
  let line = load<u32>(state, LINES);
  if (tokens >= mostTokens || sentences >= mostSentences) return;
  const newline = i8x16.splat(NEWLINE);
  const tab = i8x16.splat(TAB);
  const blank = tabs ? tab : i8x16.splat(SPACE);
  let isOpen = tokens > load<u32>(starts + ((<usize>sentences) << 2));
  let cellStart = lineStart;
  let found: u32 = 0;
  // Whether the byte before the block is no part of a cell.
  let before: u64 = 1;
  for (let block = lineStart; block < end; block += BLOCK) {
    const at = bytes + <usize>block;
    let newlines: u64 = 0;
    let separators: u64 = 0;
    for (let part: usize = 0; part < 4; part++) {
      const text = v128.load(at + (part << 4));
      const isNewline = i8x16.eq(text, newline);
      const isSeparator = v128.or(v128.or(isNewline, i8x16.eq(text, tab)), i8x16.eq(text, blank));
      newlines |= (<u64>(<u32>i8x16.bitmask(isNewline))) << (part << 4);
      separators |= (<u64>(<u32>i8x16.bitmask(isSeparator))) << (part << 4);
    }
    // The first bytes of cells, and the first bytes after them; with tabs cells may be empty, so that every tab ends one.
    const afterSeparator = (separators << 1) | before;
    let begins = ~separators & afterSeparator;
    const ends = tabs ? separators : separators & ~afterSeparator;
    if (!tabs && before != 0) {
      cellStart = block + <u32>ctz(begins);
      begins &= begins - 1;
    }
    before = separators >> 63;
    let events = ends | newlines;
    if (end - block < BLOCK) events &= ((<u64>1) << (end - block)) - 1;
    while (events != 0) {
      const position = block + <u32>ctz(events);
      const bit = events & (~events + 1);
      events ^= bit;
      if ((newlines & bit) == 0) {
        keep(bounds, found++, needed, mask, cellStart, position);
        if (tabs) cellStart = position + 1;
        else {
          cellStart = block + <u32>ctz(begins);
          begins &= begins - 1;
        }
        continue;
      }
      let lineEnd = position;
      while (lineEnd > lineStart && load<u8>(bytes + <usize>lineEnd - 1) == RETURN) lineEnd--;
      let isToken: bool;
      if (tabs) {
        keep(bounds, found++, needed, mask, cellStart, lineEnd);
        isToken = !isBlank(bytes + <usize>lineStart, bytes + <usize>lineEnd);
      } else {
        // A line end of two bytes is no cell.
        if ((ends & bit) != 0) {
          if (cellStart < lineEnd) keep(bounds, found++, needed, mask, cellStart, lineEnd);
          cellStart = block + <u32>ctz(begins);
          begins &= begins - 1;
        }
        isToken = found > 0;
      }
      if (commentMask != 0 && ((load<u32>(bytes + <usize>lineStart) ^ comment) & commentMask) == 0) {
        // Neither a token nor the end of a sentence.
      } else if (isToken && !isDocumentStart(bytes + <usize>load<u32>(bounds))) {
        if (!isOpen) store<u32>(firstLines + ((<usize>sentences) << 2), line);
        isOpen = true;
        store<u32>(lines + ((<usize>tokens) << 3), lineStart);
        store<u32>(lines + ((<usize>tokens) << 3), lineEnd, 4);
        if (found < needed) noteProblem(state, FEW_COLUMNS, line, found);
        else {
          const width = load<u32>(state, WIDTH);
          if (width == 0) {
            store<u32>(state, found, WIDTH);
            store<u32>(state, line, WIDTH_LINE);
          } else if (found != width) noteProblem(state, RAGGED, line, found);
          let to = cells + ((<usize>(tokens * columns)) << 3);
          for (let i: u32 = 0; i < columns; i++) {
            let column = load<u32>(wanted + ((<usize>i) << 2));
            if (<i32>column < 0) column += found;
            const cell = load<u64>(bounds + ((<usize>slotOf(column, needed, mask)) << 3));
            if (<u32>cell == <u32>(cell >> 32)) noteProblem(state, EMPTY_CELL, line, column);
            store<u64>(to, cell);
            to += 8;
          }
        }
        tokens++;
      } else if (isOpen) {
        isOpen = false;
        store<u32>(sentenceEnds + ((<usize>sentences) << 2), lineStart);
        sentences++;
        store<u32>(starts + ((<usize>sentences) << 2), tokens);
        if (load<u32>(state, PROBLEM) != 0) mostSentences = sentences;
      }
      line++;
      lineStart = position + 1;
      if (tabs) cellStart = lineStart;
      found = 0;
      if (tokens >= mostTokens || sentences >= mostSentences) {
        block = end;
        break;
      }
    }
  }
  store<u32>(state, lineStart);
  store<u32>(state, tokens, TOKENS);
  store<u32>(state, sentences, SENTENCES);
  store<u32>(state, line, LINES);
}

/** Keeps the bounds of a line's cell: after the first cells only the last ones are kept. */
@inline
function keep(bounds: usize, cell: u32, needed: u32, mask: u32, start: u32, end: u32): void {
  store<u64>(bounds + ((<usize>slotOf(cell, needed, mask)) << 3), (<u64>start) | ((<u64>end) << 32));
}

@inline
function slotOf(cell: u32, needed: u32, mask: u32): u32 {
  return cell < needed ? cell : needed + (cell & mask);
}

function noteProblem(state: usize, problem: u32, line: u32, number: u32): void {
  if (load<u32>(state, PROBLEM) != 0) return;
  store<u32>(state, problem, PROBLEM);
  store<u32>(state, line, PROBLEM_LINE);
  store<u32>(state, number, PROBLEM_NUMBER);
}

@inline
function isBlank(start: usize, end: usize): bool {
  while (start < end && (load<u8>(start) == SPACE || load<u8>(start) == TAB)) start++;
  return start == end;
}

/** Whether a first cell begins with -DOCSTART- or ###MEDLINE: a shorter cell is followed by what no byte of these is. */
@inline
function isDocumentStart(cell: usize): bool {
  const start = load<u64>(cell);
  const rest = load<u16>(cell, 8);
  // -DOCSTAR, T-; ###MEDLI, NE
  return (
    (start == 0x52415453434f442d && rest == 0x2d54) || (start == 0x494c44454d232323 && rest == 0x454e)
  );
}

/** Where the first byte that no text has is, −1 where there is none; what is ASCII is looked at 16 bytes at a time. */
export function findBadByte(bytes: usize, start: u32, end: u32): i32 {
  const zero = i8x16.splat(0);
  let i = start;
  while (i < end) {
    let until = end;
    if (i + 16 <= end) {
      if (!v128.any_true(i8x16.le_s(v128.load(bytes + <usize>i), zero))) {
        i += 16;
        continue;
      }
      until = i + 16;
    }
    while (i < until) {
      const length = characterLength(bytes + <usize>i, end - i);
      if (length == 0) return <i32>i;
      i += length;
    }
  }
  return -1;
}

/** Bytes of the character that starts at `at`, `room` bytes before the end; 0 where none does. */
@inline
function characterLength(at: usize, room: u32): u32 {
  const lead = <u32>load<u8>(at);
  if (lead < 0x80) return lead == 0 ? 0 : 1;
  let length: u32 = 2;
  let low: u32 = 0x80;
  let high: u32 = 0xbf;
  if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  } else if (lead < 0xc2 || lead > 0xdf) return 0;
  if (length > room) return 0;
  const second = <u32>load<u8>(at, 1);
  if (second < low || second > high) return 0;
  if (length > 2 && (load<u8>(at, 2) & 0xc0) != 0x80) return 0;
  if (length > 3 && (load<u8>(at, 3) & 0xc0) != 0x80) return 0;
  return length;
}
