import { Uint32List } from '../base/growable.js';
import type { OptionDeclaration } from '../base/options.js';
import type { Random } from '../base/random.js';

/** Units of training: sentences, or pieces of them. */
export interface Pieces {
  /** [pieces + 1] first row of each. */
  readonly starts: Uint32Array;
  /** [pieces] 1 for those that begin inside a sentence: they know of no label before them, not even that there is none. */
  readonly isCut: Uint8Array;
}

/** The option of learners that can train on pieces of sentences. */
export const PIECE_LENGTH_OPTION: OptionDeclaration = {
  name: 'piece-length',
  kind: 'integer',
  default: 0,
  min: 0,
  help: 'train on random pieces of sentences, of this mean length; 0: whole sentences',
};

/**
 * @param starts [S + 1] first row of each sentence.
 * @returns the sentences as they are.
 */
export function wholeSentences(starts: Uint32Array): Pieces {
  return { starts, isCut: new Uint8Array(starts.length - 1) };
}

/**
 * Random pieces of sentences, for structure regularisation (Sun 2014, "Structure Regularization for Structured
 * Prediction"): the shorter they are, the less is learned of what depends on labels far away. Every token but a
 * sentence's first one begins a piece with probability 1 / `meanLength`.
 *
 * @param starts [S + 1] first row of each sentence.
 * @param meanLength of pieces, at least 1; 0 for whole sentences.
 */
export function randomPieces(starts: Uint32Array, meanLength: number, random: Random): Pieces {
  if (meanLength === 0) return wholeSentences(starts);
  const firsts = new Uint32List(starts.length);
  const cuts = new Uint32List(starts.length);
  for (let s = 0; s + 1 < starts.length; s++) {
    for (let n = starts[s]; n < starts[s + 1]; n++) {
      const isCut = n > starts[s];
      if (isCut && random.below(meanLength) > 0) continue;
      firsts.push(n);
      cuts.push(isCut ? 1 : 0);
    }
  }
  firsts.push(starts[starts.length - 1]);
  return { starts: firsts.toArray(), isCut: Uint8Array.from(cuts.toArray()) };
}
