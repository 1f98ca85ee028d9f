import { encodeUtf8 } from '../base/utf8.js';
import type { ColumnBatch } from '../data/formats/columns.js';
import { appendTexts, encodeTags, type TagTable, type TextTable } from '../kernels/append-tags.js';
import type { Bound } from '../kernels/kernel.js';
import { createMemory, type KernelName } from '../kernels/kernels.js';
import { type Arrays, uint8, uint16, uint32 } from '../kernels/layout.js';
import type { TrainingRecord } from '../model/model.js';
import type { SchemeName } from '../tags/scheme.js';
import type { TagSet } from '../tags/tag-set.js';
import { makeTagTable, tagTableLayout, tagTexts } from '../tags/tag-table.js';
import { withDocumentLines } from './document-lines.js';

/** Bytes that the kernels read and write beyond the last. */
const MARGIN = 64;

const KERNELS = { encodeTags, appendTexts };

/** How tags are written. */
type TagStyle = Pick<TrainingRecord, 'fileScheme' | 'tagSpelling'>;

/** Room for batches up to some size. */
interface Room {
  readonly kernels: Bound<typeof KERNELS>;
  readonly table: TagTable;
  /** The tags' bytes. */
  readonly pool: TextTable;
  readonly batch: Arrays<ReturnType<typeof batchLayout>>;
}

/** Arrays for a batch of so many bytes and tokens; `longest` is the longest tag's number of bytes. */
function batchLayout(bytes: number, tokens: number, longest: number) {
  return {
    bytes: uint8(bytes + MARGIN),
    starts: uint32(tokens + 1),
    lines: uint32(2 * tokens),
    labels: uint16(tokens),
    tags: uint32(tokens),
    out: uint8(bytes + tokens * (1 + longest) + 1 + MARGIN),
  };
}

/** Writes the lines of column files with a tag behind each: from labels to bytes without a string in between. */
export class TagWriter {
  private readonly tagSet: TagSet;
  private readonly scheme: SchemeName;
  private readonly name: KernelName | undefined;
  /** Bytes of each tag, by number. */
  private readonly texts: readonly Uint8Array[];
  /** Most bytes of a tag. */
  private readonly longest: number;
  private room: Room | undefined;

  /**
   * @param tagSet whose labels are given.
   * @param style scheme and spelling that tags are written in.
   */
  constructor(tagSet: TagSet, { fileScheme: scheme, tagSpelling }: TagStyle, kernels?: KernelName) {
    this.tagSet = tagSet;
    this.scheme = scheme;
    this.name = kernels;
    this.texts = tagTexts(tagSet, scheme, tagSpelling).map(encodeUtf8);
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
    const whole = withDocumentLines(bytes, starts.subarray(0, count + 1), lines, gapStart);
    const texts = whole?.tokens.length ?? tokens;
    const { kernels, table, pool, batch } = this.roomFor(end, texts);
    batch.bytes.set(bytes.subarray(gapStart, end), gapStart);
    batch.starts.set(starts.subarray(0, count + 1));
    batch.lines.set(lines.subarray(0, 2 * tokens));
    batch.labels.set(labels.subarray(0, tokens));
    kernels.encodeTags({ table, labels: batch.labels, starts: batch.starts, count, tags: batch.tags });
    if (whole) {
      const tags = batch.tags.slice(0, tokens);
      batch.lines.set(whole.lines);
      // The first text is that of what is outside of chunks.
      batch.tags.set(whole.tokens.map((token) => (token < 0 ? 0 : tags[token])));
    }
    const written = kernels.appendTexts({
      bytes: batch.bytes,
      start: gapStart,
      end,
      lines: batch.lines,
      tokens: texts,
      texts: batch.tags,
      table: pool,
      out: batch.out,
    });
    return batch.out.subarray(0, written);
  }

  private roomFor(bytes: number, tokens: number): Room {
    const { room } = this;
    const roomBytes = room ? room.batch.bytes.length - MARGIN : 0;
    const roomTokens = room ? room.batch.tags.length : 0;
    if (room && bytes <= roomBytes && tokens <= roomTokens) return room;
    this.room = this.makeRoom(powerOf2(Math.max(bytes, roomBytes)), powerOf2(Math.max(tokens, roomTokens)));
    return this.room;
  }

  private makeRoom(bytes: number, tokens: number): Room {
    const { tagSet, scheme, name, texts } = this;
    const { arrays, bind } = createMemory(
      {
        table: tagTableLayout(tagSet),
        pool: {
          bytes: uint8(texts.reduce((length, text) => length + text.length, MARGIN)),
          starts: uint32(texts.length + 1),
        },
        batch: batchLayout(bytes, tokens, this.longest),
      },
      name,
    );
    const { pool, batch } = arrays;
    texts.forEach((text, tag) => {
      pool.bytes.set(text, pool.starts[tag]);
      pool.starts[tag + 1] = pool.starts[tag] + text.length;
    });
    return { kernels: bind(KERNELS), table: makeTagTable(tagSet, scheme, arrays.table), pool, batch };
  }
}

function powerOf2(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}
