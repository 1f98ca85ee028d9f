import { addStrings, type StringTable } from '../../kernels/find-ids.js';
import type { Kernels } from '../../kernels/kernels.js';

/** Entries that a table starts with; it grows with the strings. */
const FEWEST_ENTRIES = 1 << 8;
/** A string of more bytes is not remembered: it gets a new id each time. */
export const LONG_STRING = 1 << 10;

/** What the ids of strings are found by, and new ones given: consecutive, from a first one on. */
export class StringIds {
  /** What `findStrings` reads. */
  readonly table: StringTable;
  /** Ids given, or left out at the start. */
  size: number;
  private readonly kernels: Kernels;
  private readonly first: number;
  private readonly most: number;
  /** Tables of all sizes: that of n entries from entry n on. */
  private readonly tables: Uint32Array;

  /** Bytes of kernel memory for so many ids and so many bytes of strings. */
  static bytes(most: number, poolBytes: number): number {
    return 16 * 2 * entriesOf(most) + 4 * (most + 1) + poolBytes;
  }

  /**
   * @param kernels with room for {@link StringIds.bytes} in three arrays.
   * @param first the first id that is given, 1 or more.
   * @param most no id is as large.
   * @param poolBytes bytes of all strings together.
   */
  constructor(kernels: Kernels, first: number, most: number, poolBytes: number) {
    this.kernels = kernels;
    this.first = first;
    this.most = most;
    this.size = first;
    this.tables = kernels.uint32(4 * 2 * entriesOf(most));
    this.table = {
      entries: this.entries(FEWEST_ENTRIES),
      pool: kernels.uint8(poolBytes),
      starts: kernels.uint32(most + 1),
    };
  }

  /**
   * Gives ids to the strings that `kernels.findStrings`, asked the same, did not find.
   *
   * @param isOutside whether the text is not in the kernels' memory.
   * @param added start and end of each string that has a new id are written.
   * @returns number of new ids.
   */
  add(
    isOutside: boolean,
    bytes: Uint8Array,
    base: number,
    cells: Uint32Array,
    cell: number,
    step: number,
    count: number,
    ids: Uint32Array,
    at: number,
    added: Uint32Array,
  ): number {
    const { table, kernels, size } = this;
    this.makeRoom(size + count);
    const give = isOutside ? addStrings : kernels.addStrings;
    this.size = give(table, LONG_STRING, bytes, base, cells, cell, step, count, ids, at, size, added);
    return this.size - size;
  }

  /** Whether there might not be room for so many more strings. */
  isFull(strings: number): boolean {
    const { table, size, most } = this;
    return size + strings > most || table.starts[size] + strings * LONG_STRING > table.pool.length;
  }

  /** Forgets all strings. */
  clear(): void {
    const { table, tables } = this;
    tables.fill(0, 0, 2 * table.entries.length);
    table.entries = this.entries(FEWEST_ENTRIES);
    this.size = this.first;
  }

  /** Moves to a table that is at most half full with so many ids. */
  private makeRoom(ids: number): void {
    const { table, tables, kernels } = this;
    const { entries } = table;
    let cells = entries.length;
    while (2 * cells < tables.length && 2 * ids > cells / 4) cells *= 2;
    if (cells === entries.length) return;
    table.entries = this.entries(cells / 4);
    kernels.moveStrings(entries, table.entries);
  }

  private entries(count: number): Uint32Array {
    return this.tables.subarray(4 * count, 8 * count);
  }
}

/** Entries of a table of so many strings that is at most half full. */
function entriesOf(strings: number): number {
  return Math.max(FEWEST_ENTRIES, 2 ** Math.ceil(Math.log2(2 * strings)));
}
