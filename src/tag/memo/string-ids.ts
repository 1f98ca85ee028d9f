import { addStrings, moveStrings, type StringTable, type TextCells } from '../../kernels/find-ids.js';
import type { Bound } from '../../kernels/kernel.js';
import type { KernelMemory } from '../../kernels/kernels.js';
import { type Arrays, uint8, uint32 } from '../../kernels/layout.js';

const KERNELS = { addStrings, moveStrings };

/** Entries that a table starts with; it grows with the strings. */
const FEWEST_ENTRIES = 1 << 8;
/** A string of more bytes is not remembered: it gets a new id each time. */
export const LONG_STRING = 1 << 10;

/** Strings ↔ consecutive ids, from a first one on. */
export class StringIds {
  /** Table for `findStrings`. */
  readonly table: StringTable;
  /** Ids given, or left out at the start. */
  size: number;
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly first: number;
  private readonly most: number;
  /** Tables of all sizes: that of n entries from entry n on. */
  private readonly tables: Uint32Array;

  /**
   * Arrays for ids.
   *
   * @param most no id is as large.
   * @param poolBytes bytes of all strings together.
   *
   * @hidden
   */
  static layout(most: number, poolBytes: number) {
    return {
      tables: uint32(4 * 2 * entriesOf(most)),
      pool: uint8(poolBytes),
      starts: uint32(most + 1),
    };
  }

  /**
   * @param first the first id that is given, 1 or more.
   * @param arrays of the memory.
   */
  constructor(
    memory: KernelMemory,
    first: number,
    { tables, pool, starts }: Arrays<ReturnType<typeof StringIds.layout>>,
  ) {
    this.kernels = memory.bind(KERNELS);
    this.first = first;
    this.most = starts.length - 1;
    this.size = first;
    this.tables = tables;
    this.table = { entries: this.entries(FEWEST_ENTRIES), pool, starts };
  }

  /**
   * Gives ids to the strings that `findStrings`, asked the same, did not find.
   *
   * @param isOutside whether the text is not in the kernels' memory.
   * @param added [count × 2] start and end of each string that has a new id; written.
   * @returns number of new ids.
   */
  add(isOutside: boolean, text: TextCells, ids: Uint32Array, at: number, added: Uint32Array): number {
    const { table, kernels, size } = this;
    this.makeRoom(size + text.count);
    const give = isOutside ? addStrings.plain : kernels.addStrings;
    this.size = give({ table, longest: LONG_STRING, text, ids, at, next: size, added });
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
    kernels.moveStrings({ entries, larger: table.entries });
  }

  private entries(count: number): Uint32Array {
    return this.tables.subarray(4 * count, 8 * count);
  }
}

/** Entries of a table of so many strings that is at most half full. */
function entriesOf(strings: number): number {
  return Math.max(FEWEST_ENTRIES, 2 ** Math.ceil(Math.log2(2 * strings)));
}
