import type { DerivedKind } from './derived-kind.js';

/** Reduplication: whether a character is that before it (1), the one before that (2), both (3) or neither (0). */
export const REPETITION_COLUMN: DerivedKind = {
  columns: ['repeats'],
  cells: ['0', '1', '2', '3'],
  create: () => ({ match: markRepetitions }),
};

function markRepetitions(characters: Uint32Array, length: number, out: Uint8Array): void {
  for (let t = 0; t < length; t++) {
    const own = characters[t];
    const last = t > 0 && own > 0 && own === characters[t - 1] ? 1 : 0;
    out[t] = last + (t > 1 && own > 0 && own === characters[t - 2] ? 2 : 0);
  }
}
