/** Hashes of tuples of numbers, the twin of `assembly/hash.ts`, and of strings of bytes. */

/** How hashes begin. */
export const TUPLE_SEED = 0x9e3779b9;

/** Hash of the tuple `keys[start … start + arity − 1]`. */
export function hashTuple(keys: Uint32Array, start: number, arity: number): number {
  let hash = TUPLE_SEED;
  for (let i = start; i < start + arity; i++) hash = mixHash(hash, keys[i]);
  return finishHash(hash);
}

/** Hash of a tuple of two numbers. */
export function hashPair(a: number, b: number): number {
  return finishHash(mixHash(mixHash(TUPLE_SEED, a), b));
}

/** The hash with one more number in it. */
export function mixHash(hash: number, key: number): number {
  const mixed = Math.imul(hash ^ key, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** The hash once all numbers are in it. */
export function finishHash(hash: number): number {
  const mixed = Math.imul(hash, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Hash of the bytes `bytes[start … end − 1]`: FNV-1a over them, then a finishing mix so that the low bits are usable as a slot
 * number.
 */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
