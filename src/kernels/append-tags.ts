/** Writes the tags of column files: from labels to numbers of tags, and those behind their lines. The plain kernels, oracle of
 * their SIMD twins. */
import type { Kernel } from './kernel.js';

const TAB = 9;
const NEWLINE = 10;
const SPACE = 32;

/** From this many tokens on, those between a token and an end of its chunk are not told apart: no scheme does. */
export const MOST_DISTANCE = 3;

/** How labels become tags: see {@link encodeTags}. */
export interface TagTable {
  /**
   * [L + 1] number of the type of chunk that a label is part of, −1 for those outside chunks; the last stands for a sentence's
   * boundary.
   */
  readonly types: Int32Array;
  /** [(L + 1) × (L + 1)] 1 where the column's label opens a chunk right after the row's, in text order. */
  readonly opens: Uint8Array;
  /** Leading tags of the scheme that is written, without the one outside chunks. */
  readonly leadingTags: number;
  /**
   * [4 × 4 × 2 × 2] leading tag of a token by the tokens of its chunk before it and after it, up to {@link MOST_DISTANCE},
   * and whether chunks of the same type touch its own before and after.
   */
  readonly leading: Uint8Array;
  /** Whether labels are in the order opposite to the text's. */
  readonly backward: boolean;
}

/** Labels of sentences that become numbers of tags. */
export interface TagEncoding {
  /** Tags by the labels around a token. */
  readonly table: TagTable;
  /** [tokens] labels of sentences one after another, each in reading order. */
  readonly labels: Uint16Array;
  /** [count + 1] first token of each sentence. */
  readonly starts: Uint32Array;
  /** Number of sentences. */
  readonly count: number;
  /** [tokens] numbers of tags, in text order; written. */
  readonly tags: Uint32Array;
}

/**
 * Turns labels into numbers of tags: 0 outside chunks, else 1 + type × leading tags + leading tag. Labels that do not fit
 * together are read leniently, as `TagSet.decode` does.
 */
export const encodeTags: Kernel<TagEncoding, void> = {
  name: 'encodeTags',
  plain({ table, labels, starts, count, tags }) {
    const { types, opens, leadingTags, leading, backward } = table;
    const boundary = types.length - 1;
    for (let s = 0; s < count; s++) {
      const from = starts[s];
      const to = starts[s + 1];
      let previous = boundary;
      let chunk = from;
      let touchesBefore = 0;
      for (let t = from; t <= to; t++) {
        const label = t === to ? boundary : labels[backward ? from + to - 1 - t : t];
        const isOpening = opens[previous * types.length + label] !== 0;
        const type = types[previous];
        if (type >= 0 && (isOpening || types[label] < 0)) {
          const touchesAfter = types[label] === type ? 1 : 0;
          for (let i = chunk; i < t; i++) {
            const offset = Math.min(i - chunk, MOST_DISTANCE);
            const rest = Math.min(t - 1 - i, MOST_DISTANCE);
            const place = placeOf(offset, rest, touchesBefore, touchesAfter);
            tags[i] = 1 + type * leadingTags + leading[place];
          }
          touchesBefore = touchesAfter;
        }
        if (isOpening) chunk = t;
        else if (t < to && types[label] < 0) tags[t] = 0;
        previous = label;
      }
    }
  },
  parameters: {
    types: ['int32', ({ table }) => table.types],
    boundary: ['number', ({ table }) => table.types.length - 1],
    opens: ['uint8', ({ table }) => table.opens],
    leadingTags: ['number', ({ table }) => table.leadingTags],
    leading: ['uint8', ({ table }) => table.leading],
    backward: ['flag', ({ table }) => table.backward],
    labels: ['uint16', ({ labels }) => labels],
    starts: ['uint32', ({ starts }) => starts],
    count: ['number', ({ count }) => count],
    tags: ['uint32', ({ tags }) => tags],
  },
};

/** Place of a leading tag in {@link TagTable.leading}. */
export function placeOf(offset: number, rest: number, touchesBefore: number, touchesAfter: number): number {
  return ((offset * (MOST_DISTANCE + 1) + rest) * 2 + touchesBefore) * 2 + touchesAfter;
}

/** Texts one after another. */
export interface TextTable {
  /** Their UTF-8 bytes, with room for 16 after them. */
  readonly bytes: Uint8Array;
  /** [texts + 1] where each starts. */
  readonly starts: Uint32Array;
}

/** Lines of a column file, and the text that goes behind each. */
export interface TextAppending {
  /** The file's bytes. */
  readonly bytes: Uint8Array;
  /** First byte that is copied. */
  readonly start: number;
  /** Byte after the last that is copied. */
  readonly end: number;
  /** [tokens × 2] start and end of each token's line, without its line end. */
  readonly lines: Uint32Array;
  /** Number of tokens. */
  readonly tokens: number;
  /** [tokens] number of the text of each. */
  readonly texts: Uint32Array;
  /** The texts. */
  readonly table: TextTable;
  /** Written, with room for 16 bytes more than come of it. */
  readonly out: Uint8Array;
}

/**
 * Copies `bytes[start … end − 1]` with a text behind each line that is a token, after a tab if the line has one, else after a
 * space. A last line that has no line end gets one. Returns how many bytes are written.
 */
export const appendTexts: Kernel<TextAppending, number> = {
  name: 'appendTexts',
  plain({ bytes, start, end, lines, tokens, texts, table, out }) {
    const { bytes: pool, starts } = table;
    let at = 0;
    let from = start;
    for (let t = 0; t < tokens; t++) {
      let separator = SPACE;
      while (from < lines[2 * t]) out[at++] = bytes[from++];
      while (from < lines[2 * t + 1]) {
        const byte = bytes[from++];
        if (byte === TAB) separator = TAB;
        out[at++] = byte;
      }
      out[at++] = separator;
      for (let i = starts[texts[t]]; i < starts[texts[t] + 1]; i++) out[at++] = pool[i];
    }
    if (tokens > 0 && from === end) out[at++] = NEWLINE;
    while (from < end) out[at++] = bytes[from++];
    return at;
  },
  parameters: {
    bytes: ['uint8', ({ bytes }) => bytes],
    start: ['number', ({ start }) => start],
    end: ['number', ({ end }) => end],
    lines: ['uint32', ({ lines }) => lines],
    tokens: ['number', ({ tokens }) => tokens],
    texts: ['uint32', ({ texts }) => texts],
    pool: ['uint8', ({ table }) => table.bytes],
    starts: ['uint32', ({ table }) => table.starts],
    out: ['uint8', ({ out }) => out],
  },
};
