/** Kernels as data: a plain function, and the arguments that its twin in the WebAssembly module is called with. */
import type { ElementType } from './layout.js';

/** Any typed array that kernels know. */
type AnyArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Uint8Array;

/** Array that a parameter of each kind takes; rows are float32 or int16. */
interface ParameterArrays extends Record<ElementType, AnyArray> {
  readonly float64: Float64Array;
  readonly float32: Float32Array;
  readonly int32: Int32Array;
  readonly uint32: Uint32Array;
  readonly int16: Int16Array;
  readonly uint16: Uint16Array;
  readonly uint8: Uint8Array;
  readonly rows: Float32Array | Int16Array;
}

/** Kind of a parameter that is an array. */
export type ArrayKind = keyof ParameterArrays;

/** A number, or a flag that is passed as 1 or 0, from what a kernel is given. */
type NumberParameter<S> =
  | readonly [kind: 'number', read: (struct: S) => number]
  | readonly [kind: 'flag', read: (struct: S) => boolean];

/** An array of what a kernel is given, passed as the address of its element `at` (default the first). */
type ArrayParameter<S> = {
  [K in ArrayKind]: readonly [kind: K, read: (struct: S) => ParameterArrays[K], at?: (struct: S) => number];
}[ArrayKind];

/** One parameter of a kernel's twin. */
export type Parameter<S> = NumberParameter<S> | ArrayParameter<S>;

/** A kernel: takes one struct S of arrays and numbers, all arrays of one memory. */
export interface Kernel<S, R = unknown> {
  /** Name of the twin in the module. */
  readonly name: string;
  /** The kernel in plain TypeScript; its results are those of the twin to the bit. */
  readonly plain: (struct: S) => R;
  /** Parameters of the twin, by their names there and in their order. */
  readonly parameters: Readonly<Record<string, Parameter<S>>>;
  /** Whether the twin has room for a struct; default always. The plain function takes its place where it has not. */
  readonly fits?: (struct: S) => boolean;
}

/** Kernels as functions over one memory. */
export type Bound<K> = {
  readonly [N in keyof K]: K[N] extends Kernel<infer S, infer R> ? (struct: S) => R : never;
};

/** Function of a module: numbers and addresses in, a number or nothing out. */
export type Twin = (...numbers: number[]) => number;

/** Reads one argument from a struct. */
type Reader<S> = (struct: S) => number;

/** Makes the function that calls a twin with what a struct has. */
export function bindTwin<S, R>(kernel: Kernel<S, R>, twin: Twin): (struct: S) => R {
  const call = callOf(twin, Object.values(kernel.parameters).map(readerOf)) as (struct: S) => R;
  const { fits, plain } = kernel;
  return fits ? (struct) => (fits(struct) ? call(struct) : plain(struct)) : call;
}

/** An array that a kernel is given. */
export interface GivenArray {
  /** Name of the parameter. */
  readonly name: string;
  /** The array. */
  readonly array: AnyArray;
}

/** All arrays that a kernel is given with a struct. */
export function arraysOf<S>({ parameters }: Kernel<S>, struct: S): GivenArray[] {
  return Object.entries(parameters).flatMap(([name, [kind, read]]) =>
    kind === 'number' || kind === 'flag' ? [] : [{ name, array: read(struct) }],
  );
}

/** Reads the argument that a parameter stands for. */
function readerOf<S>([kind, read, at]: Parameter<S>): Reader<S> {
  if (kind === 'number') return read;
  if (kind === 'flag') return (struct) => (read(struct) ? 1 : 0);
  if (at === undefined) return (struct) => read(struct).byteOffset;
  return (struct) => {
    const array = read(struct);
    return array.byteOffset + array.BYTES_PER_ELEMENT * at(struct);
  };
}

/** Calls a twin with what readers find. Calls of few arguments are written out: they are the frequent ones. */
function callOf<S>(twin: Twin, readers: readonly Reader<S>[]): Reader<S> {
  const [a, b, c, d, e, f, g, h, i, j] = readers;
  switch (readers.length) {
    case 3:
      return (s) => twin(a(s), b(s), c(s));
    case 4:
      return (s) => twin(a(s), b(s), c(s), d(s));
    case 5:
      return (s) => twin(a(s), b(s), c(s), d(s), e(s));
    case 6:
      return (s) => twin(a(s), b(s), c(s), d(s), e(s), f(s));
    case 7:
      return (s) => twin(a(s), b(s), c(s), d(s), e(s), f(s), g(s));
    case 8:
      return (s) => twin(a(s), b(s), c(s), d(s), e(s), f(s), g(s), h(s));
    case 9:
      return (s) => twin(a(s), b(s), c(s), d(s), e(s), f(s), g(s), h(s), i(s));
    case 10:
      return (s) => twin(a(s), b(s), c(s), d(s), e(s), f(s), g(s), h(s), i(s), j(s));
    default: {
      const numbers = new Array<number>(readers.length).fill(0);
      return (s) => {
        for (let n = 0; n < readers.length; n++) numbers[n] = readers[n](s);
        return twin(...numbers);
      };
    }
  }
}
