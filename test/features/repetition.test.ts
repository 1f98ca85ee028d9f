import { expect, it } from 'vitest';
import { DerivedColumns } from '../../src/features/derived-columns.js';

it('marks characters that are those one and two before them', () => {
  const derived = new DerivedColumns(['repeats'], { words: [] });
  derived.fill(Uint32Array.of(7, 7, 7, 8, 7, 8, 8, 0, 0), 9);
  expect(Array.from(derived.cells[0], (cell) => derived.strings[0][cell])).toEqual([
    ...['0', '1', '3', '0', '2', '2', '1', '0', '0'],
  ]);
});
