import type { TypedArray } from '../base/typed-array.js';
import { Alphabet } from '../data/alphabet.js';
import type { PackedStrings } from '../kernels/find-values.js';
import type { Tensor } from './safetensors.js';

/** Tensors of a model file under way, by name. */
export class TensorWriter {
  /** Those added so far. */
  readonly tensors: Record<string, Tensor> = {};

  /** Adds an array as it is. @param shape default one dimension. */
  add(name: string, data: TypedArray, shape: readonly number[] = [data.length]): void {
    this.tensors[name] = { data, shape };
  }

  /** Adds integers in the narrowest type that holds them all. @param shape default one dimension. */
  addIntegers(name: string, values: Uint8Array | Uint16Array | Uint32Array, shape?: readonly number[]): void {
    this.add(name, narrow(values), shape);
  }

  /** Adds strings as `NAME.strings` (UTF-8, one after another) and `NAME.offsets`. */
  addStrings(name: string, { pool, offsets }: PackedStrings): void {
    this.add(`${name}.strings`, pool);
    this.addIntegers(`${name}.offsets`, offsets);
  }
}

/** Tensors of a model file by name, each checked for its element type. All methods throw Error naming the tensor. */
export class TensorReader {
  private readonly tensors: Readonly<Record<string, Tensor>>;

  constructor(tensors: Readonly<Record<string, Tensor>>) {
    this.tensors = tensors;
  }

  /** Names of all tensors. */
  names(): string[] {
    return Object.keys(this.tensors);
  }

  /** Whether there is a tensor of that name. */
  has(name: string): boolean {
    return Object.hasOwn(this.tensors, name);
  }

  /** An array of one element type. */
  array<T extends TypedArray>(name: string, type: new (values: ArrayLike<number>) => T): T {
    const data = this.tensors[name]?.data;
    if (data === undefined) throw new Error(`tensor ${name} is missing`);
    if (!(data instanceof type)) throw new Error(`tensor ${name} has the wrong element type`);
    return data;
  }

  /** Integers that {@link TensorWriter.addIntegers} may have narrowed, as wide as asked for. */
  integers<T extends Uint16Array | Uint32Array>(name: string, type: new (values: ArrayLike<number>) => T): T {
    const { data } = this.tensors[name] ?? {};
    if (data instanceof type) return data;
    if (data instanceof Uint8Array || data instanceof Uint16Array) return new type(data);
    return this.array(name, type);
  }

  /** Integers of at most 16 bits, as narrow as they are stored. */
  bytesOrWords(name: string): Uint8Array | Uint16Array {
    const { data } = this.tensors[name] ?? {};
    return data instanceof Uint8Array ? data : this.array(name, Uint16Array);
  }

  /** Strings that {@link TensorWriter.addStrings} added. */
  strings(name: string): PackedStrings {
    return {
      pool: this.array(`${name}.strings`, Uint8Array),
      offsets: this.integers(`${name}.offsets`, Uint32Array),
    };
  }
}

/** Strings one after another, as model files hold them. */
export function packStrings(strings: Iterable<string>): PackedStrings {
  const alphabet = new Alphabet();
  for (const text of strings) alphabet.add(text);
  return alphabet.pack();
}

/** The same integers in the narrowest type that holds them. */
function narrow(values: Uint8Array | Uint16Array | Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, values[i]);
  if (largest < 1 << 8) return Uint8Array.from(values);
  return largest < 1 << 16 ? Uint16Array.from(values) : values;
}
