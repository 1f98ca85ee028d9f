import { isBlank, isDocumentStart } from '../kernels/scan-columns.js';

const NEWLINE = 10;
const RETURN = 13;
/** Bytes of -DOCSTART- and a line end. */
const SHORTEST = 11;

/**
 * Bounds of the -DOCSTART- lines between two places of a column file, without their line ends: they get a tag too, so that
 * all lines have as many columns.
 *
 * @param from where a line, or the line end of one, starts.
 * @returns starts and ends in turn.
 */
export function documentLines(bytes: Uint8Array, from: number, to: number): number[] {
  const found: number[] = [];
  if (to - from < SHORTEST - 1) return found;
  for (let start = from; start < to; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 || newline > to ? to : newline;
    let textEnd = end;
    while (textEnd > start && bytes[textEnd - 1] === RETURN) textEnd--;
    let cell = start;
    // A byte order mark, or blanks.
    while (cell < textEnd && (bytes[cell] > 0x7f || isBlank(bytes[cell]))) cell++;
    if (isDocumentStart(bytes, cell, textEnd)) found.push(start, textEnd);
    start = end + 1;
  }
  return found;
}

/** Lines of tokens and -DOCSTART- lines, in order. */
export interface MarkedLines {
  /** [lines × 2] bounds of each. */
  readonly lines: number[];
  /** [lines] number of the token that each is of; −1 for none. */
  readonly tokens: number[];
}

/**
 * Puts the -DOCSTART- lines between sentences among the lines of their tokens.
 *
 * @param sentences first token of each, and at last the number of tokens.
 * @param lines [tokens × 2] bounds of each token's line.
 * @param gapStart where what stands before the first sentence begins.
 * @returns all lines; nothing where there are none but those of tokens.
 */
export function withDocumentLines(
  bytes: Uint8Array,
  sentences: Uint32Array,
  lines: Uint32Array,
  gapStart: number,
): MarkedLines | undefined {
  const gaps: [sentence: number, bounds: number[]][] = [];
  let from = gapStart;
  for (let s = 0; s + 1 < sentences.length; s++) {
    const to = lines[2 * sentences[s]];
    if (to - from >= SHORTEST - 1) {
      const bounds = documentLines(bytes, from, to);
      if (bounds.length > 0) gaps.push([s, bounds]);
    }
    from = lines[2 * sentences[s + 1] - 1];
  }
  if (gaps.length === 0) return undefined;
  const all = { lines: [] as number[], tokens: [] as number[] };
  let next = 0;
  const addTokens = (end: number) => {
    for (; next < end; next++) {
      all.lines.push(lines[2 * next], lines[2 * next + 1]);
      all.tokens.push(next);
    }
  };
  for (const [sentence, bounds] of gaps) {
    addTokens(sentences[sentence]);
    all.lines.push(...bounds);
    for (let i = 0; i < bounds.length; i += 2) all.tokens.push(-1);
  }
  addTokens(sentences[sentences.length - 1]);
  return all;
}
