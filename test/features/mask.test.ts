import { describe, expect, it } from 'vitest';
import type { Rows } from '../../src/data/dataset.js';
import { maskCopies, randomParts } from '../../src/features/mask.js';
import { rowsOf } from '../learn/problems.js';

const rowLists = ({ offsets, indices }: Rows) =>
  Array.from({ length: offsets.length - 1 }, (_, n) => [...indices.subarray(offsets[n], offsets[n + 1])]);

describe('maskCopies', () => {
  // Four sentences of one or two tokens. Features 0–3 are words, of which 0 is in all sentences, and 4 a part of speech
  // that only one sentence has; 5 joins a word with the label before.
  const examples = [[0, 1], [0, 4], [2, 0], [3, 0], [3]];
  const rows = rowsOf([...examples, ...examples], 6);
  const labels = Uint16Array.of(0, 1, 0, 1, 1, 0, 1, 0, 1, 1);
  const starts = Uint32Array.of(0, 2, 3, 4, 5, 7, 8, 9, 10);
  const lexical = Uint8Array.of(1, 1, 1, 1, 0, 1);

  it('takes the lexical features that no other part has from the copies', () => {
    const masked = maskCopies({ rows, labels, starts }, randomParts(4, 4, 1), lexical);
    expect(rowLists(masked.rows)).toEqual([...examples, [0], [0, 4], [0], [3, 0], [3]]);
    expect(masked.labels).toBe(labels);
    expect(masked.starts).toBe(starts);
  });

  it('asks the originals which part has a feature', () => {
    const others = rowsOf([...examples, [0, 1], [0, 4], [2, 0], [3, 0, 2], [3]], 6);
    const masked = maskCopies({ rows: others, labels, starts }, randomParts(4, 4, 1), lexical);
    expect(rowLists(masked.rows).slice(5)).toEqual([[0], [0, 4], [0], [3, 0, 2], [3]]);
  });

  it('masks features that two sentences of one part share', () => {
    const seeds = [...Array(40).keys()].map((seed) =>
      rowLists(maskCopies({ rows, labels, starts }, randomParts(4, 2, seed), lexical).rows).slice(5),
    );
    // Feature 3 stays exactly where its two sentences fell into different parts.
    const kept = new Set(seeds.map((copies) => `${copies[3].includes(3)} ${copies[4].includes(3)}`));
    expect([...kept].sort()).toEqual(['false false', 'true true']);
  });

  it('masks what is joined with the label before, and leaves the rest of the history alone', () => {
    const joined = rowsOf([[5], [], [], [], [], [5], [], [], [], []], 6);
    const history = { alone: Uint32Array.of(6, 6, 6), joined, previous: new Uint16Array(6) };
    const masked = maskCopies({ rows, labels, starts, history }, randomParts(4, 4, 1), lexical);
    expect(rowLists((masked.history ?? history).joined)).toEqual([[5], [], [], [], [], [], [], [], [], []]);
    expect(masked.history?.alone).toBe(history.alone);
  });
});
