/**
 * Numbers in groups, one after the other, of which each group must ascend: lanes of a feature, slots of a tuple. What a file
 * holds of them is checked while the starts of groups are made, since each number is looked at anyway.
 */

/** Where groups start, and what their checking needs. */
export interface GroupStarts {
  /** [groups + 1] place of each group's first number; the last is where the next one would be. */
  readonly starts: Uint32Array;
  /** How often the first number of a group is not greater than the one before it, the last of another group. */
  readonly stepsBetween: number;
}

/**
 * Adds up the sizes of groups.
 *
 * @param counts [groups] numbers of each group.
 * @param values the numbers; there may be fewer than the sizes say.
 * @param first place of the first group.
 */
export function startGroups(
  counts: Uint8Array | Uint16Array,
  values: Uint8Array | Uint16Array,
  first = 0,
): GroupStarts {
  const { length } = values;
  const starts = new Uint32Array(counts.length + 1);
  let next = first;
  let stepsBetween = 0;
  for (let g = 0; g < counts.length; g++) {
    starts[g] = next;
    const count = counts[g];
    // Without a branch on the numbers, of which none foretells the next.
    if (next > 0 && next < length)
      stepsBetween += (-count >>> 31) & ((values[next] - values[next - 1] - 1) >>> 31);
    next += count;
  }
  starts[counts.length] = next;
  return { starts, stepsBetween };
}

/**
 * How often a number is not greater than the one before it. Numbers below half of their range are compared a word at a
 * time: with the highest bit of each set beforehand none borrows from its neighbour.
 */
export function stepsThatDoNotAscend(values: Uint8Array | Uint16Array): number {
  const { length, buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = values;
  if (length < 8) return stepsIn(values, 1, length);
  const bits = 8 * bytes;
  const high = bits === 8 ? 0x80808080 | 0 : 0x80008000 | 0;
  const one = bits === 8 ? 0x01010101 : 0x00010001;
  // Words begin at a multiple of 4, after the first number.
  const skipped = 4 - (byteOffset & 3);
  const from = skipped / bytes;
  const words = new Uint32Array(buffer, byteOffset + skipped, ((length - from) * bytes) >>> 2);
  let before = values[from - 1];
  let all = before;
  let count = stepsIn(values, 1, from);
  for (let w = 0; w < words.length; w++) {
    const word = words[w] | 0;
    all |= word;
    const ascents = ((((word | high) - ((word << bits) | before)) | 0) - one) | 0;
    count += Math.imul((~ascents & high) >>> (bits - 1), one) >>> (32 - bits);
    before = word >>> (32 - bits);
  }
  if ((all & high) !== 0) return stepsIn(values, 1, length);
  return count + stepsIn(values, from + (4 * words.length) / bytes, length);
}

function stepsIn(values: Uint8Array | Uint16Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (values[i] <= values[i - 1]) count++;
  return count;
}

/** The first of the groups `starts[g] … starts[g + 1] − 1` whose numbers do not ascend; −1 where all do. */
export function firstUnordered(values: Uint8Array | Uint16Array, starts: Uint32Array): number {
  for (let group = 0; group + 1 < starts.length; group++) {
    const end = starts[group + 1];
    for (let i = starts[group] + 1; i < end; i++) if (values[i] <= values[i - 1]) return group;
  }
  return -1;
}
