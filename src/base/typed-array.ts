/** An array of numbers of one width, as tensors and states of training are made of. */
export type TypedArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | Int8Array;
