/** How `TupleTable` hashes numbers one after another. */
export const TUPLE_SEED: u32 = 0x9e3779b9;

/** The hash with one more number in it. */
@inline
export function mixHash(hash: u32, key: u32): u32 {
  const mixed = (hash ^ key) * 0x85ebca6b;
  return mixed ^ (mixed >> 15);
}

/** The hash once all numbers are in it. */
@inline
export function finishHash(hash: u32): i32 {
  const mixed = hash * 0xc2b2ae35;
  return <i32>(mixed ^ (mixed >> 16));
}
