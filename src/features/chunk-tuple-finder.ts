import type { ChunkTemplate } from './chunk-template.js';

/** Most entries of a table in which tuples are found by their values alone. */
const LARGEST_DIRECT = 2 ** 16;

/** Contribution of no nodes to a hash or a place. */
export const NO_NODES = 1;

/**
 * Tables that find the known tuples of a template: where it reads few different values a table of all combinations; else one of
 * hashes, behind a filter that is a small fraction of the table to look at, since most tuples asked for are unknown.
 */
export interface TupleFinder {
  /** Whether there is a table of all combinations, or of hashes. */
  readonly isDirect: boolean;
  /**
   * Number of the tuple + 1, 0 for none, [Π limits] at Σ value · stride. Or [a power of 2, at least twice the tuples ×
   * (1 + nodes)] at the hash or the first free place after it, and then the tuple itself.
   */
  readonly numbers: Uint32Array;
  /** [nodes] */
  readonly strides: Uint32Array;
  /** [nodes] above the values of each node. */
  readonly limits: Uint32Array;
  /** [a power of 2, at least the tuples] a bit for every tuple, where its hash says. */
  readonly bits: Uint8Array;
}

/** Makes the finder of a template's tuples. */
export function makeTupleFinder({ table, nodes, sides }: ChunkTemplate): TupleFinder {
  const keys = table.pack();
  return directFinder(keys, nodes.length) ?? hashFinder(keys, table.arity, sides);
}

function directFinder(keys: Uint32Array, nodes: number): TupleFinder | undefined {
  const limits = new Uint32Array(nodes).fill(1);
  for (let at = 0; at < keys.length; at++) {
    const i = at % Math.max(1, nodes);
    limits[i] = Math.max(limits[i], keys[at] + 1);
  }
  const strides = new Uint32Array(nodes);
  let size = 1;
  for (let i = 0; i < nodes; i++) {
    strides[i] = size;
    size *= limits[i];
  }
  if (size > LARGEST_DIRECT) return undefined;
  const numbers = new Uint32Array(size);
  const arity = Math.max(1, nodes);
  for (let tuple = 0; tuple * arity < keys.length; tuple++) {
    let at = 0;
    for (let i = 0; i < nodes; i++) at += keys[tuple * arity + i] * strides[i];
    numbers[at] = tuple + 1;
  }
  return { isDirect: true, numbers, strides, limits, bits: new Uint8Array(0) };
}

function hashFinder(keys: Uint32Array, arity: number, sides: ChunkTemplate['sides']): TupleFinder {
  const tuples = keys.length / arity;
  let size = 64;
  while (size < tuples) size *= 2;
  const bits = new Uint8Array(size);
  const step = 1 + arity;
  const numbers = new Uint32Array(2 * size * step);
  for (let tuple = 0; tuple < tuples; tuple++) {
    const [first, last] = [sides[0], sides[1]].map((nodes) =>
      nodes.reduce((hash, i) => mix(hash, keys[tuple * arity + i]), NO_NODES),
    );
    const hash = sides[2].reduce((mixed, i) => mix(mixed, keys[tuple * arity + i]), join(first, last));
    bits[(hash >>> 3) & (size - 1)] |= 1 << (hash & 7);
    let slot = hash & (2 * size - 1);
    while (numbers[slot * step] !== 0) slot = (slot + 1) & (2 * size - 1);
    numbers[slot * step] = tuple + 1;
    numbers.set(keys.subarray(tuple * arity, (tuple + 1) * arity), slot * step + 1);
  }
  const strides = new Uint32Array(arity);
  return { isDirect: false, numbers, strides, limits: strides, bits };
}

/** Hash of the values at both ends; not the same for all chunks whose ends are alike. */
export function join(first: number, last: number): number {
  return mix(first, (last << 16) | (last >>> 16));
}

/** The hash with one more value in it; never 0. */
export function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15) || 1;
}
