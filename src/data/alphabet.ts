import { grown } from '../base/growable.js';
import { decodeUtf8, encodeUtf8Into } from '../base/utf8.js';
import type { HashedStrings, PackedStrings } from '../kernels/find-values.js';
import { hashBytes } from '../kernels/hash.js';

/**
 * Strings ↔ ids 0, 1, 2 … in order of first appearance.
 *
 * Keys are kept as UTF-8 bytes in one pool and found through an open-addressing hash table, so that text files are
 * interned from their bytes without making strings, and a model stores the pool as it is. Lone surrogates in
 * strings count as U+FFFD.
 */
export class Alphabet {
  /** Number of strings. */
  size = 0;
  private frozen = false;
  /** [capacity] of id + 1; 0 is empty. */
  private slots: Uint32Array = new Uint32Array(64);
  /** [size] */
  private hashes: Uint32Array = new Uint32Array(32);
  /** [size + 1] where each key starts in the pool. */
  private offsets: Uint32Array = new Uint32Array(33);
  private pool: Uint8Array = new Uint8Array(256);
  /** [size] made when first asked for. */
  private readonly strings: (string | undefined)[] = [];
  private scratch = new Uint8Array(192);

  /**
   * Makes an alphabet of the arrays that `pack` gave: frozen, and working on these arrays.
   *
   * @throws Error with one sentence when the arrays do not fit each other.
   * @internal
   */
  static unpack({ pool, offsets }: PackedStrings): Alphabet {
    const size = offsets.length - 1;
    if (size < 0) throw new Error('expected where strings start and end, found nothing');
    if (offsets[0] !== 0 || offsets[size] !== pool.length) {
      throw new Error(`expected strings from 0 to ${pool.length}, found ${offsets[0]} to ${offsets[size]}`);
    }
    for (let id = 0; id < size; id++) {
      if (offsets[id] > offsets[id + 1]) throw new Error(`string ${id} ends before it starts`);
    }
    const alphabet = new Alphabet();
    // Nothing is copied, since a frozen alphabet never writes to its arrays.
    alphabet.pool = pool;
    alphabet.offsets = offsets;
    alphabet.hashes = new Uint32Array(size);
    alphabet.slots = new Uint32Array(Math.max(64, 2 ** Math.ceil(Math.log2(2 * size))));
    alphabet.freeze();
    for (let id = 0; id < size; id++) {
      const hash = hashBytes(pool, offsets[id], offsets[id + 1]);
      if (alphabet.locate(pool, offsets[id], offsets[id + 1], hash) >= 0) continue;
      alphabet.hashes[id] = hash;
      alphabet.place(id);
      alphabet.size++;
    }
    if (alphabet.size !== size) throw new Error(`expected ${size} different strings, found ${alphabet.size}`);
    return alphabet;
  }

  /** The same strings with the same ids, to which more can be added. */
  copy(): Alphabet {
    const copy = new Alphabet();
    copy.size = this.size;
    copy.slots = this.slots.slice();
    copy.hashes = this.hashes.slice();
    copy.offsets = this.offsets.slice();
    copy.pool = this.pool.slice();
    return copy;
  }

  /**
   * The strings by id.
   *
   * @internal
   */
  pack(): PackedStrings {
    return {
      pool: this.pool.slice(0, this.offsets[this.size]),
      offsets: this.offsets.slice(0, this.size + 1),
    };
  }

  /**
   * The strings and what finds them, as they are held; they hold until the next insertion.
   *
   * @internal
   */
  tables(): HashedStrings {
    return {
      pool: this.pool.subarray(0, this.offsets[this.size]),
      offsets: this.offsets.subarray(0, this.size + 1),
      slots: this.slots,
    };
  }

  /** From now on unknown strings get no id: `add` returns −1 for them. */
  freeze(): void {
    this.frozen = true;
  }

  /** The id of a string, given a new one if it has none; −1 for an unknown string once frozen. */
  add(text: string): number {
    const length = this.encode(text);
    return this.addBytes(this.scratch, 0, length);
  }

  /** The id of a string, or −1. */
  find(text: string): number {
    const length = this.encode(text);
    return this.locate(this.scratch, 0, length, hashBytes(this.scratch, 0, length));
  }

  /** As {@link find} for the UTF-8 bytes `bytes[start … end − 1]`. */
  findBytes(bytes: Uint8Array, start: number, end: number): number {
    return this.locate(bytes, start, end, hashBytes(bytes, start, end));
  }

  /** As {@link add} for the UTF-8 bytes `bytes[start … end − 1]`. */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const known = this.locate(bytes, start, end, hash);
    if (known >= 0 || this.frozen) return known;
    const id = this.size;
    const from = this.offsets[id];
    const to = from + end - start;
    this.pool = grown(this.pool, to);
    for (let i = start, j = from; i < end; i++, j++) this.pool[j] = bytes[i];
    this.offsets = grown(this.offsets, id + 2);
    this.offsets[id + 1] = to;
    this.hashes = grown(this.hashes, id + 1);
    this.hashes[id] = hash;
    this.size = id + 1;
    if (this.size * 2 > this.slots.length) this.rehash(this.slots.length * 2);
    else this.place(id);
    return id;
  }

  /** The string of an id in `0 … size − 1`. */
  string(id: number): string {
    const known = this.strings[id];
    if (known !== undefined) return known;
    const made = decodeUtf8(this.pool.subarray(this.offsets[id], this.offsets[id + 1]));
    this.strings[id] = made;
    return made;
  }

  /** All strings, by id. */
  toArray(): string[] {
    return Array.from({ length: this.size }, (_, id) => this.string(id));
  }

  private encode(text: string): number {
    this.scratch = grown(this.scratch, text.length * 3);
    return encodeUtf8Into(text, this.scratch);
  }

  private locate(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, offsets, pool } = this;
    const mask = slots.length - 1;
    const length = end - start;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = slots[slot] - 1;
      if (hashes[id] !== hash) continue;
      const from = offsets[id];
      if (offsets[id + 1] - from !== length) continue;
      let same = 0;
      while (same < length && pool[from + same] === bytes[start + same]) same++;
      if (same === length) return id;
    }
    return -1;
  }

  private place(id: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = this.hashes[id] & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }

  private rehash(capacity: number): void {
    this.slots = new Uint32Array(capacity);
    for (let id = 0; id < this.size; id++) this.place(id);
  }
}
