/** Arrays declared once: their bytes, their number and their views all come of one layout. */

/** Array class of each element type. */
const CLASSES = {
  float64: Float64Array,
  float32: Float32Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int16: Int16Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
} as const;

/** Name of an element type. */
export type ElementType = keyof typeof CLASSES;

/** Array of each element type. */
export interface ElementArrays {
  /** 64-bit floats. */
  readonly float64: Float64Array<ArrayBuffer>;
  /** 32-bit floats. */
  readonly float32: Float32Array<ArrayBuffer>;
  /** Signed 32-bit integers. */
  readonly int32: Int32Array<ArrayBuffer>;
  /** Unsigned 32-bit integers. */
  readonly uint32: Uint32Array<ArrayBuffer>;
  /** Signed 16-bit integers. */
  readonly int16: Int16Array<ArrayBuffer>;
  /** Unsigned 16-bit integers. */
  readonly uint16: Uint16Array<ArrayBuffer>;
  /** Bytes. */
  readonly uint8: Uint8Array<ArrayBuffer>;
}

/** Element type and length of one array. */
export class ArraySpec<T extends ElementType = ElementType> {
  /** Element type. */
  readonly type: T;
  /** Number of elements. */
  readonly length: number;

  constructor(type: T, length: number) {
    this.type = type;
    this.length = length;
  }

  /** Size of the array in bytes. */
  get bytes(): number {
    return this.length * CLASSES[this.type].BYTES_PER_ELEMENT;
  }

  /** A new view of the array at a place of a buffer. */
  viewOf(buffer: ArrayBuffer, byteOffset: number): ElementArrays[T] {
    return new CLASSES[this.type](buffer, byteOffset, this.length) as ElementArrays[T];
  }

  /** A new array of zeros with a buffer of its own. */
  make(): ElementArrays[T] {
    return new CLASSES[this.type](this.length) as ElementArrays[T];
  }
}

/** An array of 64-bit floats. */
export const float64 = (length: number) => new ArraySpec('float64', length);
/** An array of 32-bit floats. */
export const float32 = (length: number) => new ArraySpec('float32', length);
/** An array of signed 32-bit integers. */
export const int32 = (length: number) => new ArraySpec('int32', length);
/** An array of unsigned 32-bit integers. */
export const uint32 = (length: number) => new ArraySpec('uint32', length);
/** An array of signed 16-bit integers. */
export const int16 = (length: number) => new ArraySpec('int16', length);
/** An array of unsigned 16-bit integers. */
export const uint16 = (length: number) => new ArraySpec('uint16', length);
/** An array of bytes. */
export const uint8 = (length: number) => new ArraySpec('uint8', length);

/** Declaration of arrays: one array, or a record or a list of such declarations; `undefined` stands for no arrays. */
export type Layout = ArraySpec | undefined | readonly Layout[] | { readonly [name: string]: Layout };

/** The arrays of a layout, in the same records and lists. */
export type Arrays<L> = Layout extends L
  ? unknown
  : L extends ArraySpec<infer T>
    ? ElementArrays[T]
    : L extends undefined
      ? undefined
      : { readonly [K in keyof L]: Arrays<L[K]> };

/** Makes the arrays of a layout, an `Arrays<L>`. */
export function makeArrays(layout: Layout, make: (spec: ArraySpec) => ElementArrays[ElementType]): unknown {
  if (layout === undefined) return undefined;
  if (layout instanceof ArraySpec) return make(layout);
  if (Array.isArray(layout)) return layout.map((one: Layout) => makeArrays(one, make));
  return Object.fromEntries(Object.entries(layout).map(([name, one]) => [name, makeArrays(one, make)]));
}

/** Place of an array in a memory. */
export interface Place {
  /** Name of the array. */
  readonly name: string;
  /** Address of its first byte. */
  readonly start: number;
  /** Address after its last byte. */
  readonly end: number;
}

/** Places of all arrays of a layout. */
export interface Placing {
  /** Places, in the order in which {@link makeArrays} makes the arrays. */
  readonly places: readonly Place[];
  /** Address after all of them. */
  readonly end: number;
}

/** Each array starts at a multiple of so many bytes. */
const ALIGNMENT = 16;

/**
 * Places the arrays of a layout one after another.
 *
 * @param start address from which on there is room.
 * @param gap bytes that are left free before each array, and after the last.
 */
export function placeArrays(layout: Layout, start: number, gap: number): Placing {
  const places: Place[] = [];
  let end = start;
  const place = (one: Layout, name: string) => {
    if (one === undefined) return;
    if (one instanceof ArraySpec) {
      const first = Math.ceil((end + gap) / ALIGNMENT) * ALIGNMENT;
      end = first + one.bytes;
      places.push({ name, start: first, end });
    } else
      for (const [part, inner] of Object.entries(one)) place(inner, name === '' ? part : `${name}.${part}`);
  };
  place(layout, '');
  return { places, end: end + gap };
}
