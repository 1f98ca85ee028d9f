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

/** Most tokens of a sentence that a step of stochastic training is taken for. */
const LONGEST = 250;
/** Tokens of the pieces that longer ones are cut into; the last piece has up to twice as many. */
const PIECE_OF_LONG = 100;

/**
 * Sentences as they are but for long ones, such as documents without sentence ends, which are cut into pieces: a step adds up
 * what all tokens of a piece say, so that steps for thousands of them would overshoot, and few sentences make few steps.
 *
 * @param starts [S + 1] first row of each sentence.
 */
export function boundedPieces(starts: Uint32Array): Pieces {
  const firsts = new Uint32List(starts.length);
  const cuts = new Uint32List(starts.length);
  for (let s = 0; s + 1 < starts.length; s++) {
    const [start, end] = starts.subarray(s, s + 2);
    const step = end - start > LONGEST ? PIECE_OF_LONG : end - start;
    for (let n = start; n === start || n + step <= end; n += step) {
      firsts.push(n);
      cuts.push(n > start ? 1 : 0);
      if (step === 0 || n + step === end) break;
    }
  }
  firsts.push(starts[starts.length - 1]);
  return { starts: firsts.toArray(), isCut: Uint8Array.from(cuts.toArray()) };
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
