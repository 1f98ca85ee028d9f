import { checkOption, type OptionDeclaration, type OptionValues } from '../base/options.js';
import type { ChunkDecoder } from './decoder.js';

const LENGTHS = limit(
  'lengths',
  'limit chunks to the longest of their type in training (seen), or of any type (any)',
);
const VALUES = limit(
  'values',
  'limit chunks to tokens whose dictionary values were seen in chunks of the type',
);
const PAIRS = limit(
  'pairs',
  'limit frequent neighbours of dictionary values to the types of chunks they were seen in',
);
const BIGRAMS = limit('bigrams', 'limit adjacent types to pairs seen in training');

/** The best segmentation into typed chunks, exactly: see `SemiMarkov`. Where its limits leave none, they are lifted. */
export const semiMarkov: ChunkDecoder = {
  unit: 'chunk',
  name: 'semi-markov',
  help: 'exact dynamic programming over whole chunks',
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
