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

/** A number, one that a struct never changes, or a flag that is passed as 1 or 0. */
type NumberParameter<S> =
  | readonly [kind: 'number', read: (struct: S) => number]
  | readonly [kind: 'constant', read: (struct: S) => number]
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
  const readers = Object.values(kernel.parameters).map(readerOf);
  const numbers = new Array<number>(readers.length).fill(0);
  const call = callOf(twin, numbers) as () => R;
  const { fits, plain } = kernel;
  return (struct) => {
    if (fits !== undefined && !fits(struct)) return plain(struct);
    for (let i = 0; i < readers.length; i++) numbers[i] = readers[i](struct);
    return call();
  };
}

/**
 * Makes the function that calls a twin with one struct: its arrays and constants are read now, its other numbers, and where in
 * arrays to begin, with every call. For short kernels that are called often.
 */
export function bindTwinTo<S, R>(kernel: Kernel<S, R>, twin: Twin, struct: S): () => R {
  const parameters = Object.values(kernel.parameters);
  const readers = parameters.map(readerOf);
  const numbers = readers.map((read) => read(struct));
  const call = callOf(twin, numbers) as () => R;
  const { fits, plain } = kernel;
  if (fits !== undefined && !fits(struct)) return () => plain(struct);
  const changing = [...readers.keys()].filter(
    (i) => parameters[i][2] !== undefined || ['number', 'flag'].includes(parameters[i][0]),
  );
  return () => {
    for (let i = 0; i < changing.length; i++) numbers[changing[i]] = readers[changing[i]](struct);
    return call();
  };
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
    kind === 'number' || kind === 'constant' || kind === 'flag' ? [] : [{ name, array: read(struct) }],
  );
}

/** Bytes of an element by the kind of its array; those of rows are different from array to array. */
const ELEMENT_BYTES = {
  float64: 8,
  float32: 4,
  int32: 4,
  uint32: 4,
  int16: 2,
  uint16: 2,
  uint8: 1,
  rows: 0,
} as const;

/** Reads the argument that a parameter stands for. */
function readerOf<S>([kind, read, at]: Parameter<S>): Reader<S> {
  if (kind === 'number' || kind === 'constant') return read;
  if (kind === 'flag') return (struct) => (read(struct) ? 1 : 0);
  if (at === undefined) return (struct) => read(struct).byteOffset;
  const bytes = ELEMENT_BYTES[kind];
  if (bytes > 0) return (struct) => read(struct).byteOffset + bytes * at(struct);
  return (struct) => {
    const rows = read(struct);
    return rows.byteOffset + rows.BYTES_PER_ELEMENT * at(struct);
  };
}

/**
 * Calls a twin with the numbers that a list then has. Calls are written out for the numbers of arguments that most kernels have:
 * engines make such a call directly, while one with a list takes as long as the shortest kernels.
 */
// biome-ignore format: a line an argument would be hundreds.
function callOf(twin: Twin, n: readonly number[]): () => number {
  switch (n.length) {
    case 3:
      return () => twin(n[0], n[1], n[2]);
    case 4:
      return () => twin(n[0], n[1], n[2], n[3]);
    case 5:
      return () => twin(n[0], n[1], n[2], n[3], n[4]);
    case 7:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    case 8:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    case 9:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
    case 10:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]);
    case 13:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12]);
    case 16:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12],
        n[13], n[14], n[15]);
    case 18:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12],
        n[13], n[14], n[15], n[16], n[17]);
    case 19:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12],
        n[13], n[14], n[15], n[16], n[17], n[18]);
    case 22:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12],
        n[13], n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21]);
    case 48:
      return () => twin(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12],
        n[13], n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21], n[22], n[23], n[24], n[25], n[26],
        n[27], n[28], n[29], n[30], n[31], n[32], n[33], n[34], n[35], n[36], n[37], n[38], n[39], n[40],
        n[41], n[42], n[43], n[44], n[45], n[46], n[47]);
    default:
      return () => twin(...n);
  }
}
