import { parseTags } from './scheme.js';

/**
 * The consistency matrix of training data, in any scheme and either direction: a generalisation of algorithm 1 of
 * Wu et al. (2008). Evidence is pooled over types. Two tags of equal type may follow each other if
 * their leading tags were seen to do so within one type; all other pairs may if the first was seen to end a chunk
 * (before `O`, a boundary or another type) and the second to start one (after such).
 *
 * @param tags `[L]`, the tag of each label id.
 * @param sequences label ids (below L) of each sentence, in reading order.
 * @returns `[(L+1) × (L+1)]`, 1 where the column's label may be read right after the row's; the last row is the
 *   sentence's start, the last column its end.
 * @throws SpanwrightError (`bad-tag`) naming the first tag that no scheme has.
 */
export function learnConsistency(
  tags: readonly string[],
  sequences: Iterable<ArrayLike<number>>,
): Uint8Array<ArrayBuffer> {
  const parsed = parseTags(tags);
  const boundary = tags.length;
  const size = boundary + 1;

  // Symbols pool the labels of one leading tag; O and the boundary are symbols of their own, without a type.
  const symbolNames = [...new Set(parsed.map((tag) => tag.leading))];
  const typeNames = [...new Set(parsed.map((tag) => tag.type))];
  const symbols = symbolNames.length + 1;
  /** [L+1] */
  const symbolOf = Int32Array.from([...parsed.map((tag) => symbolNames.indexOf(tag.leading)), symbols - 1]);
  /** [L+1], −1 for O and the boundary */
  const typeOf = Int32Array.from([
    ...parsed.map((tag) => (tag.leading === 'O' ? -1 : typeNames.indexOf(tag.type))),
    -1,
  ]);

  /** [symbols × symbols] */
  const same = new Uint8Array(symbols * symbols);
  /** [symbols] */
  const canEnd = new Uint8Array(symbols);
  /** [symbols] */
  const canStart = new Uint8Array(symbols);
  for (const labels of sequences) {
    let previous = boundary;
    for (let i = 0; i <= labels.length; i++) {
      const current = i < labels.length ? labels[i] : boundary;
      const a = symbolOf[previous];
      const b = symbolOf[current];
      if (typeOf[previous] >= 0 && typeOf[previous] === typeOf[current]) {
        same[a * symbols + b] = 1;
      } else {
        canEnd[a] = 1;
        canStart[b] = 1;
      }
      previous = current;
    }
  }

  const table = new Uint8Array(size * size);
  for (let previous = 0; previous < size; previous++) {
    const a = symbolOf[previous];
    for (let current = 0; current < size; current++) {
      const b = symbolOf[current];
      const inside = typeOf[previous] >= 0 && typeOf[previous] === typeOf[current];
      table[previous * size + current] = inside ? same[a * symbols + b] : canEnd[a] & canStart[b];
    }
  }
  return table;
}
