import { checkOption, type OptionDeclaration, type OptionValues } from '../base/options.js';
import type { ChunkDecoder } from './decoder.js';

const LENGTHS = limit(
  'lengths',
  'chunks no longer than those of their type in training, or than the longest of any',
);
const VALUES = limit(
  'values',
  'tokens only with values of the dictionary seen in chunks of the type, or with any',
);
const PAIRS = limit(
  'pairs',
  'values that often are neighbours only in chunks of types in which they were, or in any',
);
const BIGRAMS = limit('bigrams', 'types side by side only where they were in training, or everywhere');

/** The best segmentation into typed chunks, exactly: see `SemiMarkov`. Where its limits leave none, they are lifted. */
export const semiMarkov: ChunkDecoder = {
  unit: 'chunk',
  name: 'semi-markov',
  help: 'dynamic programming over whole chunks; exact',
  accepts: ['chunks'],
  options: [LENGTHS, VALUES, PAIRS, BIGRAMS],
  order: () => 0,
  pruning: (options) => ({
    lengths: holds(LENGTHS, options),
    values: holds(VALUES, options),
    pairs: holds(PAIRS, options),
    bigrams: holds(BIGRAMS, options),
  }),
};

function limit(name: string, help: string): OptionDeclaration {
  return { name, kind: 'choice', choices: ['seen', 'any'], default: 'seen', help };
}

function holds(declaration: OptionDeclaration, options: OptionValues): boolean {
  return checkOption(declaration, options[declaration.name] ?? declaration.default) === 'seen';
}
