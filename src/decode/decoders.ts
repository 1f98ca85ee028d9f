import { beam } from './beam.js';
import type { Decoder } from './decoder.js';
import { greedy } from './greedy.js';
import { hybrid } from './hybrid.js';
import { semiMarkov } from './semi-markov-decoder.js';
import { viterbi } from './viterbi.js';

/** The decoders by name. */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  greedy,
  beam,
  viterbi,
  hybrid,
  'semi-markov': semiMarkov,
};
