import { grown } from '../base/growable.js';
import { finishHash, hashPair, hashTuple, mixHash, TUPLE_SEED } from '../kernels/hash.js';

const NO_SLOTS = new Uint32Array(0);

/**
 * Tuples of `arity` integers ↔ ids 0, 1, 2 … in order of first appearance: conjunctions of views are interned here
 * without making a string.
 */
export class TupleTable {
  /** Number of tuples. */
  size = 0;
  /** Numbers per tuple. */
  readonly arity: number;
  /** [size × arity] (longer than that inside). */
  private keys: Uint32Array;
  /** [capacity] of id + 1; 0 is empty. Made when the first tuple is looked for, since many tables are only read out. */
  private slots = NO_SLOTS;
  /** [arity] */
  private readonly scratch: Uint32Array;

  constructor(arity: number) {
    this.arity = arity;
    this.scratch = new Uint32Array(arity);
    this.keys = new Uint32Array(32 * arity);
  }

  /** Rebuilds a table from {@link pack}; it keeps the array, and never writes to it. */
  static unpack(arity: number, keys: Uint32Array): TupleTable {
    const table = new TupleTable(arity);
    table.keys = keys;
    table.size = keys.length / arity;
    return table;
  }

  /** The same tuples with the same ids, to which more can be added. */
  copy(): TupleTable {
    const copy = new TupleTable(this.arity);
    copy.size = this.size;
    copy.keys = this.keys.slice();
    copy.slots = this.slots.slice();
    return copy;
  }

  /** The keys by id, [size × arity]; a view that holds until the next insertion. */
  pack(): Uint32Array {
    return this.keys.subarray(0, this.size * this.arity);
  }

  /** The numbers of a tuple, [arity]; a view that holds until the next insertion. */
  key(id: number): Uint32Array {
    return this.keys.subarray(id * this.arity, (id + 1) * this.arity);
  }

  /** The id of the tuple `tuple[0 … arity − 1]`; −1 when unknown and `insert` is false. */
  id(tuple: Uint32Array, insert: boolean): number {
    return this.idByHash(tuple, hashTuple(tuple, 0, this.arity), insert);
  }

  /** As {@link id} for a tuple of two numbers that is not inserted, without an array of the caller's. */
  findPair(a: number, b: number): number {
    const { scratch } = this;
    scratch[0] = a;
    scratch[1] = b;
    return this.idByHash(scratch, hashPair(a, b), false);
  }

  /**
   * The ids of tuples whose numbers stand in columns, part i of the one at p at `values[columns[i] + p]`: to
   * `out[at + p]` for p = from … to − 1. −1 where a part is 0, and for unknown ones if `insert` is false.
   *
   * @param columns [arity]
   */
  idsInColumns(
    values: Uint32Array,
    columns: Uint32Array,
    from: number,
    to: number,
    insert: boolean,
    out: Int32Array,
    at: number,
  ): void {
    const { arity, scratch: key } = this;
    for (let p = from; p < to; p++) {
      let hash = TUPLE_SEED;
      let isWhole = true;
      for (let i = 0; i < arity; i++) {
        const value = values[columns[i] + p];
        if (value === 0) isWhole = false;
        key[i] = value;
        hash = mixHash(hash, value);
      }
      out[at + p] = isWhole ? this.idByHash(key, finishHash(hash), insert) : -1;
    }
  }

  /** As {@link id} of a tuple whose hash is known. */
  private idByHash(tuple: Uint32Array, hash: number, insert: boolean): number {
    const { arity, keys } = this;
    const slots = this.filledSlots();
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const at = (slots[slot] - 1) * arity;
      let same = 0;
      while (same < arity && keys[at + same] === tuple[same]) same++;
      if (same === arity) return slots[slot] - 1;
    }
    if (!insert) return -1;
    const id = this.size++;
    this.keys = grown(keys, this.size * arity);
    for (let i = 0; i < arity; i++) this.keys[id * arity + i] = tuple[i];
    if (this.size * 2 > slots.length) this.rehash(slots.length * 2);
    else slots[slot] = id + 1;
    return id;
  }

  private filledSlots(): Uint32Array {
    if (this.slots.length === 0) this.rehash(Math.max(64, 2 ** Math.ceil(Math.log2(2 * this.size))));
    return this.slots;
  }

  private rehash(capacity: number): void {
    const { arity, keys } = this;
    const slots = new Uint32Array(capacity);
    const mask = capacity - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = hashTuple(keys, id * arity, arity) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.slots = slots;
  }
}
