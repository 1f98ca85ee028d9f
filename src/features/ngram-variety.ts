/**
 * The n-grams of a text whose variety is 2 or more, and their beginnings, as a trie in breadth-first order: the root, then
 * each state's children side by side.
 */
export interface NgramVariety {
  /** Characters, width folded. */
  readonly characters: readonly string[];
  /** [N + 1] how many children each state has, the root first. */
  readonly children: Uint32Array;
  /** [N] last character of each state but the root. */
  readonly last: Uint32Array;
  /** [N] ⌊log₂ AV⌋ of each state but the root. */
  readonly values: Uint8Array;
}
