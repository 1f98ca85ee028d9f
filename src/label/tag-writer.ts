import { encodeUtf8 } from '../base/utf8.js';
import type { ColumnBatch } from '../data/formats/columns.js';
import type { TagTable, TextTable } from '../kernels/append-tags.js';
import { createKernels, type KernelName, type Kernels } from '../kernels/kernels.js';
import type { SchemeName } from '../tags/scheme.js';
import type { TagSet } from '../tags/tag-set.js';
import { makeTagTable, tagTableBytes, tagTexts } from '../tags/tag-table.js';

/** Bytes that the kernels read and write beyond the last. */
const MARGIN = 64;

/** What a {@link TagWriter} works in: room for a batch. */
interface Room {
  readonly kernels: Kernels;
  readonly table: TagTable;
  /** The tags' bytes. */
  readonly texts: TextTable;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly lines: Uint32Array;
  readonly labels: Uint16Array;
  readonly tags: Uint32Array;
  readonly out: Uint8Array;
}

/** Writes the lines of column files with a tag behind each: from labels to bytes without a string in between. */
export class TagWriter {
  private readonly tagSet: TagSet;
  private readonly scheme: SchemeName;
  private readonly name: KernelName | undefined;
  /** Each tag's bytes, by number, */
  private readonly texts: readonly Uint8Array[];
  /** and the most that one has. */
  private readonly longest: number;
  private room: Room | undefined;

  /**
   * @param tagSet whose labels are given.
   * @param scheme that tags are written in.
   */
  constructor(tagSet: TagSet, scheme: SchemeName, kernels?: KernelName) {
    this.tagSet = tagSet;
    this.scheme = scheme;
    this.name = kernels;
    this.texts = tagTexts(tagSet, scheme).map(encodeUtf8);
    this.longest = Math.max(...this.texts.map(({ length }) => length));
  }

  /**
   * A batch with its tags, and with what stands between its sentences.
   *
   * @param labels [tokens] of its sentences one after another, each in reading order.
   * @returns a view that holds until the next call.
   */
  write({ bytes, count, starts, lines, gapStart, end }: ColumnBatch, labels: Uint16Array): Uint8Array {
    const tokens = starts[count];
    const room = this.roomFor(end, tokens);
    const { kernels, table, texts } = room;
    room.bytes.set(bytes.subarray(gapStart, end), gapStart);
    room.starts.set(starts.subarray(0, count + 1));
    room.lines.set(lines.subarray(0, 2 * tokens));
    room.labels.set(labels.subarray(0, tokens));
    kernels.encodeTags(table, room.labels, room.starts, count, room.tags);
    const written = kernels.appendTexts(
      room.bytes,
      gapStart,
      end,
      room.lines,
      tokens,
      room.tags,
      texts,
      room.out,
    );
    return room.out.subarray(0, written);
  }

  private roomFor(bytes: number, tokens: number): Room {
    const { room } = this;
    const roomBytes = room ? room.bytes.length - MARGIN : 0;
    const roomTokens = room ? room.tags.length : 0;
    if (room && bytes <= roomBytes && tokens <= roomTokens) return room;
    this.room = this.makeRoom(powerOf2(Math.max(bytes, roomBytes)), powerOf2(Math.max(tokens, roomTokens)));
    return this.room;
  }

  private makeRoom(bytes: number, tokens: number): Room {
    const { tagSet, scheme, name, texts } = this;
    const written = bytes + tokens * (1 + this.longest) + 1;
    const pool = texts.reduce((length, text) => length + text.length, 0);
    const numbers = texts.length + 1 + (tokens + 1) + 2 * tokens + tokens;
    const total = tagTableBytes(tagSet) + pool + bytes + 3 * MARGIN + written + 4 * numbers + 2 * tokens;
    const kernels = createKernels(11, total, name);
    const { uint8, uint16, uint32 } = kernels;
    const pooled: TextTable = { bytes: uint8(pool + MARGIN), starts: uint32(texts.length + 1) };
    texts.forEach((text, tag) => {
      pooled.bytes.set(text, pooled.starts[tag]);
      pooled.starts[tag + 1] = pooled.starts[tag] + text.length;
    });
    return {
      kernels,
      table: makeTagTable(tagSet, scheme, kernels),
      texts: pooled,
      bytes: uint8(bytes + MARGIN),
      starts: uint32(tokens + 1),
      lines: uint32(2 * tokens),
      labels: uint16(tokens),
      tags: uint32(tokens),
      out: uint8(written + MARGIN),
    };
  }
}

function powerOf2(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}
