/** An array of numbers of one width, as tensors and states of training are made of. */
export type TypedArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | Int8Array;

/**
 * Whether all numbers are below a limit. Where that is at most half of their range they are compared a word at a time: what is added
 * to each sets its highest bit where it is not below.
 */
export function areBelow(values: Uint8Array | Uint16Array, limit: number): boolean {
  const { length, buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = values;
  const half = 1 << (8 * bytes - 1);
  const skipped = -byteOffset & 3;
  if (limit < 1 || limit > half || length * bytes < 8) return areBelowOneByOne(values, 0, limit);
  const words = new Int32Array(buffer, byteOffset + skipped, (length * bytes - skipped) >>> 2);
  const each = bytes === 1 ? 0x01010101 : 0x00010001;
  const add = Math.imul(each, half - limit);
  const high = Math.imul(each, half);
  let found = 0;
  // A number of which the highest bit is set already would carry into its neighbour.
  for (let w = 0; w < words.length; w++) found |= words[w] | ((words[w] & ~high) + add);
  if ((found & high) !== 0) return false;
  const last = (skipped + 4 * words.length) / bytes;
  return (
    areBelowOneByOne(values.subarray(0, skipped / bytes), 0, limit) && areBelowOneByOne(values, last, limit)
  );
}

function areBelowOneByOne(values: Uint8Array | Uint16Array, from: number, limit: number): boolean {
  for (let i = from; i < values.length; i++) if (values[i] >= limit) return false;
  return true;
}
