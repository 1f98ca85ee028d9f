/** Unit of offsets: JavaScript's UTF-16 units, or code points as Python has them. */
export type OffsetUnit = 'utf16' | 'code-points';

/** Whether the UTF-16 unit is the first of a pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether the UTF-16 unit is the second of a pair. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Number of surrogate pairs in `text[start … end − 1]`: by how much it has more UTF-16 units than code points. */
export function countPairs(text: string, start: number, end: number): number {
  let pairs = 0;
  for (let i = start + 1; i < end; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) pairs++;
  }
  return pairs;
}

/**
 * Code points before each UTF-16 unit.
 *
 * @returns [units + 1], or nothing where a text has no surrogates, so that both counts are the same.
 */
export function codePointOffsets(text: string): Uint32Array | undefined {
  if (!/[\ud800-\udfff]/.test(text)) return undefined;
  const offsets = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) {
    const pair = isHighSurrogate(text.charCodeAt(i)) && isLowSurrogate(text.charCodeAt(i + 1));
    offsets[i + 1] = offsets[i] + 1;
    // Inside a pair counts as its end.
    if (pair) offsets[++i + 1] = offsets[i];
  }
  return offsets;
}

/** Makes offsets that count UTF-16 units count `unit` instead. */
export function offsetsIn(text: string, unit: OffsetUnit): (offset: number) => number {
  const points = unit === 'code-points' ? codePointOffsets(text) : undefined;
  return (offset) => points?.[offset] ?? offset;
}
