/** A list of unsigned 32-bit integers that grows by doubling. */
export class Uint32List {
  /** Backing store; only the first {@link length} elements count. */
  values: Uint32Array;
  /** Number of elements. */
  length = 0;

  constructor(capacity = 64) {
    this.values = new Uint32Array(capacity);
  }

  /** Appends one element. */
  push(value: number): void {
    if (this.length === this.values.length) this.reserve(this.length + 1);
    this.values[this.length++] = value;
  }

  /** Makes room for `capacity` elements in all. */
  reserve(capacity: number): void {
    this.values = grown(this.values, capacity);
  }

  /** A copy of exactly the elements. */
  toArray(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}

type Growable = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** The array itself when it holds `capacity` elements, else a copy of at least that and at least double size. */
export function grown<T extends Growable>(values: T, capacity: number): T {
  if (capacity <= values.length) return values;
  const larger = new (values.constructor as new (length: number) => T)(Math.max(capacity, values.length * 2));
  larger.set(values);
  return larger;
}
